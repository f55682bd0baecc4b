"""What to doubt about an entry: warnings for stderr, each of which names the facts and leaves the judgement.

Rules, not lists of models. A size is doubted when no size that the name mentions agrees with the count; a format,
when none that the name mentions agrees with the catalogued one. Both err on the side of silence.
"""

from __future__ import annotations

import re

from ..fit.model import Model
from ..fit.quantisation import find as known_quantisation
from .spelling import Format, Size, bits_in, formats_in, sizes_in
from .store import short_of

LEAST_RATIO = 0.55
MOST_RATIO = 1.6
# What a name leaves out of "0.5B" or "1B": a vision tower, large embeddings, what was rounded away.
UNNAMED_BILLIONS = 0.4
# Draft heads and adapters are smaller; what is larger holds the whole model with its draft, or merged with it.
LARGEST_DRAFT_BILLIONS = 5.0
# Beyond what anybody has published; such counts are numbers of training tokens, or of a toy's weights.
FEWEST_PARAMETERS = 100_000
MOST_PARAMETERS = 10**13

_DRAFT_ARCHITECTURE = re.compile(r"dspark|_mtp$|_assistant$|^eagle$|medusa")
_DRAFT_NAME = re.compile(r"(?<![a-z0-9])(dflash\d?|dspark|eagle3?|draft|speculator|medusa|q?lora)(?![a-z0-9])")
_DIFFUSION = re.compile(r"diffus|llada|^dream$|^sdar|^a2d|bd3lm|mdlm|dllm|^gidd$|^wedlm$|^rnd1$")
_DIFFUSION_NAME = re.compile(r"(?<!stable-)diffusion(?!db)|llada")
_SPEECH = re.compile(
    r"tts|asr$|speech|wav2vec|hubert|wavlm|whisper|^vits|encodec|xcodec|^dac$|^mimi$|^sew$|omnivoice|vibevoice|"
    r"higgs_audio|kokoro|chatterbox|seamless|audio-tokenizer|audiodit"
)
_ENCODER = re.compile(
    r"bert|bidirec|embed|electra|mpnet|roformer|longformer|^dpr$|^esm$|^funnel$|^canine$|^luar|clip$|^clip|^vit$|dinov2|"
    r"^siglip|dual-encoder|^vtde$|model2vec|^ernie$|^new$|convnext|rt_detr"
)
_SEQUENCE_TO_SEQUENCE = re.compile(r"^t5|^mt5|^umt5|^longt5|bart$|^m2m_|^pegasus|^blenderbot|encoder-decoder|^marian")
_EMBEDDING_NAME = re.compile(r"embed(?!ded|-?int\d|llm)|(?<![a-z])(?:bge|e5|gte)-|reranker")


def warnings_about(model: Model, quant: str | None = None) -> tuple[str, ...]:
    """Return what is doubtful about an entry, a line each.

    ``quant`` is the quantisation that the user chose instead of the entry's own, about which then nothing is said.
    """
    found = (
        _kind_warning(model),
        _size_warning(model),
        _format_warning(model) if quant is None else None,
    )
    return tuple(f"{model.name}: {warning}" for warning in found if warning)


def _size_warning(model: Model) -> str | None:
    counted = _billions(model)
    if counted is None:
        return f"the catalogue has no parameter count ({model.parameter_count!r}): its size is a guess"
    if not FEWEST_PARAMETERS <= counted * 1e9 <= MOST_PARAMETERS:
        return f"the catalogue counts {_figure(counted)} parameters: no such model is known"
    if _draft_word(model):
        return None
    sizes = sizes_in(model.name)
    if not sizes or any(_agrees(counted, size) for size in sizes):
        return None
    return f"the catalogue counts {_figure(counted)} parameters, the name says {sizes[0].text}: check the size"


def _agrees(counted: float, size: Size) -> bool:
    unnamed = 0.0 if size.text.endswith("M") else UNNAMED_BILLIONS
    return LEAST_RATIO * size.least <= counted <= MOST_RATIO * size.most + unnamed


def _billions(model: Model) -> float | None:
    if model.parameters_raw is not None:
        return model.parameters_raw / 1e9 or None
    written = [size for size in sizes_in(model.parameter_count.strip()) if size.least == size.most]
    return written[0].most if written else None


def _figure(billions: float) -> str:
    if billions >= 1:
        return f"{billions:,.1f} billion"
    if billions >= 0.001:
        return f"{billions * 1000:.1f} million"
    return f"{billions * 1e9:,.0f}"


