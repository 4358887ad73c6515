"""The clients whose hooks we answer: what a client is, and one module for each.

The hook before each tool call loads this file and the module of one client, so both import only
what a call needs.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

Given = dict[str, Any]
HookEntries = dict[str, list[dict[str, Any]]]

#: Our events, by the names that Claude Code gives them.
EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact"),
    *("Stop", "SessionEnd"),
)

#: Clients cut what a hook says at this many characters.
LIMIT = 10_000


class Reply(NamedTuple):
    """The answer to an event: why a call is denied, what the agent and the person are told.

    With `ask` the client asks the person whether the call goes on. `first` is true as long as the session was not given the text to summarise with a denial.
    """

    deny: str = ""
    context: str = ""
    person: str = ""
    first: bool = False
    ask: str = ""


class Access(NamedTuple):
    """What a client should let through beside our hooks.

    `commands` are the beginnings of the shell commands that hand in summaries and pages; `server` are the words
    that start our MCP server, empty where its extra is not installed; `listed` says whether the
    server stands in a file of the project.
    """

    commands: tuple[str, ...]
    server: tuple[str, ...] = ()
    listed: bool = False


def claude_call(session: str, cwd: str, tool: str, given: Given) -> Given:
    """Return a trial tool call in the form of Claude Code, which most clients share."""
    event = {"cwd": cwd, "hook_event_name": "PreToolUse", "tool_name": tool}
    return {"session_id": session, **event, "tool_input": given, "tool_use_id": "trial-1"}


def claude_denied(said: Given) -> object:
    """Return the reason in a denial in the form of Claude Code; nothing where the call goes on."""
    out = said.get("hookSpecificOutput", {})
    return out.get("permissionDecision") == "deny" and out.get("permissionDecisionReason")


class Injected(NamedTuple):
    """What a client puts into prompts.

    An element `<name …>…</name>` is given by its name, or by its name and first attribute
    (`event kind=`) where the name alone is too common.
    """

    #: Elements that are sent as a prompt of their own. They hold what tools and agents returned, so
    #: only the last closing tag ends one: a result that holds such a tag cannot speak as the person.
    notices: tuple[str, ...] = ()
    #: Elements that stand before or behind the person's words.
    wrappers: tuple[str, ...] = ()
    #: Elements that hold the person's words.
    spoken: tuple[str, ...] = ()
    #: Texts that stand before the person's words.
    notes: tuple[str, ...] = ()
    #: How lines begin that stand before the person's words.
    lines: tuple[str, ...] = ()
    #: How lines begin that count as the client's only behind another piece of it.
    followers: tuple[str, ...] = ()
    #: How a preface begins, and what ends it.
    prefaces: tuple[tuple[str, str], ...] = ()


class Client(NamedTuple):
    """One client: how it speaks, and where its hooks stand."""

    name: str
    #: Its option of `lithify init`.
    flag: str
    title: str
    #: Our event for each of its own.
    events: Mapping[str, str]
    #: Turns what it sends at an event into the form of Claude Code, tools named as they are there.
    read: Callable[[str, Given], Given]
    #: Turns a reply to an event into what it reads on standard output.
    write: Callable[[str, Reply], str]
    #: The file of its hooks in a project.
    project: str
    #: The variable that names its folder, the folder if that is not set, the file in the folder.
    user: tuple[str, str, str]
    #: The hooks to install, from the command line of each event and the setting `on_stuck`.
    entries: Callable[[Callable[[str], str], str], HookEntries]
    #: What a person still has to do after the hooks are installed.
    then: str = "It takes effect with the next session."
    #: The file in a project that is not shared with others.
    local: str = ""
    #: What its file must hold besides the hooks.
    base: Mapping[str, Any] = {}
    #: Whether the file is a program of ours instead of settings that others share.
    program: bool = False
    #: Whether what we answer to a prompt reaches the agent as it is. If not, the first denial of a
    #: session holds the text to summarise.
    hands_over: bool = True
    #: Whether what we answer to a tool call reaches the agent before it. If not, the call is held once.
    hears_call: bool = True
    #: Whether a hook can have it ask the person about a call. If not, such a call is refused.
    asks: bool = True
    #: The name its MCP client gives itself, by which its server of ours is known.
    mcp_client: str = ""
    #: Variables that only the shell commands of its agent have.
    shell_variables: tuple[str, ...] = ()
    #: What it puts into prompts that is not the person's.
    injected: Injected = Injected()
    #: What a hook prints when it has nothing to say, where silence may count as a failure.
    silence: str = ""
    #: What a hook prints to tell the person that it did not start.
    warning: Callable[[str], dict[str, str]] = lambda text: {"systemMessage": text}
    #: Its event before every tool call.
    guard: str = "PreToolUse"
    #: Its tools that read a file and run a shell command, which a trial calls.
    trial_tools: tuple[str, str] = ("Read", "Bash")
    #: A trial call in its form: session, folder, tool and what the tool is given.
    trial_call: Callable[[str, str, str, Given], Given] = claude_call
    #: The reason in what its hook answered; empty or false where the call goes on.
    denied: Callable[[Given], object] = claude_denied
    #: What stands in the file of the hooks beside them: permissions, or our MCP server.
    access: Callable[[Access], dict[str, Any]] = lambda access: {}
    #: The files of its MCP servers, by scope: in the project, or in the person's folder.
    server_files: Mapping[str, str] = {}
    #: The command that registers an MCP server where no file of ours can, without its words.
    add_server: Mapping[str, str] = {}
    #: A file that others write and that lists our server for a project; empty where none does.
    server_list: Callable[[str], str] = lambda project: ""
    #: What a person has to do before it runs the hooks of a file; empty where it runs them. It is
    #: asked with the scope and the path of the file and the project.
    untrusted: Callable[[str, str, str], str] = lambda scope, path, project: ""

    @property
    def option(self) -> str:
        """Name it as an option of `lithify init`."""
        return f"--{self.flag}" if self.name in NAMES else f"--client {self.name}"


#: The built-in clients, each a module of this package.
NAMES = ("claude", "codex", "gemini", "cursor", "copilot", "opencode")


def client_of(name: str) -> Client:
    """Return the client of a name: a built-in one, else one that an installed package offers.

    Only its module is loaded, and entry points are read only for a name that is not built in.
    """
    if name in NAMES:
        found: Client = import_module(f"{__name__}.{name}").CLIENT
        return found
    from lithify.errors import UsageError
    from lithify.plugins import offered

    other = offered("clients", name)
    if other is None:
        raise UsageError(reason=f"{name!r} is not a harness; there are {', '.join(NAMES)}")
    if not isinstance(other, Client):
        raise UsageError(reason=f"what is offered as the client {name!r} is no Client")
    # The name that a person asked for stands in the command lines of its hooks.
    return other._replace(name=name)


def all_clients() -> tuple[Client, ...]:
    """Return the built-in clients."""
    return tuple(map(client_of, NAMES))
