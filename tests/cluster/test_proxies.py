"""Which proxy a request takes: Go's rules, and through it the cluster is reached."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.api_server import FakeServer
from fakes.proxy import FakeProxy
from kubectl_llmfit.cluster.connection import ConnectionOptions, connect
from kubectl_llmfit.cluster.proxies import proxy_credentials, proxy_from_environment

CLUSTER = "https://api.cluster.example:6443"


@pytest.mark.parametrize(
    ("server", "environ", "proxy"),
    [
        (CLUSTER, {}, None),
        (CLUSTER, {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        (CLUSTER, {"https_proxy": "http://p:1"}, "http://p:1"),
        (CLUSTER, {"HTTPS_PROXY": "http://p:1", "https_proxy": "http://q:1"}, "http://p:1"),
        (CLUSTER, {"HTTPS_PROXY": "p:1"}, "http://p:1"),
        (CLUSTER, {"HTTPS_PROXY": "socks5://p:1"}, "socks5://p:1"),
        (CLUSTER, {"HTTP_PROXY": "http://p:1", "ALL_PROXY": "http://q:1"}, None),
        ("http://cluster.example", {"HTTP_PROXY": "http://p:1"}, "http://p:1"),
        ("http://cluster.example", {"HTTPS_PROXY": "http://p:1"}, None),
        ("https://localhost:6443", {"HTTPS_PROXY": "http://p:1"}, None),
        ("https://127.0.0.9", {"HTTPS_PROXY": "http://p:1"}, None),
        ("https://[::1]:6443", {"HTTPS_PROXY": "http://p:1"}, None),
    ],
)
def test_the_scheme_chooses_the_variable_and_loopback_takes_none(
    server: str, environ: dict[str, str], proxy: str | None
) -> None:
    assert proxy_from_environment(server, environ) == proxy


@pytest.mark.parametrize(
    ("server", "exceptions", "excepted"),
    [
        (CLUSTER, "api.cluster.example", True),
        (CLUSTER, "other, API.Cluster.Example", True),
        (CLUSTER, "cluster.example", True),
        (CLUSTER, ".cluster.example", True),
        (CLUSTER, "*.cluster.example", True),
        (CLUSTER, "luster.example", False),
        ("https://cluster.example", ".cluster.example", False),
        (CLUSTER, "cluster.example:6443", True),
        (CLUSTER, "cluster.example:443", False),
        ("https://cluster.example", "cluster.example:443", True),
        (CLUSTER, "*", True),
        (CLUSTER, " , ,", False),
        ("https://10.1.2.3", "10.0.0.0/8", True),
        ("https://10.1.2.3:6443", "10.1.2.3", True),
        ("https://10.1.2.3:6443", "10.1.2.3:6443", True),
        ("https://10.1.2.3:6443", "10.1.2.3:443", False),
        ("https://11.1.2.3", "10.0.0.0/8", False),
        ("https://10.1.2.3", ".3", False),
        ("https://[fd00::5]:6443", "fd00::/8", True),
        ("https://[fd00::5]:6443", "[fd00::5]:6443", True),
        ("https://[fd00::5]:6443", "fd00::5", True),
        (CLUSTER, "10.0.0.0/99", False),
    ],
)
def test_no_proxy_names_hosts_domains_ports_and_ranges(server: str, exceptions: str, excepted: bool) -> None:
    environ = {"HTTPS_PROXY": "http://p:1", "NO_PROXY": exceptions}
    assert (proxy_from_environment(server, environ) is None) is excepted


def test_the_credentials_of_a_proxy_are_decoded() -> None:
    assert proxy_credentials("http://me:p%40ss@p:1") == "me:p@ss"
    assert proxy_credentials("http://p:1") is None


def test_a_cluster_is_reached_through_its_proxy_url_with_the_proxys_credentials(
    server: FakeServer, kubeconfig: Any
) -> None:
    with FakeProxy(server.host) as proxy:
        path = kubeconfig(server.url, cluster={"proxy-url": f"http://me:s%C3%A9cret@{proxy.host}"})
        assert connect(ConnectionOptions(kubeconfig=str(path)), environ={}).get("/version")
    # base64("me:sécret") = bWU6c8OpY3JldA==
    assert proxy.asked == [(server.host, "Basic bWU6c8OpY3JldA==")]
    assert server.requests[0].header("Proxy-Authorization") == []


def test_the_proxy_url_flag_beats_the_kubeconfig(server: FakeServer, kubeconfig: Any) -> None:
    with FakeProxy(server.host) as proxy:
        path = kubeconfig(server.url, cluster={"proxy-url": "http://127.0.0.1:1"})
        options = ConnectionOptions(kubeconfig=str(path), proxy_url=f"http://{proxy.host}")
        assert connect(options, environ={}).get("/version")
    assert len(proxy.asked) == 1


def test_a_proxy_of_the_environment_reaches_a_name_that_only_it_knows(server: FakeServer, kubeconfig: Any) -> None:
    with FakeProxy(server.host) as proxy:
        path = kubeconfig("https://cluster.example:6443", cluster={"tls-server-name": "localhost"})
        environ = {"HTTPS_PROXY": proxy.host}
        assert connect(ConnectionOptions(kubeconfig=str(path)), environ=environ).get("/version")
    assert proxy.asked == [("cluster.example:6443", None)]
