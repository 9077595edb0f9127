"""Who may ask, and what every answer says about itself.

A page of any other site that the user has open can send requests to this machine. So each one must
name this very server as its host (else a foreign name was pointed here), come from this server's own
page or from none, and what asks for data must show the token that only the printed link carries.
"""

from __future__ import annotations

import hmac
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..viewer import Problem

TOKEN_HEADER = "x-marotte-token"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}


class Guard:
    """Stands before the application and turns away what it must not see."""

    def __init__(self, app: ASGIApp, *, hosts: Collection[str], token: str) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"http://{host}" for host in hosts)
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            elif scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if "cache-control" not in headers:
                    headers["cache-control"] = "no-store"
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send_guarded)
        else:
            await _refuse(send_guarded, *refusal)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 421, "This server answers only to the address in the link that `marotte studio` printed."
        origin = headers.get("origin")
        site = headers.get("sec-fetch-site", "same-origin")
        if (origin is not None and origin not in self._origins) or site not in ("same-origin", "none"):
            return 403, "Another page may not ask this Studio for anything."
        if scope["path"].startswith("/api/"):
            given = headers.get(TOKEN_HEADER, "").encode()
            if not hmac.compare_digest(given, self._token):
                return 401, "Open the link that `marotte studio` printed: it carries the key to this Studio."
        return None


async def _refuse(send: Send, status: int, text: str) -> None:
    body = Problem(message=text).model_dump_json().encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
