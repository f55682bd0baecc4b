"""``kubectl llmfit completion``: how to switch completion on."""

from dataclasses import dataclass

from ..console import Result

TEXT = """kubectl completes the words of a plugin through an executable named kubectl_complete-llmfit on PATH.

Installed with pip, pipx or uv it is already there. Installed with krew, or run from a clone, make the link once:

    ln -s "$(command -v kubectl-llmfit)" "$(dirname "$(command -v kubectl-llmfit)")/kubectl_complete-llmfit"

kubectl's own completion must be on in your shell: see 'kubectl completion --help'.
"""


@dataclass(frozen=True, slots=True)
class CompletionFlags:
    """``completion`` takes no flags of its own."""


def completion(_flags: CompletionFlags) -> Result:
    """Print how to switch completion on for bash, zsh, fish and powershell."""
    return Result(TEXT)
