"""Servers on the loopback interface and on sockets, for weak graders that have one in reach."""

import contextlib
import http.server
import socketserver
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

Answer = Callable[[bytes], bytes]
"""From what a client has sent to what it gets."""


@contextlib.contextmanager
def _threaded(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def http_server(answer: Answer) -> Iterator[str]:
    """Serve HTTP; ``answer`` gets `METHOD PATH BODY`. Yields the address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def _reply(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            data = answer(f"{self.command} {self.path} ".encode() + body)
            self.send_response(200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = _reply  # noqa: N815  # the base class's names

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class's name
            """Stay silent."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    with _threaded(server):
        yield f"http://127.0.0.1:{server.server_address[1]}"


@contextlib.contextmanager
def datagram_server(answer: Answer) -> Iterator[int]:
    """Serve datagrams, as a name server does. Yields the port."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            data, sock = self.request
            sock.sendto(answer(data), self.client_address)

    server = socketserver.UDPServer(("127.0.0.1", 0), Handler)
    with _threaded(server):
        yield int(server.server_address[1])


@contextlib.contextmanager
def unix_server(path: Path | str, answer: Answer) -> Iterator[None]:
    """Serve one line a connection on a socket file, or on an abstract name (starts with a null)."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            data = answer(self.rfile.readline())
            with contextlib.suppress(OSError):  # whoever asked may be gone
                self.wfile.write(data)

    with _threaded(socketserver.UnixStreamServer(str(path), Handler)):
        yield
