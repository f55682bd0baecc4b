"""``kubectl llmfit completion``: how to switch completion on."""

from dataclasses import dataclass

from ..console import Result

TEXT = """kubectl completes the words of a plugin through an executable named kubectl_complete-llmfit on PATH.

Installed with pip, pipx or uv, and in a clone, it is already there beside kubectl-llmfit. krew links one name only:
make the other once.

    cd "${KREW_ROOT:-$HOME/.krew}/bin" && ln -s kubectl-llmfit kubectl_complete-llmfit

kubectl's own completion must be on in your shell:

    bash    source <(kubectl completion bash)    in ~/.bashrc, after bash-completion
    zsh     source <(kubectl completion zsh)     in ~/.zshrc, after compinit
    fish    kubectl completion fish | source     in ~/.config/fish/config.fish
"""


@dataclass(frozen=True, slots=True)
class CompletionFlags:
    """``completion`` takes no flags of its own."""


def completion(_flags: CompletionFlags) -> Result:
    """Print how to switch completion on for bash, zsh and fish."""
    return Result(TEXT)
