"""Roots of other kinds than the sample: code, Chinese, German, tables, short chatty days."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import date, timedelta

_PARTS = (
    "parser",
    "scheduler",
    "invoice export",
    "login form",
    "retry queue",
    "cache layer",
    "upload worker",
    "search index",
)
_PEOPLE = ("Priya", "Tomasz", "Ines", "Marta", "Yuki")
_CODE = """```python
def {name}(rows: list[dict[str, int]], *, limit: int = {n}) -> int:
    total = 0
    for index, row in enumerate(rows):
        if row.get("status_code", 0) >= {m} or index > limit:
            raise ValueError(f"row {{index}} of {name} has status {{row['status_code']}}")
        total += row["amount_cents"] * {k}
    return total
```"""
_CODED = (
    "Decided to keep `{name}()` in `src/jobs/{name}.py` because the copy in `legacy/` drops rows.",
    "Shipped v2.{n}.{k}: `{name}` now takes `limit={n}` and returns cents, commit 9f3a{m}b.",
    "Blocked: `pytest tests/test_{name}.py::test_limit_{n}` fails with `ValueError: row {m}`.",
    "Benchmarked `{name}` with {m} rows: {n}.{k} ms a call, {k} % of it in `enumerate`.",
    "Never call `{name}` with `limit=None`: it reads the whole table and locks it.",
)
_CHINESE = (
    "决定把{what}放到夜里运行, 因为白天经常超时, 客户已经抱怨了{n}次.",
    "发布了2.{n}.{k}版本, {what}现在每分钟可以处理{m}行数据, 比上周快了很多.",
    "测试环境的证书已经过期, 需要等运维同事更新以后才能继续部署{what}.",
    "和产品经理讨论了{what}的新界面, 大家同意先做最简单的版本, 下个月再看反馈.",
    "不要手动重启{what}, 否则正在运行的{n}个任务会全部丢失.",
)
_THINGS = ("发票导出", "登录页面", "重试队列", "搜索索引", "上传服务")
_GERMAN = (
    "Entschieden, den {what} nachts laufen zu lassen, weil er tagsüber nach {n} Sekunden abbricht.",
    "Version 2.{n}.{k} ausgeliefert; {who} hat die Änderungen am {what} abgenommen.",
    "Blockiert: Das Zertifikat der Testumgebung ist abgelaufen, {who} muss es erneuern.",
    "Der {what} verarbeitet jetzt {m} Zeilen in der Minute, vorher waren es {n}.",
    "Mit {who} über die Rechnungsvorlagen gesprochen, nächste Woche wird weiter überlegt.",
    "Niemals den {what} von Hand neu starten: laufende Aufträge gehen dabei verloren.",
)
_DINGE = ("Rechnungsexport", "Anmeldedialog", "Suchindex", "Zwischenspeicher", "Hochladedienst")
_CHAT = (
    "ok so {who} says the {what} is fine now",
    "lunch with {who}, talked about nothing much",
    "fixed the {what}!! took {n} min",
    "{who} wants the {what} by friday, told her {n} days",
    "still waiting on {who} re {what}",
    "decided: no more {what} changes before the demo",
)


def code(days: int = 30, seed: int = 1) -> dict[str, str]:
    """Days full of identifiers, paths, versions and code blocks."""
    dice = random.Random(seed)
    return _dated(days, lambda: _code_day(dice))


def chinese(days: int = 30, seed: int = 2) -> dict[str, str]:
    """Days in Chinese."""
    dice = random.Random(seed)
    return _dated(days, lambda: _listed(dice, _CHINESE, dice.randint(5, 9)))


def german(days: int = 25, seed: int = 4) -> dict[str, str]:
    """Days in German prose."""
    dice = random.Random(seed)
    return _dated(days, lambda: _listed(dice, _GERMAN, dice.randint(6, 10)))


def tables(days: int = 25, seed: int = 5) -> dict[str, str]:
    """Days of figures in tables, with a line or two around them."""
    dice = random.Random(seed)
    return _dated(days, lambda: _table_day(dice))


def chatty(days: int = 40, seed: int = 3) -> dict[str, str]:
    """A few careless lines a day, no headings."""
    dice = random.Random(seed)
    return _dated(days, lambda: _listed(dice, _CHAT, dice.randint(2, 4)))


def _dated(days: int, make: Callable[[], str]) -> dict[str, str]:
    first = date(2026, 1, 5)
    # Weekdays only, as people work.
    found = [first + timedelta(days=n) for n in range(days * 7 // 5)]
    return {f"{day}": make() for day in found if day.weekday() < 5}


def _code_day(dice: random.Random) -> str:
    blocks = []
    for _ in range(dice.randint(2, 4)):
        name = "_".join(dice.sample(["load", "merge", "sum", "rows", "batch", "retry", "sync"], 2))
        facts = {"name": name, "n": dice.randint(2, 90), "m": dice.randint(100, 900), "k": 7}
        lines = [f"- {line.format(**facts)}" for line in dice.sample(_CODED, 3)]
        blocks.append(f"## {name}\n\n" + "\n".join(lines) + "\n\n" + _CODE.format(**facts))
    return "# Log\n\n" + "\n\n".join(blocks) + "\n"


def _table_day(dice: random.Random) -> str:
    rows = [
        f"| {part} | {dice.randint(10, 999)} | {dice.random() * 9:.2f} s | ${dice.randint(1, 99)} |"
        for part in dice.sample(_PARTS, 5)
    ]
    who, part = dice.choice(_PEOPLE), dice.choice(_PARTS)
    head = "| part | runs | mean | cost |\n|---|---:|---:|---:|"
    said = f"Agreed with {who} to cut the {part} first, because it costs most."
    return f"## Figures\n\n{head}\n" + "\n".join(rows) + f"\n\n{said}\n"


def _listed(dice: random.Random, lines: tuple[str, ...], count: int) -> str:
    made = []
    for line in dice.choices(lines, k=count):
        what = dice.choice({_CHINESE: _THINGS, _GERMAN: _DINGE}.get(lines, _PARTS))
        facts = {"what": what, "who": dice.choice(_PEOPLE), "n": dice.randint(2, 90)}
        made.append(f"- {line.format(**facts, m=dice.randint(100, 9000), k=dice.randint(1, 9))}")
    return "\n".join(made) + "\n"


ROOTS: Mapping[str, Mapping[str, str]] = {
    "code": code(),
    "chinese": chinese(),
    "german": german(),
    "tables": tables(),
    "chatty": chatty(),
}
