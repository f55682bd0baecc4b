"""The check: ask and have become verdicts, reasons in a person's words, and what would help. Pure."""
