"""A proxy that counts requests to other machines, for a server that must make none."""

import socket
import threading


class Outside:
    """A proxy that counts connections and closes them."""

    def __init__(self):
        self.requests = 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._count, daemon=True).start()

    @property
    def environment(self):
        """Environment variables for the server."""
        address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
        return {**dict.fromkeys(names, address), "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}

    def _count(self):
        while True:
            self.socket.accept()[0].close()
            self.requests += 1
