"""The have: what a cluster publishes, read from raw objects of every served version into frozen values."""
