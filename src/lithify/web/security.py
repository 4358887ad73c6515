"""Who may ask and who may change: hosts, origins, the session of a person, and headers.

The server listens on 127.0.0.1 only, but a browser on this machine also runs pages of others. Such a
page can send requests here, and with a name of its own that leads to 127.0.0.1 it could even read
the answers. So every request must name this server in `Host`, and a change needs three things that
such a page does not have: the cookie of a session, the token in the form, and an origin that is ours.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-DNS-Prefetch-Control": "off",
}
PRIVATE = "private, no-cache"


class BrowserSession:
    """The one person who may change things: whoever has the token that the terminal showed."""

    def __init__(self, *, changes: bool) -> None:
        self.changes = changes
        self.token = secrets.token_urlsafe(24) if changes else ""
        self._key = secrets.token_urlsafe(24)
        #: What every form that changes something carries.
        self.form_token = secrets.token_urlsafe(24)

    def exchange(self, token: str) -> str:
        """The value of the cookie for the token, which counts only once; empty for any other."""
        if not self.token or not _same(token, self.token):
            return ""
        self.token = ""
        return self._key

    def is_open(self, cookie: str | None) -> bool:
        """Whether a request comes from the person's browser."""
        return self.changes and _same(cookie or "", self._key)

    def is_form(self, token: str) -> bool:
        """Whether a form is one that we have shown."""
        return _same(token, self.form_token)


def _same(given: str, known: str) -> bool:
    return secrets.compare_digest(given.encode(), known.encode())


def cookie_name(port: int) -> str:
    """The name of the session's cookie; browsers share cookies between the ports of a host."""
    return f"lithify_{port}"


def cookies_of(headers: Headers) -> dict[str, str]:
    """The cookies of a request."""
    try:
        return {name: one.value for name, one in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def hosts_of(port: int) -> frozenset[str]:
    """The names that a request may have for this server."""
    names = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
    return frozenset(names | ({"127.0.0.1", "localhost"} if port == 80 else set()))


def is_ours(headers: Headers, hosts: Iterable[str]) -> bool:
    """Whether a change was sent by a page of this server.

    Our pages send no referrer, so browsers name their origin `null` in forms; that a form comes from
    this very origin is then said by `Sec-Fetch-Site`, which no page can set.
    """
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if site is not None and site != "same-origin":
        return False
    if origin in (None, "null"):
        return site == "same-origin"
    return origin in {f"http://{host}" for host in hosts}


def is_foreign_read(headers: Headers) -> bool:
    """Whether a page of another origin asks for one of ours to put it into itself."""
    return (
        headers.get("sec-fetch-site", "none") in ("cross-site", "same-site")
        and headers.get("sec-fetch-mode") != "navigate"
    )


class Guard:
    """Refuses requests that do not come from this machine's own pages; adds headers to all answers."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            # There are no web sockets here; closing refuses the handshake.
            await send({"type": "websocket.close", "code": 1008})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refusal(scope)
        await (refused or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            known = sorted(self._hosts)[0]
            return PlainTextResponse(f"Open http://{known}/ instead.\n", 421)
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("Only GET, HEAD and POST are answered.\n", 405)
        if scope["method"] == "POST" and not is_ours(headers, self._hosts):
            return PlainTextResponse("Changes are taken from our own pages only.\n", 403)
        if is_foreign_read(headers):
            return PlainTextResponse("Our pages are not parts of others.\n", 403)
        return None
