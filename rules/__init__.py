"""The registry: one YAML file a rule, strict loading, schema, editions, evaluators, lint. Imports `protocol` only."""
