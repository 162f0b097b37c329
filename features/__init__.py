"""Gherkin scenarios, one file an area and one `Rule:` block a registry rule; a package so that they ship as data."""
