"""One file per command: collect the flags, validate, run; each returns what is to be printed."""
