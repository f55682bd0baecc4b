"""``python -m kubectl_llmfit``."""

from .main import main

main()
