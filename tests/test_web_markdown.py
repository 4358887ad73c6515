"""Code, lists and tables of the days are shown as what they are, and stay harmless."""

from __future__ import annotations

from pathlib import Path

import roots
from lithify.web import markup
from viewer import served

DAY = """# 2026-04-02

## Release

1. Froze the branch for the zebra release.
2. Ran the zebra checks:
   ```python
   return zebra < 3 & "x"
   ```
3. Shipped the zebra.
   - to `staging` first

| Service | Zebra port |
|---|---:|
| staging | 6543 |
| <b>live</b> | a \\| b |

```sh
lithify compact --zebra

lithify status
```
"""
CODE = "lithify compact --zebra\n\nlithify status\n</code></pre>"


def test_a_day_and_what_recall_found_keep_code_lists_and_tables(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root", {"2026-04-02": DAY})
    with served(root) as site:
        pages = ("/day/2026-04-02", "/recall?q=zebra", "/")
        day, found, front = (site.ask(path).text for path in pages)
    plain = found.replace("<mark>", "").replace("</mark>", "")
    for page in (day, plain):
        assert CODE in page
        assert "return zebra &lt; 3 &amp; " in page
        assert "<th>Zebra port</th>" in page and "<td>6543</td>" in page
        assert "<td>a | b</td>" in page and "<td>&lt;b&gt;live&lt;/b&gt;</td>" in page
    assert '<ol start="3">' in day
    assert "compact --<mark>zebra</mark>" in found and "<th><mark>Zebra</mark> port</th>" in found
    # A nested item stands under its own, and the list goes on after the code.
    assert (
        plain.count("<ol>") == 1 and "<li>Shipped the zebra.\n<ul>\n<li>to <code>staging" in plain
    )
    # A line of the front page is a link, so it is told in words.
    assert "staging · 6543" in front and "```" not in front


def test_marks_go_into_words_and_never_into_tags_or_entities() -> None:
    said = markup.found('[amp & code](https://a.example/?code="amp") <code> `code`', "amp code")
    assert said.count("<mark>") == 3 + said.count("&lt;<mark>code")
    assert 'href="https://a.example/?code=%22amp%22"' in said and "&<mark>" not in said
    assert markup.found("x " * 3 + "&lt;script&gt;", "script") == (
        "<p>x x x &lt;<mark>script</mark>&gt;</p>\n"
    )
