"""The application: addresses, pages, changes, and answers that browsers may keep."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import secrets
import socket
import time
import traceback
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from threading import Thread
from typing import Any, Literal
from urllib.parse import parse_qsl

import uvicorn
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from lithify.calendar import day_words
from lithify.errors import LithifyError, Locked, UnknownReference, UsageError
from lithify.memory import Memory
from lithify.web import markup, memories, periods, records, timeline, today, wisdom
from lithify.web.changes import CHANGES, ChangedMeanwhile, ChangeDone, carry_out
from lithify.web.security import PRIVATE, BrowserSession, Guard, cookie_name, cookies_of, hosts_of
from lithify.web.view import HtmlPage, PageRequest, View, ViewedRoot

PAGES: Mapping[str, Callable[[View, PageRequest], HtmlPage]] = {
    "/": today.today,
    "/timeline": timeline.timeline,
    "/week/{period}": periods.week,
    "/month/{period}": periods.month,
    "/day/{day}": periods.day,
    "/wisdom": wisdom.wisdom,
    "/memories": memories.memories_page,
    "/memory/{id}": memories.life,
    "/review": wisdom.review,
    "/recall": records.recall,
    "/gate": records.gate,
    "/gate/{job}": records.job,
    "/forget/{id}": periods.forget,
    "/quarantine": records.quarantine,
    "/cost": records.cost,
    "/fleet": records.fleet,
}
STATIC = {
    "style.css": "text/css; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
#: What can be taken away as a file: its form, and its kind for the browser.
EXPORTS: Mapping[str, tuple[Literal["book", "jsonl"], str]] = {
    "memory.md": ("book", "text/markdown; charset=utf-8"),
    "memory.jsonl": ("jsonl", "application/jsonl; charset=utf-8"),
}
#: The longest form that is read, and how many changes are told of once more on a reload.
MOST_FORM = 1 << 16
MOST_TOLD = 20
#: Pages that are told of changes at a time, and how often they look for them, in seconds.
MOST_LIVE, LOOK = 32, 0.25
#: How long a page waits for a root that is being read for the first time, in seconds.
FIRST_WAIT = 1.0
#: A visit ends with so many seconds in which the front page is not opened.
VISIT = 1800


class Viewer:
    """Answers requests about one root, one after the other: a search keeps its thread.

    Every address of its pages begins with `prefix`, which is empty where there is one root only;
    `roots` are all that are served, each with its prefix.
    """

    def __init__(
        self,
        root: ViewedRoot,
        session: BrowserSession,
        port: int,
        ends: Callable[[], bool],
        prefix: str = "",
        roots: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._root = root
        self._prefix, self._roots = prefix, roots
        self._session = session
        self._cookie = cookie_name(port)
        self._worker = ThreadPoolExecutor(1, "viewer")
        self._templates = _templates()
        #: What the newest changes did, by the word in the address that the browser was sent to.
        self._told: dict[str, ChangeDone] = {}
        #: The pages that are told of changes now, and whether the server is about to end.
        self._live, self._ends = 0, ends
        self._static = {
            name: files(__package__).joinpath("static", name).read_bytes() for name in STATIC
        }
        # Pages of another version of the program are not the same pages.
        own = repr([version("lithify"), session.form_token, *self._static.values()]).encode()
        self._version = hashlib.blake2b(own, digest_size=8).hexdigest()

    def routes(self) -> list[Route]:
        """Every address of the root."""
        answers: dict[str, Callable[[Request], Any]] = {
            **{path: self._page(show) for path, show in PAGES.items()},
            "/open": self.open,
            "/events": self._events,
            "/export/{form}": self._export,
            "/static/{name}": self._file,
        }
        found = [Route(f"{self._prefix}{p}", one, methods=["GET"]) for p, one in answers.items()]
        changes = {f"{self._prefix}{path}": self._change(path) for path in CHANGES}
        return found + [Route(path, one, methods=["POST"]) for path, one in changes.items()]

    def _path(self, request: Request) -> str:
        return request.url.path.removeprefix(self._prefix)

    async def _aside(self, call: Callable[[], Response]) -> Response:
        return await asyncio.get_running_loop().run_in_executor(self._worker, call)

    def _page(self, show: Callable[[View, PageRequest], HtmlPage]) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            return await self._aside(partial(self._answer, request, show))

        return endpoint

    def _answer(self, request: Request, show: Callable[[View, PageRequest], HtmlPage]) -> Response:
        since, visit = self._visit(request)
        query = dict(request.query_params)
        asked = PageRequest(self._path(request), request.path_params, query, since)
        try:
            view = self._root.view()
            if show is not periods.day and not self._root.is_read(FIRST_WAIT):
                page = today.reading(view, self._root.reading or (0, 0))
                headers = {"Cache-Control": "no-store", "Refresh": "1"}
                return self._rendered(request, asked, view, page, 200, headers)
            # Other pages depend on nothing but the root's files: their tag is known beforehand.
            tag = "" if asked.path.startswith("/gate") else self._tag(request, view)
            if tag and request.headers.get("if-none-match") == tag:
                return Response(status_code=304, headers=_keep(tag) | visit)
            page = show(view, asked)
            tag = tag or self._tag(request, view, page.extra)
            if request.headers.get("if-none-match") == tag:
                return Response(status_code=304, headers=_keep(tag))
            return self._rendered(request, asked, view, page, 200, _keep(tag) | visit)
        except LithifyError as error:
            return self._error(request, error.message, _status(error))
        except Exception:
            traceback.print_exc()
            return self._error(request, "This page could not be made; the terminal says why.", 500)

    def _tag(self, request: Request, view: View, extra: str = "") -> str:
        """The name of one answer: another one wherever the page could differ."""
        since, _ = self._visit(request)
        asked = (request.url.path, request.url.query, self._who(request), since, extra)
        state = (self._version, view.stamp, view.today, self._root.is_read(0))
        told = repr((state, asked)).encode()
        return f'"{hashlib.blake2b(told, digest_size=12).hexdigest()}"'

    def _visit(self, request: Request) -> tuple[float, dict[str, str]]:
        """When the visit before this one ended, and the cookie that knows it; for the front page."""
        if self._path(request) != "/":
            return 0, {}
        name = f"visit_{self._cookie}{self._prefix.replace('/', '_')}"
        known = [
            int(t) for t in cookies_of(request.headers).get(name, "").split(".") if t.isdigit()
        ]
        before, last = known if len(known) == 2 else (0, 0)
        now = int(time.time())
        before = last if now - last > VISIT else before
        value = f"{name}={before}.{now}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"
        return before, {"Set-Cookie": value}

    async def _events(self, request: Request) -> Response:
        """Tell a page each time the root has changed, until the browser leaves it."""
        if self._live >= MOST_LIVE:
            return Response("Too many pages are open.\n", 503, media_type="text/plain")
        return StreamingResponse(self._changes_of_root(), media_type="text/event-stream")

    async def _changes_of_root(self) -> AsyncIterator[str]:
        self._live += 1
        try:
            seen = self._root.pulse()
            yield "retry: 2000\n\n"
            while not self._ends():
                await asyncio.sleep(LOOK)
                now = self._root.pulse()
                if now != seen:
                    seen = now
                    yield "data: changed\n\n"
        finally:
            self._live -= 1

    def _who(self, request: Request) -> tuple[bool, str]:
        """Whether the person of the session asks, and the theme that was chosen."""
        cookies = cookies_of(request.headers)
        theme = cookies.get("theme", "")
        chosen = theme if theme in ("light", "dark") else ""
        return self._session.is_open(cookies.get(self._cookie)), chosen

    def _rendered(
        self,
        request: Request,
        asked: PageRequest,
        view: View | None,
        page: HtmlPage,
        status: int,
        headers: Mapping[str, str],
    ) -> Response:
        may_change, theme = self._who(request)
        told = {
            "title": page.title,
            "asked": asked,
            "view": view,
            "theme": theme,
            "may_change": may_change,
            "terminal": self._session.changes,
            "form_token": self._session.form_token if may_change else "",
            "waiting": len(view.review) if view and self._root.is_read(0) else 0,
            "name": view.memory.settings.agent_name if view else "",
            "root": self._root.place,
            "roots": self._roots,
            "prefix": self._prefix,
            "done": self._told.get(asked.query.get("done", "")),
            **page.facts,
        }
        html = self._templates.get_template(page.template).render(told)
        # Quotes in a root's text are escaped, so this meets only our own attributes.
        for name in ("href", "action", "src") if self._prefix else ():
            html = html.replace(f' {name}="/', f' {name}="{self._prefix}/')
        # Names of files may hold bytes that are no UTF-8.
        body = html.encode("utf-8", "replace")
        return Response(body, status, dict(headers), media_type="text/html")

    def _error(self, request: Request, message: str, status: int) -> Response:
        page = HtmlPage(
            "error.html", "Not here" if status == 404 else "Not done", {"message": message}
        )
        asked = PageRequest(self._path(request))
        return self._rendered(request, asked, None, page, status, {"Cache-Control": "no-store"})

    async def missing(self, request: Request, error: Exception) -> Response:
        """Answer what no page has as its address."""
        return self._error(request, "There is no page with this address.", 404)

    # Changes

    async def open(self, request: Request) -> Response:
        """Exchange the token of the terminal for a cookie."""
        key = self._session.exchange(request.query_params.get("token", ""))
        if not key:
            message = (
                "This link was used before, or is not of this server. To make changes, start "
                "`lithify serve` again and open the link it prints. You can read all pages here."
            )
            return self._error(request, message, 403)
        answer = RedirectResponse(f"{self._prefix}/", 303)
        answer.set_cookie(self._cookie, key, httponly=True, samesite="strict", path="/")
        return answer

    def _change(self, path: str) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            if not self._who(request)[0]:
                message = "Changes need the link that `lithify serve` prints on its terminal."
                return self._error(request, message, 403)
            form = await _form(request)
            if form is None or not self._session.is_form(form.get("form_token", "")):
                message = "This form is not of this server's pages. Open the page again and retry."
                return self._error(request, message, 403)
            return await self._aside(partial(self._carry_out, request, path, form))

        return endpoint

    def _carry_out(self, request: Request, path: str, form: Mapping[str, str]) -> Response:
        try:
            change: ChangeDone = carry_out(self._root.view().memory, path, form)
        except LithifyError as error:
            return self._error(request, error.message, _status(error))
        except KeyError as error:
            return self._error(request, f"The form has no {error}.", 400)
        except Exception:
            traceback.print_exc()
            return self._error(request, "This could not be done; the terminal says why.", 500)
        # The words of a root do not go into an address, which browsers keep.
        word = secrets.token_hex(8)
        self._told[word] = change
        for old in list(self._told)[:-MOST_TOLD]:
            del self._told[old]
        return RedirectResponse(
            f"{self._prefix}{change.href}{'&' if '?' in change.href else '?'}done={word}", 303
        )

    async def _export(self, request: Request) -> Response:
        """The whole memory as a file: a book in Markdown, or lines of JSON."""
        name = request.path_params["form"]
        if name not in EXPORTS:
            return await self.missing(request, KeyError(name))
        form, media_type = EXPORTS[name]

        def made() -> Response:
            lines = self._root.view().memory.export(form)
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            body = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
            return Response(body, headers=headers, media_type=media_type)

        return await self._aside(made)

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._static:
            return self._error(request, "There is no page with this address.", 404)
        tag = f'"{self._version}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=_keep(tag))
        return Response(self._static[name], headers=_keep(tag), media_type=STATIC[name])


def _keep(tag: str) -> dict[str, str]:
    return {"ETag": tag, "Cache-Control": PRIVATE, "Vary": "Cookie"}


def _status(error: LithifyError) -> int:
    if isinstance(error, UnknownReference):
        return 404
    return 409 if isinstance(error, Locked | ChangedMeanwhile) else 400


async def _form(request: Request) -> dict[str, str] | None:
    """The fields of a form; None for anything else."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        return None
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_FORM:
            return None
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("lithify.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "block": markup.block,
        "inline": markup.inline,
        "plain": markup.plain,
        "size": markup.size,
        "day_words": day_words,
    }
    found.globals |= {
        "counted": markup.counted,
        "page_of": periods.page_of,
        "address": periods.address,
    }
    return found


