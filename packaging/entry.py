"""What the frozen program runs first."""

from __future__ import annotations

from kubectl_llmfit.main import main

main()
