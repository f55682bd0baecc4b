"""kubectl's completion protocol for plugins: the words after the plugin's name in, candidates out.

kubectl runs ``kubectl_complete-llmfit`` with those words, the last of them possibly empty, and reads one
candidate per line. Candidates are subcommands, flags, and names of the packaged catalogue; no cluster is read.
"""

from __future__ import annotations

from collections.abc import Sequence

MODEL_COMMANDS = ("claim", "check-nodes", "models")
MAX_MODELS = 200


def candidates(words: Sequence[str]) -> list[str]:
    """What may stand in place of the last word, given those before it."""
    from .app import group

    commands = group().commands
    *before, last = words or [""]
    name = next((word for word in before if word in commands), None)
    if name is None:
        return [command for command in sorted(commands) if command.startswith(last)]
    if last.startswith("-"):
        return sorted(
            spelling
            for parameter in commands[name].params
            if not getattr(parameter, "hidden", False)
            for spelling in parameter.opts
            if spelling.startswith("--") and spelling.startswith(last)
        )
    if name in MODEL_COMMANDS:
        from .catalog import open_catalog

        return list(open_catalog().names(last, MAX_MODELS))
    return []
