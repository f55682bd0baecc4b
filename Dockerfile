# For CI jobs and for checks from inside a cluster (examples/job.yaml):
#   docker build -t kubectl-llmfit . && docker run --rm --read-only kubectl-llmfit claim meta-llama/Llama-3.1-8B-Instruct
# Pinned to a line of Python and Debian, not to a digest: a rebuild gets their security fixes.
FROM python:3.13-slim-bookworm AS build
WORKDIR /src
COPY requirements/run.txt ./
RUN ["python", "-m", "venv", "--without-pip", "/opt/kubectl-llmfit"]
RUN ["python", "-m", "pip", "--python", "/opt/kubectl-llmfit/bin/python", "install", "--no-cache-dir", "--require-hashes", "-r", "run.txt"]
COPY pyproject.toml hatch_build.py README.md LICENSE NOTICE ./
COPY plugin plugin
COPY templates templates
RUN ["python", "-m", "pip", "--python", "/opt/kubectl-llmfit/bin/python", "install", "--no-cache-dir", "--no-deps", "."]

FROM python:3.13-slim-bookworm
LABEL org.opencontainers.image.title="kubectl-llmfit" \
      org.opencontainers.image.description="Which nodes of a cluster can serve a language model, by Dynamic Resource Allocation" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/kubectl-llmfit /opt/kubectl-llmfit
ENV PATH="/opt/kubectl-llmfit/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
WORKDIR /
# a number, so that a cluster sees that it is not root; no home, nothing to write to
USER 65532:65532
ENTRYPOINT ["/opt/kubectl-llmfit/bin/kubectl-llmfit"]
CMD ["--help"]
