"""Everything outside of this machine, for a server that must ask nobody."""

import socket
import threading


class Outside:
    """What stands for it: the server's proxy, which counts who asks and answers nobody."""

    def __init__(self):
        self.asked = 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._count, daemon=True).start()

    @property
    def environment(self):
        """What a server must be started with."""
        address = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
        return {**dict.fromkeys(names, address), "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}

    def _count(self):
        while True:
            self.socket.accept()[0].close()
            self.asked += 1
