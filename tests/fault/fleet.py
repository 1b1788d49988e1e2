"""Several real `assent serve` processes behind a real nginx with the configuration that we ship.

The processes have the bank's tools: as any plugin, through an entry point.
"""

import os
import re
import shutil
import signal
import ssl
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from assent.testing import Client
from tests.bank.desk import MANY
from tests.contract.source import ROOT
from tests.fault.ports import find_free_port, wait_for_port
from tests.fault.run_process import LEASE_SECONDS, SETTINGS
from tests.fault.server_process import ServerProcess

CONFIGURATION = ROOT / "deploy" / "nginx.conf"
MAIN = """
{user}
daemon off;
worker_processes 2;
pid {folder}/nginx.pid;
error_log {folder}/error.log info;
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/assent.conf;
}}
"""
DRAIN_SECONDS = 6


def find_nginx() -> str:
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        assert "CI" not in os.environ, "nginx is not installed: see scripts/proxies.sh"
        pytest.skip("nginx is not installed: sudo apt-get install nginx")
    return found


@dataclass(slots=True)
class Fleet:
    """Server processes by port; each can be ended and started again."""

    folder: Path
    environment: dict[str, str]
    ports: list[int]
    processes: dict[int, ServerProcess] = field(default_factory=dict[int, ServerProcess])
    workers: list[ServerProcess] = field(default_factory=list[ServerProcess])

    def add_worker(self) -> ServerProcess:
        started = ServerProcess("worker", folder=self.folder, **self.environment)
        self.workers.append(started)
        started.wait_for("Working")
        return started

    def start(self, port: int) -> ServerProcess:
        started = ServerProcess(
            "serve", "--port", str(port), folder=self.folder, **self.environment
        )
        self.processes[port] = started
        return started

    def wait_ready(self) -> None:
        for process in self.processes.values():
            process.wait_ready()

    def end(self, how: signal.Signals) -> None:
        for process in (*self.processes.values(), *self.workers):
            process.end(how)


@contextmanager
def run_fleet(database_url: str, folder: Path, count: int, **more: str) -> Generator[Fleet]:
    install_bank(folder)
    environment = {
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "src"), str(ROOT)]),
        "DATABASE_URL": database_url,
        "ASSENT_MASTER_KEY": SETTINGS["master_key"],
        "ASSENT_TOOL_CALLS": str(MANY),
        "ASSENT_LEASE_SECONDS": str(LEASE_SECONDS),
        "ASSENT_SHUTDOWN_SECONDS": "1",
        "ASSENT_DRAIN_SECONDS": str(DRAIN_SECONDS),
        **more,
    }
    fleet = Fleet(folder, environment, [find_free_port() for _ in range(count)])
    try:
        for port in fleet.ports:
            fleet.start(port)
        fleet.wait_ready()
        yield fleet
    finally:
        fleet.end(signal.SIGKILL)


def install_bank(folder: Path) -> None:
    """What installing a package with that plugin leaves behind."""
    package = folder / "bank_for_tests-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: bank-for-tests\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[assent.plugins]\nbank = tests.bank:plugin\n")


@dataclass(frozen=True, slots=True)
class Proxy:
    url: str
    plain_url: str
    folder: Path
    trust: ssl.SSLContext

    def open_client(self, cookies: dict[str, str] | None = None) -> Client:
        return Client(self.url, verify=self.trust, cookies=cookies)

    def list_answers(self, path: str) -> list[int]:
        """Ports of the processes that answered at paths like this, as nginx has logged them."""
        pattern = re.compile(rf'"[A-Z]+ {path}" 2\d\d \S+ (?:\S+, )*127.0.0.1:(\d+) ')
        return [int(port) for port in pattern.findall((self.folder / "access.log").read_text())]


@contextmanager
def run_nginx(ports: list[int], folder: Path) -> Generator[Proxy]:
    """Our configuration as it is, but for ports, paths and processes."""
    program = find_nginx()
    folder.mkdir()
    trust = make_certificate(folder)
    secure, plain = find_free_port(), find_free_port()
    text = CONFIGURATION.read_text()
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{secure} ssl"),
        ("/etc/ssl/assent/", f"{folder}/"),
        ("/var/log/nginx/assent.log", f"{folder}/access.log"),
        *((f"127.0.0.1:870{nth}", f"127.0.0.1:{port}") for nth, port in enumerate(ports, 1)),
    ):
        assert old in text, old
        text = text.replace(old, new)
    user = "" if os.geteuid() else "user root;"
    (folder / "assent.conf").write_text(text)
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, user=user))
    with (folder / "output").open("wb") as output:
        command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        process = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        wait_for_port(secure, process)
        url = f"https://127.0.0.1:{secure}"
        yield Proxy(url, f"http://127.0.0.1:{plain}", folder, trust)
    finally:
        process.terminate()
        process.wait(20)


def make_certificate(folder: Path) -> ssl.SSLContext:
    """A certificate for this machine, signed by itself, and the context that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    address = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(address, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
