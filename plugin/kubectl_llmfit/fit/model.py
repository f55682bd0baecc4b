"""A model as the catalogue describes it, and what serving it asks of one device. Pure values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .units import binary_quantity


@dataclass(frozen=True, slots=True)
class Model:
    """One entry of the catalogue, every field of ``llmfit list --json`` kept under its own name.

    ``parameters_raw`` counts parameters; ``*_gb`` are as catalogued (llmfit reads them as binary GB).
    ``source`` is the name of the data, never a version: ``llmfit``, a file's name, or ``custom_models.json``.
    """

    name: str
    provider: str = ""
    parameter_count: str = ""
    parameters_raw: int | None = None
    min_ram_gb: float | None = None
    recommended_ram_gb: float | None = None
    min_vram_gb: float | None = None
    quantization: str = "Q4_K_M"
    context_length: int | None = None
    use_case: str = ""
    is_moe: bool = False
    num_experts: int | None = None
    active_experts: int | None = None
    active_parameters: int | None = None
    release_date: str | None = None
    gguf_sources: tuple[Mapping[str, str], ...] = ()
    capabilities: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    format: str = ""
    num_attention_heads: int | None = None
    num_key_value_heads: int | None = None
    num_hidden_layers: int | None = None
    head_dim: int | None = None
    attention_layout: object = None
    license: str | None = None
    hidden_size: int | None = None
    moe_intermediate_size: int | None = None
    vocab_size: int | None = None
    shared_expert_intermediate_size: int | None = None
    architecture: str | None = None
    source: str = ""
    unknown: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked of the model: a speed, the usable share of bandwidth, perhaps another quantisation."""

    min_tps: float = 20.0
    efficiency_pct: int = 55
    quant: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the working behind a need, e.g. ``weights 4.66 GB``."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Need:
    """What one device must have: at least ``memory_bytes``, and ``bandwidth_gbs`` unless it is None.

    ``memory_text`` is the floor as its giver wrote it, a quantity of the same size (``7.5Gi``). ``exact_bytes`` is what
    the estimate came to before it was rounded up to the floor. ``quant_is_own``: the quantisation is the catalogue's
    own. ``weights_gb`` and ``parameters_billions`` are decimal and unrounded.
    ``system_memory_gb`` is a fact for the pod's own memory request and ``gpu_memory_gb`` the device memory as given
    (both from a ModelFit only, GB read as GiB). ``memory_is_given`` and ``bandwidth_is_given``: the user's own figure
    stands instead of the estimate's, and ``overrides`` says so in words.
    """

    model: str
    estimator: str
    memory_bytes: int
    bandwidth_gbs: int | None
    memory_text: str | None = None
    exact_bytes: int | None = None
    quant: str | None = None
    quant_is_own: bool = True
    weights_gb: float | None = None
    parameters_billions: float | None = None
    min_tps: float | None = None
    efficiency_pct: int | None = None
    system_memory_gb: float | None = None
    gpu_memory_gb: float | None = None
    catalog: str = ""
    memory_is_given: bool = False
    bandwidth_is_given: bool = False
    overrides: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def memory(self) -> str:
        """The memory floor as a Kubernetes quantity."""
        return self.memory_text or binary_quantity(self.memory_bytes)
