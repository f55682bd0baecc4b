# What there is to do with a checkout. `make demo` and `make test` set up all they need first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CATALOGUE := plugin/kubectl_llmfit/catalog/models.sqlite
DEMO_MODEL := meta-llama/Llama-3.1-8B-Instruct
N ?= 300
SEED ?= 1

.PHONY: help venv catalogue controlplane demo test test-fast lint format parity agree agree-live agree-cel fuzz dist test-dist krew-install release packages archive smoke manifest image bench lock clean

help: ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

venv: $(VENV)/.installed ## The virtual environment with the locked development requirements

$(VENV)/.installed: requirements/dev.txt
	@echo "setting up $(VENV) (a minute or two) ..."
	@$(PYTHON) -c 'import sys; sys.exit("error: Python 3.11 or newer is needed") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

catalogue: $(CATALOGUE) ## The model catalogue, from the pinned llmfit program

$(CATALOGUE): $(VENV)/.installed hatch_build.py
	@echo "building the model catalogue ..."
	@$(BIN)/python hatch_build.py
	@touch $@

controlplane: $(VENV)/.installed ## etcd, kube-apiserver, kube-scheduler, kubectl and krew for the tests (Go; 8 minutes at first)
	@$(BIN)/python tests/controlplane/build.py

demo: $(CATALOGUE) ## The main job: a claim for a well-known model, and which nodes of the example cluster can satisfy it
	@echo "\$$ kubectl llmfit claim $(DEMO_MODEL)"
	@./kubectl-llmfit claim $(DEMO_MODEL)
	@echo "\$$ kubectl llmfit check-nodes $(DEMO_MODEL) --snapshot examples/cluster.yaml"
	@./kubectl-llmfit check-nodes $(DEMO_MODEL) --snapshot examples/cluster.yaml

test: $(CATALOGUE) ## All tests; the live part needs Go and is skipped, with a word, without it
	@$(BIN)/python tests/controlplane/build.py --optional
	@$(BIN)/python -m pytest -q -n 2 -m "not live"
	@$(BIN)/python -m pytest -q -m live

test-fast: $(CATALOGUE) ## The tests that need no control plane
	@$(BIN)/python -m pytest -q -n 2 -m "not live"

lint: $(VENV)/.installed ## ruff, mypy --strict and the import rules
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q tests/test_architecture.py

format: $(VENV)/.installed ## Format the code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

parity: $(CATALOGUE) ## Every model of the catalogue against the llmfit program
	@$(BIN)/python tests/parity/parity.py

agree-cel fuzz: N := 100000
INPUTS ?= 20000
agree: N := 20000

KUBERNETES ?= 1.37
agree: $(VENV)/.installed ## N worlds from SEED, this program's answers beside kube-scheduler's own allocator; KUBERNETES=1.34 ... (Go)
	@$(BIN)/python tests/agree/scheduler/agree.py --size $(N) --seed $(SEED) --kubernetes-version $(KUBERNETES)

agree-live: $(VENV)/.installed ## N worlds from SEED in the real API server: what this program says of a pod beside what kube-scheduler does (Go)
	@$(BIN)/python tests/agree/scheduler/agree_live.py --size $(N) --seed $(SEED)

agree-cel: $(VENV)/.installed ## N generated CEL expressions from SEED, this engine's answers beside Kubernetes' own (Go)
	@$(BIN)/python tests/agree/agree_cel.py --size $(N) --seed $(SEED)

fuzz: $(CATALOGUE) ## N random texts from SEED against the CEL engine, and 20,000 command lines on damaged files
	@$(BIN)/python tests/agree/fuzz.py --size $(N) --seed $(SEED)
	@$(BIN)/python tests/safety/fuzz.py --size $(INPUTS) --seed $(SEED)

dist: $(CATALOGUE) ## The wheel, the source archive, the krew archive of this platform and its manifest, in dist/
	@$(BIN)/python packaging/dist.py

test-dist: dist ## What make dist built: krew, wheel, source archive, completion, start-up; and its figures
	@$(BIN)/python tests/controlplane/build.py
	@$(BIN)/python -m pytest -q tests/dist
	@$(BIN)/python packaging/smoke.py
	@$(BIN)/python packaging/release.py
	@$(BIN)/python tests/bench/bench.py --dist --rounds 5

krew-install: dist ## The archive in dist/, installed by your own krew
	@kubectl krew uninstall llmfit 2>/dev/null || true
	@kubectl krew install --manifest=dist/krew-manifest.yaml --archive=dist/$$($(BIN)/python packaging/project.py)

release: dist ## krew-manifest.yaml stamped with the verified archives in dist/, to be committed
	@$(BIN)/python packaging/release.py --write

packages: $(VENV)/.installed ## The wheel and the source archive, built twice (release workflow)
	@$(BIN)/python packaging/dist.py --only packages --twice

archive: $(VENV)/.installed ## This platform's krew archive of the wheel in dist/, built twice (release workflow)
	@$(BIN)/python packaging/dist.py --only archive --twice

smoke: $(VENV)/.installed ## This platform's archive in dist/, run as krew would have installed it
	@$(BIN)/python packaging/smoke.py

manifest: $(VENV)/.installed ## The manifest of TAG from all archives in dist/, each installed by krew's validator (Go; release workflow)
	@$(BIN)/python packaging/release.py --tag "$(TAG)" --platforms 4 --max-glibc 2.36
	@$(BIN)/python tests/controlplane/build.py krew
	@$(BIN)/python -m pytest -q tests/dist/test_krew_manifest.py

IMAGE := kubectl-llmfit:$(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)

image: ## The container image (docker), and a claim from it, as nobody, read-only and without a network
	@docker build --check .
	@docker build --tag $(IMAGE) .
	@docker run --rm --read-only --network none --cap-drop ALL $(IMAGE) claim $(DEMO_MODEL)

bench: $(CATALOGUE) ## Ratios against llmfit claim, side by side in one run, and the ten heaviest imports
	@$(BIN)/python tests/bench/bench.py

LOCK := --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --no-emit-index-url --quiet

lock: ## Renew requirements/*.txt, for all platforms and Pythons (needs uv on PATH)
	@uv pip compile pyproject.toml requirements/dev.in $(LOCK) --output-file requirements/dev.txt
	@uv pip compile pyproject.toml --constraints requirements/dev.txt $(LOCK) --output-file requirements/run.txt

clean: ## Remove what was built
	rm -rf $(VENV) build dist $(CATALOGUE)
