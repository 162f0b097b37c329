"""Historic attempts: rows of a published results file, ledgered verbatim and never mixed with native attempts."""
