"""What the viewer refuses, and that no text of a root becomes code in a browser."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

import pytest

import roots
from lithify.memory import Memory
from lithify.web.security import POLICY
from viewer import NOW, Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAYLOADS = (
    (Path(__file__).parent / "fixtures" / "web" / "payloads.txt").read_text("utf-8").splitlines()
)


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = roots.make(tmp_path_factory.mktemp("security") / "root", roots.MARKED)
    Memory.open(root, clock=lambda: NOW).compact()
    return root


@pytest.fixture(scope="module")
def site(marked: Path) -> Iterator[Served]:
    with served(marked) as found:
        found.cookie = found.sign_in()
        yield found


def known(site: Served) -> dict[str, str]:
    """The fields of a form that would drop a memory."""
    page = site.ask("/memories", cookie=site.cookie).text
    fields = dict(re.findall(r'name="(form_token|id)" value="([^"]+)"', page))
    assert fields.keys() == {"form_token", "id"}
    return fields


def unchanged(site: Served) -> bool:
    return "restart the queue" in site.ask("/memories").text


# Who may ask


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:{port}@evil.example",
        "localhost.evil.example:{port}",
        "0.0.0.0:{port}",
        "[::1]:{port}",
        "2130706433:{port}",
        "",
        "127.0.0.1:{port}\nevil.example",
    ],
)
def test_a_foreign_host_is_refused_even_without_an_origin(site: Served, host: str) -> None:
    for path in ("/", "/memories", "/static/style.css", f"/open?token={site.session.token}x"):
        reply = site.ask(path, host=host.format(port=site.port))
        assert reply.status in (400, 421), path
        assert "restart" not in reply.text


def test_a_name_that_is_pointed_at_this_machine_reads_nothing(site: Served) -> None:
    # DNS rebinding: the page's own name leads here, so the browser thinks it is the same origin.
    name = f"rebound.evil.example:{site.port}"
    reply = site.ask("/memories", host=name, origin=f"http://{name}", sec_fetch_site="same-origin")
    assert reply.status == 421 and "restart" not in reply.text


def test_a_request_without_a_host_is_refused(site: Served) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=30) as raw:
        raw.sendall(b"GET /memories HTTP/1.0\r\n\r\n")
        answer = b"".join(iter(lambda: raw.recv(1 << 16), b""))
    assert answer.split()[1] in (b"400", b"421") and b"restart" not in answer


def test_it_listens_on_the_loopback_only(site: Served) -> None:
    from lithify.web.app import listen

    with listen(0) as at:
        assert at.getsockname()[0] == "127.0.0.1"


def test_other_pages_cannot_take_ours_in(site: Served) -> None:
    for mode in ("no-cors", "cors", "websocket"):
        reply = site.ask("/memories", sec_fetch_site="cross-site", sec_fetch_mode=mode)
        assert reply.status == 403
    # A link from elsewhere may be followed.
    assert site.ask("/", sec_fetch_site="cross-site", sec_fetch_mode="navigate").status == 200


def test_every_answer_carries_the_headers(site: Served) -> None:
    for path, status in (("/", 200), ("/nope", 404), ("/static/app.js", 200), ("/week/x", 404)):
        reply = site.ask(path)
        assert reply.status == status
        assert reply.headers["content-security-policy"] == POLICY
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["x-frame-options"] == "DENY"
        assert "public" not in reply.headers["cache-control"]
    assert "default-src 'none'" in POLICY and "frame-ancestors 'none'" in POLICY
    assert "unsafe" not in POLICY and "http" not in POLICY
    refused = site.ask("/", host="evil.example")
    assert refused.headers["content-security-policy"] == POLICY
    assert refused.headers["cache-control"] == "no-store"


def test_pages_have_no_inline_script_or_style(site: Served) -> None:
    for path in ("/", "/week/2026-W14", "/day/2026-04-02", "/wisdom", "/memories", "/review"):
        page = site.ask(path, cookie=site.cookie).text
        assert not re.search(r"<script(?! src=\"/static/)|<style|\sstyle=|\son[a-z]+=", page), path


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/day/..%2f..%2fx"])
def test_no_address_leads_out_of_the_pages(site: Served, path: str) -> None:
    assert site.ask(path).status == 404


# Who may change


def test_the_token_counts_once(marked: Path) -> None:
    with served(marked) as site:
        token = site.session.token
        assert site.ask("/open?token=wrong").status == 403
        first = site.ask(f"/open?token={token}")
        assert first.status == 303
        cookie = first.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=strict" in cookie
        again = site.ask(f"/open?token={token}")
        assert again.status == 403 and "set-cookie" not in again.headers
        assert site.ask("/open?token=").status == 403


def test_a_change_from_our_own_page_is_taken(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root", roots.MARKED)
    Memory.open(root, clock=lambda: NOW).compact()
    with served(root) as site:
        site.cookie = site.sign_in()
        # Browsers name no origin in forms of pages that send no referrer.
        for origin in (site.url, "null"):
            reply = site.change("/memories/drop", known(site), cookie=site.cookie, origin=origin)
            assert reply.status == 303
        assert site.ask("/memories").text.count('class="drop"') == 0
        assert "No memories yet" in site.ask("/memories").text


@pytest.mark.parametrize(
    ("headers", "fields"),
    [
        ({"cookie": ""}, {}),
        ({"cookie": "lithify_1=wrong"}, {}),
        ({}, {"form_token": ""}),
        ({}, {"form_token": "wrong"}),
        ({"origin": "https://evil.example"}, {}),
        ({"origin": "http://localhost:1"}, {}),
        ({"origin": "null", "sec_fetch_site": "cross-site"}, {}),
        ({"origin": "null", "sec_fetch_site": ""}, {}),
        ({"origin": "", "sec_fetch_site": ""}, {}),
        ({"sec_fetch_site": "cross-site"}, {}),
        ({"sec_fetch_site": "same-site"}, {}),
        ({"content_type": "text/plain"}, {}),
        ({"content_type": "application/json"}, {}),
        ({"content_type": "multipart/form-data; boundary=x"}, {}),
    ],
)
def test_a_change_that_lacks_something_is_refused(
    site: Served, headers: dict[str, str], fields: dict[str, str]
) -> None:
    form = {**known(site), **fields}
    reply = site.change("/memories/drop", form, **{"cookie": site.cookie, **headers})
    assert reply.status == 403
    assert unchanged(site)


def test_a_change_is_never_made_by_following_a_link(site: Served) -> None:
    form = urlencode(known(site))
    assert site.ask(f"/memories/drop?{form}", cookie=site.cookie).status in (404, 405)
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        reply = site.ask("/memories/drop", method, cookie=site.cookie, origin=site.url)
        assert reply.status == 405
    assert unchanged(site)


def test_a_form_of_another_page_changes_nothing(browser: Browser, site: Served) -> None:
    context = browser.new_context()
    name, _, value = site.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": site.url}])
    page = context.new_page()
    inputs = "".join(f"<input name='{key}' value='{text}'>" for key, text in known(site).items())
    form = f"<form method=post action='{site.url}/memories/drop'>{inputs}<button>go</button></form>"
    page.route(
        "http://other.test/", lambda route: route.fulfill(body=form, content_type="text/html")
    )
    page.goto("http://other.test/")
    with page.expect_response("**/memories/drop") as answer:
        page.get_by_role("button").click()
    assert answer.value.status == 403 and unchanged(site)
    framed = f"<iframe src='{site.url}/memories'></iframe>"
    page.route(
        "http://frame.test/", lambda route: route.fulfill(body=framed, content_type="text/html")
    )
    page.goto("http://frame.test/")
    assert "restart" not in page.frames[1].locator("html").inner_text()
    context.close()


def test_a_form_that_is_too_long_is_refused(site: Served) -> None:
    form = {**known(site), "statement": "x" * 100_000}
    assert site.change("/memories/edit", form, cookie=site.cookie).status == 403


# The command


def test_the_command_prints_a_token_only_on_a_terminal(marked: Path) -> None:
    command = [sys.executable, "-m", "lithify", "serve", "--port", "0", "--no-open", "--root"]
    with subprocess.Popen([*command, str(marked)], stdout=subprocess.PIPE, text=True) as piped:
        assert piped.stdout
        said = piped.stdout.readline() + piped.stdout.readline()
        piped.terminate()
        assert piped.wait(60) == 0
    assert "token" not in said and "only be read" in said

    leader, follower = pty.openpty()
    typed = subprocess.Popen(
        [*command, str(marked)], stdin=follower, stdout=follower, stderr=follower
    )
    os.close(follower)
    shown = b""
    while b"Ctrl-C" not in shown:
        shown += os.read(leader, 1 << 12)
    found = re.search(rb"http://127\.0\.0\.1:(\d+)(/open\?token=[\w-]+)", shown)
    assert found
    reply = Served(int(found[1]), None).ask(found[2].decode())  # type: ignore[arg-type]
    typed.send_signal(signal.SIGINT)
    assert typed.wait(60) == 130
    assert os.read(leader, 1 << 12).endswith(b"lithify: stopped\r\n")
    os.close(leader)
    assert reply.status == 303 and "set-cookie" in reply.headers


def test_a_port_in_use_is_named_with_what_to_do(marked: Path, site: Served) -> None:
    command = [sys.executable, "-m", "lithify", "serve", "--port", str(site.port)]
    done = subprocess.run(
        [*command, "--root", str(marked)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "--port" in done.stderr


# No text becomes code


def hostile_root(folder: Path) -> Path:
    """A root in which every text is a payload: days, headings, names, pages, memories, records."""
    every = "\n".join(f"- {text}\n" for text in PAYLOADS)
    headings = "\n".join(f"## {text}\n\nDecided: {text}\n" for text in PAYLOADS)
    table = "| a | b |\n|---|---|\n" + "\n".join(f"| {t} | x |" for t in PAYLOADS)
    rules = "\n".join(f"- Rule: never trust {text}" for text in PAYLOADS[::8])
    days = {"2026-04-01": every, "2026-04-02": headings, "2026-04-03": table, "2026-04-06": rules}
    root = roots.make(folder, days, "agent_name = '<img src=x onerror=alert(1)>'\n")
    memory = root / "memory"
    for number, text in enumerate(PAYLOADS[::5]):
        name = text.replace("/", "\u2215").encode()[:180].decode("utf-8", "ignore")
        (memory / f"2026-04-07-{number}-{name}.md").write_text(f"- In a file called {text}\n")
    (memory / "weekly").mkdir()
    bullets = "\n".join(f"- {text}" for text in PAYLOADS)
    front = f"---\ntype: weekly\nengine: {PAYLOADS[21]!r}\nkept: {PAYLOADS[36]!r}\n---\n"
    sections = "\n".join(f"### {text}\n- Under it. {text}" for text in PAYLOADS[::9])
    (memory / "weekly" / "2026-W13.md").write_text(f"{front}# Week\n\n{bullets}\n{sections}\n")
    for number, text in enumerate(PAYLOADS[::4]):
        (memory / f"feedback_{number}-note.md").write_text(
            f"---\nname: {json.dumps(text)}\ndescription: {json.dumps(text)}\ntype: feedback\n"
            f"updated: {json.dumps(text)}\n---\n{text}\n\n**Why:** {text}\n\n"
            f"**How to apply:** {text}\n\n## Superseded\n\n- {text}\n"
        )
    (root / "WISDOM.md").write_text(
        "# Wisdom\n\n" + "\n\n".join(f"**{text}**\n{text}" for text in PAYLOADS)
    )
    opened = Memory.open(root, clock=lambda: NOW)
    opened.compact()
    for text in PAYLOADS[::6]:
        opened.log(f"Rule: {text}", origin="web", at=NOW)
    for text in PAYLOADS[::25]:
        for who in ("Dana", "Marek"):
            opened.remember(f"invoices go to {who} {text}", type="feedback", origin="user")
        kept = opened.remember(f"never trust {text} again", origin="user")
        opened.memories.request("edit", kept.path, statement=text, reason=text, origin="web")
        kept = opened.remember(f"always trust {text}", origin="user")
        opened.memories.drop(kept.path, reason=text)
    opened.gate.focus("s", "hostile")
    for text in PAYLOADS:
        opened.gate.record("s", "prompt", text)
    held = {
        "task": PAYLOADS[0],
        "time": PAYLOADS[21],
        "engine": PAYLOADS[36],
        "reason": PAYLOADS[22],
        "refused": [{"text": text, "reasons": [text]} for text in PAYLOADS],
    }
    (root / ".lithify" / "quarantine").mkdir(exist_ok=True)
    (root / ".lithify" / "quarantine" / "x.json").write_text(json.dumps(held))
    return root


#: What in a page could run or fetch something: elements, handlers, addresses.
DANGERS = """() => [...document.querySelectorAll('*')].flatMap((one) => {
  const name = one.localName, found = [];
  const ours = one.matches('head > script[src="/static/app.js"], head > link, head > meta');
  if (!ours && ['script', 'style', 'link', 'meta', 'iframe', 'object', 'embed', 'img', 'image',
      'video', 'audio', 'source', 'base', 'frame', 'applet', 'math', 'foreignobject', 'use',
      'animate', 'set', 'template', 'marquee'].includes(name)) found.push(one.outerHTML);
  for (const { name: key, value } of one.attributes) {
    if (key.startsWith('on') || ['style', 'srcdoc', 'ping', 'formaction', 'background'].includes(key)
      || (['href', 'src', 'action', 'xlink:href'].includes(key)
          && !/^(?:https?:|mailto:|[/#])/i.test(value))
      || (key === 'href' && /^[/]{2}/.test(value)) || (key === 'src' && !value.startsWith('/static/')))
      found.push(`${key}=${value}`);
  }
  return found;
})"""


def test_no_text_of_a_root_becomes_code_or_a_request(browser: Browser, tmp_path: Path) -> None:
    assert len(PAYLOADS) >= 100
    root = hostile_root(tmp_path / "root")
    days = ("2026-04-01", "2026-04-02", "2026-04-03", "2026-04-06", "2026-04-07", "2026-04-20")
    pages = [
        *(f"/day/{day}" for day in days),
        *("/", "/timeline", "/week/2026-W13", "/week/2026-W14", "/month/2026-04"),
        *("/wisdom", "/memories", "/review", "/gate", "/gate/hostile"),
        *("/quarantine", "/cost", "/fleet", "/memories?show=gone", "/memories?show=conflicts"),
        *(f"/memory/{one.id}" for one in Memory.open(root).memories.gone()),
        *(f"/memory/{one.id}" for one in Memory.open(root).memories.list()[::12]),
        *(f"/recall?q={quote(text)}" for text in PAYLOADS[::16]),
        *(f"/memories?type={quote(PAYLOADS[17])}", f"/{quote(PAYLOADS[0])}"),
        *(f"/day/{quote(PAYLOADS[21], safe='')}", f"/?half={quote(PAYLOADS[17])}"),
    ]
    # Our own policy would stop most of it: it is switched off, so that the text alone is judged.
    context = browser.new_context(bypass_csp=True, viewport={"width": 1280, "height": 900})
    fired: list[str] = []
    with served(root) as site:
        name, _, value = site.sign_in().partition("=")
        context.add_cookies([{"name": name, "value": value, "url": site.url}])
        context.add_init_script(
            "for (const n of ['alert', 'msgbox']) window[n] = () => { throw n; }"
        )
        page = context.new_page()
        page.on("pageerror", lambda error: fired.append(str(error)))
        page.on(
            "request",
            lambda sent: None if sent.url.startswith(site.url) else fired.append(sent.url),
        )
        for path in pages:
            answer = page.goto(site.url + path)
            assert answer and answer.status in (200, 404), path
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            assert page.evaluate(DANGERS) == [], path
            assert fired == [], path
        shown = page.goto(f"{site.url}/day/2026-04-01") and page.locator("main").inner_text()
        assert shown and "<script>alert(1)</script>" in shown and "{{7*7}}" in shown
    context.close()
