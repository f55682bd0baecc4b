"""The flags that several commands share, in kubectl's own names and meanings."""

from dataclasses import dataclass
from typing import Annotated

from typer import Option

from ..errors import UsageError


def choice(flag: str, value: str, allowed: tuple[str, ...]) -> str:
    """``value`` if it is one of ``allowed``; UsageError that lists them otherwise."""
    if value not in allowed:
        raise UsageError(f'invalid value "{value}" for {flag}: must be one of {", ".join(allowed)}')
    return value


@dataclass(frozen=True, slots=True)
class SizingFlags:
    """How the need of a model is counted."""

    min_tps: Annotated[
        float | None,
        Option(
            "--min-tps",
            metavar="F",
            help="Tokens per second to reach [default: 20]",
        ),
    ] = None
    quant: Annotated[str | None, Option("--quant", metavar="Q", help="Quantisation, if not the catalogue's own")] = None
    efficiency: Annotated[
        int | None,
        Option(
            "--efficiency",
            metavar="N",
            help="Usable share of the memory bandwidth in percent [default: 55]",
        ),
    ] = None
    min_memory: Annotated[
        str | None,
        Option("--min-memory", metavar="QUANTITY", help="Your own memory floor instead of the estimate"),
    ] = None
    min_bandwidth: Annotated[
        int | None,
        Option(
            "--min-bandwidth",
            metavar="GBS",
            help="Your own bandwidth floor in GB/s",
        ),
    ] = None
    device_class: Annotated[
        list[str] | None,
        Option(
            "--device-class",
            metavar="CLASS",
            help="DeviceClass to ask for; several are alternatives in this order, auto takes those of the cluster "
            "[default: $KUBECTL_LLMFIT_DEVICE_CLASS, else llmfit.ai]",
        ),
    ] = None
    driver: Annotated[
        str | None,
        Option("--driver", metavar="DRIVER", help="Whose devices a class selects that no known driver ships"),
    ] = None
    require_health: Annotated[
        str | None,
        Option("--require-health", metavar="HOW", help="attribute, taint or none [default: what the driver has]"),
    ] = None
    smallest_first: Annotated[
        bool, Option("--smallest-first", help="Prefer devices with less memory, in bands: the scheduler does not")
    ] = False
    share: Annotated[
        bool, Option("--share", help="Of a device that several claims can share, request only the memory needed")
    ] = False
    accelerators: Annotated[
        str | None,
        Option("--accelerators", metavar="FILE", help="Products to add to the table, or to change in it (CSV)"),
    ] = None
    fit: Annotated[
        str | None,
        Option("--fit", metavar="FILE", help="Read a ModelFit (JSON) instead of MODEL; - is stdin"),
    ] = None
    catalog: Annotated[
        str | None,
        Option("--catalog", metavar="FILE", help="Read the models from this 'llmfit list --json' output; - is stdin"),
    ] = None


@dataclass(frozen=True, slots=True)
class ConnectionFlags:
    """Which cluster, as whom: kubectl's own flags."""

    namespace: Annotated[str | None, Option("-n", "--namespace", metavar="NS", help="Namespace of claims")] = None
    context: Annotated[str | None, Option("--context", metavar="NAME", help="Context of the kubeconfig to use")] = None
    kubeconfig: Annotated[str | None, Option("--kubeconfig", metavar="FILE", help="Kubeconfig file to use")] = None
    cluster: Annotated[str | None, Option("--cluster", hidden=True)] = None
    user: Annotated[str | None, Option("--user", hidden=True)] = None
    as_user: Annotated[str | None, Option("--as", hidden=True)] = None
    as_groups: Annotated[list[str] | None, Option("--as-group", hidden=True)] = None
    as_uid: Annotated[str | None, Option("--as-uid", hidden=True)] = None
    as_user_extra: Annotated[list[str] | None, Option("--as-user-extra", hidden=True)] = None
    token: Annotated[str | None, Option("--token", hidden=True)] = None
    server: Annotated[str | None, Option("-s", "--server", hidden=True)] = None
    certificate_authority: Annotated[str | None, Option("--certificate-authority", hidden=True)] = None
    client_certificate: Annotated[str | None, Option("--client-certificate", hidden=True)] = None
    client_key: Annotated[str | None, Option("--client-key", hidden=True)] = None
    insecure_skip_tls_verify: Annotated[bool, Option("--insecure-skip-tls-verify", hidden=True)] = False
    tls_server_name: Annotated[str | None, Option("--tls-server-name", hidden=True)] = None
    proxy_url: Annotated[str | None, Option("--proxy-url", hidden=True)] = None
    disable_compression: Annotated[bool, Option("--disable-compression", hidden=True)] = False
    username: Annotated[str | None, Option("--username", hidden=True)] = None
    password: Annotated[str | None, Option("--password", hidden=True)] = None
    request_timeout: Annotated[str, Option("--request-timeout", hidden=True)] = "0"


@dataclass(frozen=True, slots=True)
class SnapshotFlags:
    """A file that replaces the cluster."""

    snapshot: Annotated[
        str | None,
        Option("--snapshot", metavar="FILE", help="Read this snapshot instead of a cluster; - is stdin"),
    ] = None


@dataclass(frozen=True, slots=True)
class SchedulerFlags:
    """How the scheduler is set whose answer is asked for."""

    kubernetes_version: Annotated[
        str | None,
        Option(
            "--kubernetes-version",
            metavar="VERSION",
            help="Judge as the scheduler of this version [default: the server's]",
        ),
    ] = None
    feature_gates: Annotated[
        list[str] | None,
        Option(
            "--feature-gates",
            metavar="GATE=true|false,…",
            help="The scheduler's feature gates, where they are not its version's defaults",
        ),
    ] = None
