"""Results become text: tables, JSON and YAML. Knows nothing of how a result was found."""