def application(
    roots: Sequence[ViewedRoot],
    session: BrowserSession,
    port: int,
    ends: Callable[[], bool] = lambda: False,
) -> ASGIApp:
    """Return the viewer of roots as it is served at a port; `ends` tells that the server is ending.

    One root has the plain addresses; of several each has its folder's name in front of them.
    """
    names = _names([os.path.basename(root.place) for root in roots])
    prefixes = [f"/at/{name}" if roots[1:] else "" for name in names]
    known = [*zip(names, prefixes, strict=True)]
    viewers = [
        Viewer(root, session, port, ends, prefix, known)
        for root, prefix in zip(roots, prefixes, strict=True)
    ]
    first, start = viewers[0], RedirectResponse(f"{prefixes[0]}/")
    routes = [route for one in viewers for route in one.routes()]
    if roots[1:]:
        routes += [Route("/", start), Route("/open", first.open, methods=["GET"])]
    missing = {404: first.missing, 405: first.missing}
    return Guard(Starlette(routes=routes, exception_handlers=missing), hosts_of(port))


def _names(folders: Sequence[str]) -> list[str]:
    """A name for each folder that can stand in an address, no two alike."""
    found: list[str] = []
    for number, folder in enumerate(folders, 1):
        name = re.sub(r"[^A-Za-z0-9_-]+", "-", folder).strip("-") or "root"
        found.append(f"{name}-{number}" if name in found else name)
    return found


# Serves the viewer on this machine until it is interrupted.

HOST = "127.0.0.1"


def listen(port: int) -> socket.socket:
    """A socket on this machine's own address; port 0 is any that is free."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        # A server that was stopped a moment ago keeps its port busy without this. On Windows it
        # would let two servers share a port.
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        # From here on a browser waits in the queue until the server answers.
        found.listen()
    except OSError as error:
        found.close()
        raise UsageError(
            reason=f"port {port} cannot be used ({error.strerror}); name another with --port, "
            "or 0 for any that is free"
        ) from None
    return found


def serve(
    opened: Sequence[Callable[[], Memory]], at: socket.socket, session: BrowserSession
) -> None:
    """Answer requests at a socket until Ctrl-C, and read the roots meanwhile."""
    port, roots = at.getsockname()[1], [*map(ViewedRoot, opened)]
    config = uvicorn.Config(
        application(roots, session, port, lambda: server.should_exit),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    for root in roots:
        root.begin()
        Thread(target=root.read_all, args=[lambda: server.should_exit], daemon=True).start()
    # uvicorn passes Ctrl-C and SIGTERM on when it has shut down.
    server.run(sockets=[at])
