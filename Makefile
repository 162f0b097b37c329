# Everything runs from a fresh clone: `run` and `test` make their own virtual environment in .venv.

PYTHON ?= python3
BIN := .venv/bin
SEED ?= 1
TARGETS ?= 60
OUT ?= out

.PHONY: run test check bench soak fuzz clean

run: .venv/installed
	@rm -f $(OUT)/bench.db $(OUT)/bench.db-* $(OUT)/board.json $(OUT)/events.jsonl $(OUT)/season.json
	$(BIN)/toll season --seed $(SEED) --targets $(TARGETS) --out $(OUT)

test: .venv/installed
	$(BIN)/python -m pytest -q -rs $(ARGS)

check: .venv/checkers
	$(BIN)/ruff check .
	MYPYPATH=.venv/typing $(BIN)/mypy -p tollbench
	$(BIN)/toll rules lint

bench: .venv/installed
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

soak: .venv/installed
	@for seed in 1 2 3 4 5 6 7 8; do \
	  rm -rf $(OUT)/soak-$$seed && $(BIN)/toll season --seed $$seed --targets 400 --out $(OUT)/soak-$$seed && \
	  $(BIN)/toll replay --check --bench $(OUT)/soak-$$seed/bench.db || exit 1; done

fuzz: .venv/installed
	TOLL_FUZZ=20000 $(BIN)/python -m pytest -q -rs tests/property tests/fuzz $(ARGS)

clean:
	rm -rf build dist out *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test]"
	touch $@

# Type checkers do not follow the finder of an editable install: show them the root under the package's name.
.venv/checkers: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test,dev]"
	mkdir -p .venv/typing
	ln -sfn ../.. .venv/typing/tollbench
	touch $@
