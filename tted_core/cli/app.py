"""tted app: open the application in a browser."""

import importlib
import os
import socket
import sys
from pathlib import Path

import tted_core
from tted_core.cli.shared import Options, argument, command, fail, number
from tted_core.errors import require

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


@command(
    argument("--port", type=number(1, 65535), metavar="N", help="port (default: 8501, or the next free one)"),
    argument("--address", help="0.0.0.0 also serves other machines (default: 127.0.0.1, only this machine)"),
    argument(
        "--host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name or IP address by which other machines reach the server; may be repeated",
    ),
    argument(
        "--downloads",
        choices=("on", "off"),
        help="let users download known models (default: on if only this machine is served)",
    ),
    argument("--no-browser", action="store_true", help="don't open a browser"),
    argument("--watch", action="store_true", help="reload a page when its code changes"),
)
def app_command(options: Options) -> str:
    """Serve until stopped. The other settings are those beside the page, in .streamlit/config.toml."""
    require("app")
    address = options.address or os.environ.get("STREAMLIT_SERVER_ADDRESS") or None
    if address in EVERYWHERE and not (options.host or os.environ.get("STREAMLIT_SERVER_ALLOWED_HOSTS")):
        fail(
            f"the address {address} serves other machines, which must call the server by a name that it knows; "
            "add --host NAME"
        )
    with socket.socket() as probe:
        if options.port and probe.connect_ex((THIS_MACHINE[1], options.port)) == 0:
            fail(
                f"port {options.port} is taken, perhaps by this application in another window; choose another: "
                f"--port {options.port + 1} (make app PORT={options.port + 1})"
            )
    local = address in (None, *THIS_MACHINE) and not options.host
    downloads = options.downloads or os.environ.get("TTED_DOWNLOADS") or ("on" if local else "off")
    os.environ["TTED_DOWNLOADS"] = downloads
    names = None
    if options.host or (options.address and not os.environ.get("STREAMLIT_SERVER_ALLOWED_HOSTS")):
        names = [*THIS_MACHINE, *({address} - {None, *EVERYWHERE}), *options.host]
    settings = {
        "server.port": options.port,
        "server.address": options.address,
        "server.allowedHosts": names,
        "server.headless": options.no_browser or None,
        "server.fileWatcherType": "auto" if options.watch else None,
    }
    page = first_page()
    sys.path.insert(0, str(page.parent))
    sys.argv = [str(page)]  # beside which Streamlit looks for its settings
    given = {name: value for name, value in settings.items() if value is not None}
    importlib.import_module("ui.server").serve(page, given)
    return ""


def first_page() -> Path:
    """The application's first page: installed in a folder beside this package, or in the repository around it."""
    around = Path(tted_core.__file__).resolve().parent.parent
    folders = (around / "tted_app", around)
    page = next((folder / "app.py" for folder in folders if (folder / "ui" / "page.py").is_file()), None)
    if page is None:
        fail(
            f"the application is not in {folders[0]}; install it with: pip install --force-reinstall "
            '".[app]" in a copy of the repository'
        )
    return page
