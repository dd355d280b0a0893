"""tted people: the team is added, listed, given roles and links, and removed."""

import json
from urllib.parse import parse_qs, urlsplit

from tted_core.annotate.reviews import open_store
from tted_core.annotate.reviews.people import People, hashed


def test_a_team_from_its_first_lead_to_its_end(tted, monkeypatch):
    monkeypatch.setenv("TTED_URL", "https://tted.example/")
    status, out, err = tted("people", "add", "Lea", "--role", "lead")
    assert (status, err) == (0, "")
    said, link = out.splitlines()
    assert said.startswith("Lea (lead) comes in by this link")
    assert link.startswith("https://tted.example/Annotate?")
    token = parse_qs(urlsplit(link).query)["person"][0]
    assert len(token) == 43, "32 bytes"
    people = People(open_store().engine)
    assert people.of_token(hashed(token)).name == "Lea"
    new = json.loads(tted("people", "link", "LEA", "--url", "http://localhost:9", "--json")[1])
    assert new["link"].startswith("http://localhost:9/Annotate?")
    assert people.of_token(hashed(token)) is None
    anna = json.loads(tted("people", "add", "anna", "--email", "Anna@team.example", "--json")[1])
    expected = {"role": "reviewer", "email": "anna@team.example", "subject": None, "linked": False}
    assert anna == {"name": "anna", **expected}
    assert "logs in as s-1" in tted("people", "add", "Ria", "--role", "reader", "--subject", "s-1")[1]
    assert tted("people", "role", "ANNA", "reader")[1] == "anna is reader now\n"
    assert [each["name"] for each in json.loads(tted("people", "list", "--json")[1])["people"]] == [
        "anna",
        "Lea",
        "Ria",
    ]
    assert tted("people", "remove", "Anna")[1] == "anna has been removed from the team; the judgements stay\n"
    assert tted("people", "list")[1] == "Lea  lead  personal link\nRia  reader  s-1\n2 people\n"
    for wrong, message in (
        (("add", "lea"), "Lea is there already, as lead"),
        (("add", "Cem", "--role", "boss"), "choose from"),
        (("link", "Cem"), "there is nobody called 'Cem'"),
        (("role", "Ria"), "role"),
    ):
        status, out, err = tted("people", *wrong)
        assert (status, out) == (2, "")
        assert err.startswith("error: ")
        assert message in err
