"""What deploy/ says fits together, and fits the server: names, ports, paths and settings."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from inprocess import local

from fliptable.plugins import Registry
from fliptable_api.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
PORT = 8000
SETTINGS = {PREFIX + one.name.upper() for one in fields(Settings)}
UVICORN = {"FORWARDED_ALLOW_IPS"}


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def compose() -> Any:
    return read(DEPLOY / "compose.yaml")


@pytest.fixture(scope="module")
def kubernetes() -> dict[str, Any]:
    """The manifests by kind, as kustomization.yaml names them."""
    named = read(KUBERNETES / "kustomization.yaml")["resources"]
    assert {*named, "kustomization.yaml"} == {one.name for one in KUBERNETES.iterdir()}
    found = [read(KUBERNETES / name) for name in named]
    return {one["kind"]: one for one in found}


def test_the_image_is_made_of_what_there_is_and_runs_without_rights() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    for line in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE):
        for name in line.split():
            assert (ROOT / name).exists()
            assert f"!{name}" in ignored
    final = text[text.rindex("\nFROM") :]
    assert re.search(r"^USER 10001:10001$", final, re.MULTILINE)
    assert f"EXPOSE {PORT}" in final and f"127.0.0.1:{PORT}/healthz" in final
    assert 'ENTRYPOINT ["fliptable"]' in final
    needed = (ROOT / "pyproject.toml").read_text()
    assert 'readme = "README.md"' in needed and 'license-files = ["LICENSE"]' in needed


def test_the_members_of_the_replica_set_are_the_same_everywhere(compose: Any) -> None:
    services = compose["services"]
    members = [name for name in services if name.startswith("mongo-")]
    assert len(members) == 3
    script = (DEPLOY / "replica-set.js").read_text()
    assert re.findall(r"'(mongo-\d)'", script) == members
    name = re.search(r"_id: '(\w+)'", script)
    assert name is not None
    for one in members:
        assert f"--replSet {name[1]}" in " ".join(services[one]["command"])
        (volume,) = services[one]["volumes"]
        assert volume.partition(":")[0] in compose["volumes"]
    for worker in ("worker-1", "worker-2"):
        url = services[worker]["environment"]["FLIPTABLE_MONGO_URL"]
        addresses = ",".join(f"{one}:27017" for one in members)
        assert url == f"mongodb://{addresses}/?replicaSet={name[1]}"


def test_the_proxy_knows_the_workers_and_serves_the_port_that_is_published(compose: Any) -> None:
    services = compose["services"]
    nginx = (DEPLOY / "nginx.conf").read_text()
    upstream = re.findall(r"server (\S+):(\d+) ", nginx)
    assert upstream == [(name, str(PORT)) for name in services if name.startswith("worker-")]
    listening = re.search(r"listen (\d+);", nginx)
    assert listening is not None
    assert services["proxy"]["ports"] == [f"{PORT}:{listening[1]}"]
    assert f":{listening[1]}/healthz" in " ".join(services["proxy"]["healthcheck"]["test"])
    for needed in (
        "proxy_set_header Upgrade $http_upgrade;",
        "proxy_set_header Connection $connection_upgrade;",
        "proxy_set_header Host $http_host;",
        # Set anew: workers believe the proxy, and the first address in the header is the client's.
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_buffering off;",
        "proxy_read_timeout 1h;",
    ):
        assert needed in nginx
    assert not re.search(r"ip_hash|sticky|\bhash ", nginx)
    size = re.search(r"client_max_body_size (\d+)k;", nginx)
    assert size is not None and int(size[1]) * 1024 == Settings().max_body


def test_the_proxies_limit_what_one_address_may_do_at_all_workers(kubernetes: dict[str, Any]) -> None:
    """Each worker counts for itself; connections are as many as one worker lets an address have."""
    nginx = (DEPLOY / "nginx.conf").read_text()
    assert len(re.findall(r"_zone \$binary_remote_addr ", nginx)) == 2
    connections = re.search(r" limit_conn \w+ (\d+);", nginx)
    rate = re.search(r" rate=(\d+)r/s;", nginx)
    burst = re.search(r" limit_req zone=\w+ burst=(\d+) nodelay;", nginx)
    assert connections is not None and rate is not None and burst is not None
    assert int(connections[1]) == Settings().connections_per_address
    assert int(rate[1]) <= Settings().rate_per_address
    annotations = kubernetes["Ingress"]["metadata"]["annotations"]
    named = {
        "limit-connections": connections[1],
        "limit-rps": rate[1],
        "limit-burst-multiplier": str(int(burst[1]) // int(rate[1])),
    }
    for name, value in named.items():
        assert annotations[f"nginx.ingress.kubernetes.io/{name}"] == value


def test_only_settings_that_there_are_are_set(compose: Any, kubernetes: dict[str, Any]) -> None:
    given = set(compose["services"]["worker-1"]["environment"])
    given |= set(kubernetes["ConfigMap"]["data"]) | set(kubernetes["Secret"]["stringData"])
    assert given <= SETTINGS | UVICORN
    assert "FLIPTABLE_MONGO_URL" not in kubernetes["ConfigMap"]["data"]  # it has a password


def test_the_manifests_belong_together(kubernetes: dict[str, Any]) -> None:
    deployment = kubernetes["Deployment"]["spec"]
    pod = deployment["template"]
    labels = pod["metadata"]["labels"]
    assert deployment["replicas"] >= 2
    for selector in (
        deployment["selector"]["matchLabels"],
        kubernetes["Service"]["spec"]["selector"],
        kubernetes["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()
    assert kubernetes["Service"]["spec"]["sessionAffinity"] == "None"
    (container,) = pod["spec"]["containers"]
    (port,) = container["ports"]
    assert port["containerPort"] == PORT and str(PORT) in container["args"]
    assert kubernetes["Service"]["spec"]["ports"][0]["targetPort"] == port["name"]
    sources = [next(iter(one.values()))["name"] for one in container["envFrom"]]
    assert sources == [kubernetes["ConfigMap"]["metadata"]["name"], kubernetes["Secret"]["metadata"]["name"]]
    (rule,) = kubernetes["Ingress"]["spec"]["rules"]
    backend = rule["http"]["paths"][0]["backend"]["service"]
    assert backend["name"] == kubernetes["Service"]["metadata"]["name"]
    assert rule["http"]["paths"][0]["path"] == "/graphql"
    annotations = kubernetes["Ingress"]["metadata"]["annotations"]
    assert int(annotations["nginx.ingress.kubernetes.io/proxy-read-timeout"]) >= 3600
    # The pause before the end, the server's own ten seconds, and some more.
    pause = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["spec"]["terminationGracePeriodSeconds"] > pause + 10


@pytest.mark.anyio
async def test_what_is_probed_is_there(kubernetes: dict[str, Any], registry: Registry) -> None:
    (container,) = kubernetes["Deployment"]["spec"]["template"]["spec"]["containers"]
    probes = {
        kind: container[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")
    }
    assert probes == {"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}
    async with local(registry) as server, httpx.AsyncClient() as client:
        for path in probes.values():
            assert (await client.get(server.base + path)).status_code == 200
