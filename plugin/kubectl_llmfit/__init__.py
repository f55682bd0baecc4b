"""kubectl llmfit: from "serve this model at this speed" to a ResourceClaim, and to the nodes that can satisfy it."""

__version__ = "0.1.0"