def _format_warning(model: Model) -> str | None:
    if model.format == "onnx":
        return f"published as ONNX files, catalogued {model.quantization}, which is a size of GGUF files"
    formats = formats_in(model.name)
    if model.format == "mlx" and all(entry.family != "MLX" for entry in formats):
        formats = (Format("MLX", "MLX", None), *formats)
    if not formats or "unquantized" in model.name.lower() or _format_agrees(model, formats):
        return None
    said = ", ".join(_label(entry, model.name) for entry in formats)
    return f"the name says {said}, the catalogue {model.quantization}{_remedy(formats, model.name)}"


def _format_agrees(model: Model, formats: tuple[Format, ...]) -> bool:
    own = model.quantization.lower()
    family, bits = _catalogued(own)
    named_bits = {entry.bits for entry in formats if entry.bits} | ({bits_in(model.name)} - {None})
    for entry in formats:
        if entry.label.lower() == own:
            return True
        if entry.family == family and (not named_bits or bits in named_bits):
            return True
        if entry.family in INTEGER_FAMILIES[family] and entry.bits == bits:
            return True
    return False


# What a name may say of integer weights besides the method that made them.
INTEGER_FAMILIES = {
    "AWQ": ("plain", "integer"),
    "GPTQ": ("plain", "integer"),
    "AutoRound": ("plain", "integer"),
    "MLX": ("plain",),
    "float": ("plain",),
    "other": ("plain",),
}


def _catalogued(quantization: str) -> tuple[str, float | None]:
    """Return the family and the bits of a catalogued quantisation, as far as names can agree with it."""
    digits = re.search(r"(\d+)", quantization)
    bits = float(digits[1]) if digits else None
    for family in ("AWQ", "GPTQ", "AutoRound", "MLX"):
        if quantization.startswith(family.lower()):
            return family, bits
    return ("float", bits) if re.fullmatch(r"b?f(?:p)?\d+", quantization) else ("other", bits)


def _label(entry: Format, name: str) -> str:
    bits = bits_in(name)
    return f"{entry.label} {bits:g}-bit" if entry.bits is None and bits else entry.label


def _remedy(formats: tuple[Format, ...], name: str) -> str:
    bits = bits_in(name)
    for entry in formats:
        label = f"mlx-{bits:g}bit" if entry.family == "MLX" and bits else entry.label
        known = known_quantisation(label)
        if known:
            return f": --quant {known.name} sizes it as such"
    return ""


def _kind_warning(model: Model) -> str | None:
    architecture = (model.architecture or "").lower()
    use_case = model.use_case.lower()
    facts = f"architecture {model.architecture}" if architecture else "no architecture given"
    draft = _draft_word(model)
    if draft:
        return draft
    if "text-to-speech" in use_case or "transcription" in use_case or _SPEECH.search(architecture):
        return _no_decoder(model, facts, "speech")
    if _DIFFUSION.search(architecture) or _DIFFUSION_NAME.search(short_of(model.name.lower())):
        return f"a diffusion model ({facts}), which does not read its weights once per token: the speed is a guess"
    named_embedding = _EMBEDDING_NAME.search(short_of(model.name.lower()))
    if _ENCODER.search(architecture) or ("embedding" in use_case and named_embedding):
        return _no_decoder(model, facts, "an encoder or embeddings")
    if _SEQUENCE_TO_SEQUENCE.search(architecture):
        return f"an encoder and a decoder ({facts}), not a decoder alone: the speed is a guess"
    return None


def _no_decoder(model: Model, facts: str, what: str) -> str:
    return f"no text decoder but {what} (use case {model.use_case!r}, {facts}): tok/s mean little"


def _draft_word(model: Model) -> str | None:
    """Say so when an entry is a draft head or an adapter: part of the model that its name mentions."""
    word = _DRAFT_NAME.search(short_of(model.name.lower()))
    counted = _billions(model) or 0.0
    sizes = sizes_in(model.name)
    whole = any(_agrees(counted, size) for size in sizes)
    if _DRAFT_ARCHITECTURE.search((model.architecture or "").lower()):
        return f"a draft head (architecture {model.architecture}), no model by itself"
    if word and not whole and counted < LARGEST_DRAFT_BILLIONS and (sizes or word[1] != "eagle"):
        than = f" where the name says {sizes[0].text}" if sizes else ""
        what = "an adapter" if "lora" in word[1] else "a draft head"
        return f"its name says {word[1]}, {_figure(counted)} parameters{than}: {what}, no model by itself"
    return None
