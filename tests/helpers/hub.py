"""The Hugging Face hub on this machine: one model, whose weights are sent once a test says so."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(ThreadingHTTPServer):
    """Serve the files of a folder, and further ones, as the model with an id; in a context."""

    def __init__(self, model: str, folder: Path, further: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.model = model
        paths = (path for path in folder.rglob("*") if path.is_file())
        self.files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths} | further
        self.sent: list[str] = []
        self.asked_for_weights, self.may_send = threading.Event(), threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class _Answer(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self) -> None:
        name = self.path.partition("/resolve/")[2].partition("/")[2]
        known = name in self.server.files
        self.answer(200 if known else 404, self.server.files.get(name, b""))

    def do_GET(self) -> None:
        hub, path = self.server, self.path.partition("?")[0]
        if "/resolve/" in path:
            hub.sent.append(path.partition("/resolve/")[2].partition("/")[2])
            if path.endswith((".safetensors", ".bin")):
                hub.asked_for_weights.set()
                hub.may_send.wait(60)
            self.do_HEAD()
            return
        tree = [
            {"type": "file", "path": name, "size": len(content), "oid": name}
            for name, content in hub.files.items()
        ]
        info = {"id": hub.model, "sha": COMMIT, "siblings": [{"rfilename": name} for name in hub.files]}
        self.answer(200, json.dumps(tree if "/tree/" in path else info).encode())

    def answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{abs(hash(content))}"')
        self.send_header("X-Repo-Commit", COMMIT)
        if status == 404:
            self.send_header("X-Error-Code", "EntryNotFound")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""
