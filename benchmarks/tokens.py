"""How far the token estimate is from real vocabularies, by the kind of text.

    python benchmarks/tokens.py

Two common vocabularies, counted by rs-bpe. Prose, code and tables are this repository's own;
the CJK sentences stand below; base64 is of seeded random bytes.
"""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from lithify.text.tokens import estimate

ROOT = Path(__file__).resolve().parent.parent
VOCABULARIES = ("cl100k_base", "o200k_base")

CJK = {
    "Chinese": "我们决定把发布推迟到四月九日，因为承运商的沙盒环境停机了两天。普里娅要求在客户看到之前，"
    "先和仓库团队演练一次。登录改用令牌，旧的会话表在迁移完成后删除，预算仍是四十二万元。",
    "Japanese": "公開は四月九日に延期することにした。配送業者の試験環境が二日間止まっていたためだ。"
    "プリヤさんは、お客様に見せる前に倉庫のチームと一度リハーサルをするように求めている。",
    "Korean": "출시를 사월 구일로 미루기로 했다. 운송사의 시험 환경이 이틀 동안 멈춰 있었기 때문이다. "
    "고객이 보기 전에 창고 팀과 한 번 연습하자는 요청이 있었고 예산은 그대로 두기로 했다.",
}


class Measured(NamedTuple):
    """One kind of text: its true count, and by which share the estimate differs."""

    kind: str
    vocabulary: str
    tokens: int
    error: float


def corpus() -> dict[str, str]:
    """A text of each kind."""
    pages = [path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md"))]
    days = sorted((ROOT / "examples" / "sample" / "memory").glob("*.md"))
    code = sorted((ROOT / "src" / "lithify" / "store").glob("*.py"))
    lines = [line for page in pages for line in page.splitlines()]
    text = re.sub(r"```.*?```", "", "\n".join(pages), flags=re.DOTALL)
    prose = [line for line in text.splitlines() if re.match(r"[A-Za-z]", line)]
    return {
        "English prose": "\n".join(prose),
        "English, an agent's days": "\n".join(path.read_text("utf-8") for path in days),
        "code": "\n".join(path.read_text("utf-8") for path in code),
        "Markdown tables": "\n".join(line for line in lines if line.startswith("|")),
        "base64": base64.b64encode(random.Random(7).randbytes(6000)).decode(),
        **{f"CJK, {name}": text for name, text in CJK.items()},
    }


def counter(vocabulary: str) -> Callable[[str], int]:
    """What counts a text's tokens in a vocabulary."""
    from rs_bpe.bpe import openai

    count: Callable[[str], int] = getattr(openai, vocabulary)().count
    return count


def measured() -> Iterator[Measured]:
    """The estimate's error on each kind, in each vocabulary."""
    for vocabulary in VOCABULARIES:
        count = counter(vocabulary)
        for kind, text in corpus().items():
            true = count(text)
            yield Measured(kind, vocabulary, true, estimate(text) / true - 1)


def main() -> None:
    found = list(measured())
    print(f"error of the token estimate{'':4}" + "".join(f"{name:>14}" for name in VOCABULARIES))
    for kind in corpus():
        errors = [one.error for one in found if one.kind == kind]
        print(f"  {kind:28} " + "".join(f"{error:>+14.1%}" for error in errors))


if __name__ == "__main__":
    main()
