"""The cluster: connecting, reading, snapshots and applying; the only importer of ``kubernetes``."""
