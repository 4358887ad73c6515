"""The clients, one module each: how it is installed, pointed at the model, trusted and driven."""

from __future__ import annotations

from live.clients.base import Client
from live.clients.claude import Claude, ClaudePlugin
from live.clients.codex import Codex
from live.clients.copilot import Copilot
from live.clients.gemini import Gemini
from live.clients.opencode import OpenCode

CLIENTS: tuple[type[Client], ...] = (Claude, ClaudePlugin, Codex, Gemini, OpenCode, Copilot)
