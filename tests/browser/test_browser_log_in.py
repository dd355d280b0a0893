"""Who comes in, in a real browser: by an OpenID Connect provider, a process of its own, or by a personal link."""

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from helpers.browser import IN_BROWSER, PATIENCE, browser, chromium, free_port
from helpers.paths import ROOT
from playwright.sync_api import Browser, Page, expect
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from benchmarks.server import served
from tted_core.annotate.reviews import Judgement, open_store
from tted_core.annotate.reviews.people import People
from tted_core.cli.people import link_of
from tted_core.tree import TextTree

__all__ = ["browser", "chromium"]
pytestmark = [*IN_BROWSER, pytest.mark.thorough]

TREE = TextTree(("Reefs", "Polyps build them", "Algae feed the polyps"), (-1, 0, 0))
CLAIMS = (
    {"sub": "s-lea", "email": "Lea@team.example", "email_verified": True},
    {"sub": "s-anna", "email": "another@team.example"},
    {"sub": "s-false", "email": "lea@team.example", "email_verified": False},
    {"sub": "s-silent", "email": "lea@team.example"},
    {"sub": "s-eve", "email": "eve@elsewhere.example"},
)


@contextmanager
def provider() -> Iterator[str]:
    """A provider of log-ins as a process of its own: its address."""
    port = free_port()
    users = [option for each in CLAIMS for option in ("--user-claims", json.dumps(each))]
    command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), *users]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            while True:
                assert process.poll() is None, "the provider ended"
                try:
                    with urllib.request.urlopen(f"{address}/.well-known/openid-configuration", timeout=10):
                        break
                except OSError:
                    continue
            yield address
        finally:
            process.terminate()


