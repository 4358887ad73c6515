"""The guide's example for each framework, against the real package, over two processes.

What is not installed is skipped; `make integrations` installs each, the lowest and the newest version.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import roots

REPO = Path(__file__).parent.parent
#: The package of each framework, and the heading of its example.
FRAMEWORKS = {
    "langgraph": ("langchain", "LangGraph and LangChain"),
    "openai_agents": ("agents", "OpenAI Agents SDK"),
    "pydantic_ai": ("pydantic_ai", "Pydantic AI"),
    "llamaindex": ("llama_index.core", "LlamaIndex"),
}


def example(heading: str) -> str:
    page = (REPO / "docs/guides/frameworks.md").read_text("utf-8")
    found = re.search(rf"^## {heading}\n.*?^```python\n(.*?)^```", page, re.S | re.M)
    assert found
    return found[1]


def say(framework: str, folder: Path, said: str) -> str:
    """What the agent of the guide answers, in a process of its own."""
    code = folder / "example.py"
    code.write_text(example(FRAMEWORKS[framework][1]))
    command = [sys.executable, REPO / "tests" / "framework_models.py", framework, code, said]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


# Importing a framework three times takes minutes on a machine that does other work.
@pytest.mark.timeout(900)
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_an_agent_logs_remembers_and_recalls_over_two_processes(
    framework: str, tmp_path: Path
) -> None:
    pytest.importorskip(FRAMEWORKS[framework][0])
    (tmp_path / "made").mkdir()
    memory = roots.made(tmp_path / "made", roots.MARKED)
    (tmp_path / "agent").symlink_to(memory.root)
    assert len(example(FRAMEWORKS[framework][1]).splitlines()) <= 30
    say(framework, tmp_path, "The staging database moved to port 6543.")
    say(framework, tmp_path, "Remember: No deploys on Fridays.")
    answer = say(framework, tmp_path, "Which port has the staging database?")
    assert "6543" in answer and "[[data" in answer
    days = "".join(path.read_text() for path in (memory.root / "memory").glob("*.md"))
    assert "moved to port 6543" in days
    if framework != "llamaindex":  # a block has no tools
        assert "No deploys on Fridays." in {one.text for one in memory.memories.list()}
    if framework != "pydantic_ai":  # what was asked is logged, as the person's words
        (asked,) = [
            id for id, by in memory.snapshot().ledger.captures.origins.items() if by == "user"
        ][-1:]
        assert asked
    assert [problem for problem in memory.check() if problem.severity != "note"] == []
