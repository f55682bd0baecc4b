"""Where the process begins: installed, frozen, or as ``python -m kubectl_llmfit``."""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else the parent wants Ctrl-C ignored
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until ``main`` can answer it, Ctrl-C ends the process without a word

from .main import complete, main

__all__ = ["complete", "main"]

if __name__ == "__main__":
    main()