@pytest.fixture
def team(tmp_path, monkeypatch):
    """The people behind a database with one review."""
    monkeypatch.setenv("TTED_DATABASE", str(tmp_path / "reviews.sqlite"))
    monkeypatch.setenv("TTED_CACHE", str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    store = open_store()
    store.save(store.open_task("polders", TREE, TREE), Judgement("Ben", 1, 1, "accept"))
    return People(store.engine)


@contextmanager
def visit(browser: Browser, *cookies: Any) -> Iterator[Page]:
    """A visitor's own browser, which reaches this machine only."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE)
    context.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), lambda route: route.abort())
    context.add_cookies(cookies)
    yield context.new_page()
    context.close()


def log_in(page: Page, server: str, subject: str) -> None:
    """By the button of the page, and the provider's form."""
    page.goto(f"{server}/Annotate?tab=review")
    page.get_by_role("button", name="Log in").click()
    page.get_by_placeholder("sub").fill(subject)
    page.get_by_role("button", name="Authorize").click()
    page.wait_for_url(f"{server}/Annotate?tab=review**")  # back where the log-in was asked for


def test_a_provider_says_who_comes_in_and_the_table_what_they_may(browser, team, tmp_path):
    with provider() as ours, provider() as foreign:
        secrets = tmp_path / "secrets.toml"
        secrets.write_text(
            f"""[auth]
            redirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"
            cookie_secret = "a secret of this server, of 32 bytes and more"
            client_id = "tted"
            client_secret = "secret"
            server_metadata_url = "{ours}/.well-known/openid-configuration"
            """,
            encoding="utf-8",
        )
        team.add("Lea", "lead", email="lea@team.example")
        team.add("Anna", subject="s-anna")
        with served(ROOT, "--secrets.files", str(secrets)) as (server, _):
            # Whoever the provider knows and the table doesn't is told whom to ask, and sees no review.
            for stranger in ("s-eve", "s-false", "s-silent"):
                with visit(browser) as page:
                    log_in(page, server, stranger)
                    expect(page.get_by_text("You are not in this team: ask its lead")).to_be_visible()
                    expect(page.get_by_text("polders")).to_have_count(0)
            with visit(browser) as page:
                log_in(page, server, "s-lea")
                expect(page.get_by_text("Signed in as Lea, lead.")).to_be_visible()
                expect(page.get_by_text("Nothing is assigned to Lea yet")).to_be_visible()
                expect(page.get_by_label("Your name")).to_have_count(0)
                page.get_by_role("tab", name="Study").click()
                expect(page.get_by_role("button", name="export and import")).to_be_visible()
            with visit(browser) as page:
                log_in(page, server, "s-anna")
                expect(page.get_by_text("Signed in as Anna, reviewer.")).to_be_visible()
                expect(page.get_by_text("Nothing is assigned to Anna yet")).to_be_visible()
                expect(page.get_by_label("Your name")).to_have_count(0)
                expect(page.get_by_role("tab")).to_have_count(
                    0
                )  # a reviewer has nothing to do here but to judge
                team.change_role("Anna", "reader")
                page.get_by_text("A sample, to practise").click()
                expect(page.get_by_text("You are a reader")).to_be_visible()
                page.get_by_role("button", name="Sign out").click()
                page.wait_for_url(lambda url: "Annotate" not in url)
                page.goto(f"{server}/Annotate?tab=review")
                expect(page.get_by_role("button", name="Log in")).to_be_visible()
                # Another provider's code for Lea, brought with our own state, is no log-in.
                page.get_by_role("button", name="Log in").click()
                page.wait_for_url(f"{ours}/**")
                asked = page.url.replace(ours, foreign)
                page.goto(asked)
                page.get_by_placeholder("sub").fill("s-lea")
                page.get_by_role("button", name="Authorize").click()
                page.wait_for_url(f"{server}/**")
                page.goto(f"{server}/Annotate?tab=review")
                expect(page.get_by_role("button", name="Log in")).to_be_visible()
            # Nor is a cookie that another secret has signed.
            claims = {
                "is_logged_in": True,
                "origin": server,
                "provider": "default",
                "email": "lea@team.example",
            }
            forged = create_signed_value("another secret", "_streamlit_user", json.dumps(claims)).decode()
            with visit(browser, {"name": "_streamlit_user", "value": forged, "url": server}) as page:
                page.goto(f"{server}/Annotate?tab=review")
                expect(page.get_by_role("button", name="Log in")).to_be_visible()


def test_a_personal_link_lets_in_until_there_is_a_new_one(browser, team):
    team.add("Anna")
    token = team.new_link("Anna")
    with served(ROOT) as (server, _), visit(browser) as page:
        page.goto(f"{server}/Annotate?tab=review")
        expect(page.get_by_text("open the personal link that your lead gave you")).to_be_visible()
        page.goto(link_of(server, f"{token[:-1]}{'A' if token[-1] != 'A' else 'B'}"))
        expect(page.get_by_text("is no personal link of the team")).to_be_visible()
        page.goto(link_of(server, token))
        expect(page.get_by_text("Signed in as Anna, reviewer.")).to_be_visible()
        assert "person" not in page.url
        page.wait_for_function("document.cookie.includes('tted_person=')")
        page.goto(f"{server}/Annotate?tab=review")  # a reload: the browser has kept it
        expect(page.get_by_text("Signed in as Anna, reviewer.")).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_text("open the personal link that your lead gave you")).to_be_visible()
        page.wait_for_function("!document.cookie.includes('tted_person=')")
        page.goto(f"{server}/Annotate?tab=review")
        expect(page.get_by_text("open the personal link that your lead gave you")).to_be_visible()
        page.goto(link_of(server, token))
        expect(page.get_by_text("Nothing is assigned to Anna yet")).to_be_visible()
        team.new_link("Anna")
        page.get_by_text("A sample, to practise").click()
        expect(page.get_by_text("is no personal link of the team")).to_be_visible()
        page.goto(f"{server}/Annotate?tab=review")
        expect(page.get_by_text("open the personal link that your lead gave you")).to_be_visible()
