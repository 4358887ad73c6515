"""Feed mutated input to the parsers: `python fuzz/run.py [--target front] [--seconds 60]`.

With atheris installed it does the mutating. Without, a loop of our own does: it keeps an input that
runs lines of lithify that no input ran before, and mutates what it kept. An input that raises, or
takes more than a second, is written to `fuzz/found/`; once it is mended it becomes a seed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from targets import TARGETS

HERE = Path(__file__).parent
#: Pieces that the formats are made of.
PIECES = (
    *(b"---\n", b"```", b"> ", b"- ", b"* ", b"| ", b"#", b"<!--", b"-->", b"\r\n", b"\n\n", b"\t"),
    *(b'{"', b'":', b"[[", b"]]", b"\\u0000", b"\\ud800", b"null", b"\xef\xbb\xbf", b"\xff", b"\0"),
    *(
        b"<<'EOF'\n",
        b"\nEOF\n",
        b"$(",
        b"`",
        b"'",
        b'"',
        b": ",
        b"&a",
        b"*a",
        b"!!",
        b"2026-04-02~",
    ),
)
LONGEST = 4096
SLOW = 1.0


def seeds(target: str) -> list[bytes]:
    """The kept inputs of a target, in a fixed order."""
    return [path.read_bytes() for path in sorted((HERE / "seeds" / target).iterdir())]


def mutated(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """One input changed at some places."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(data))
        end = min(len(data), at + chance.choice((0, 1, 1, 4, 16)))
        kind = chance.randrange(5)
        if kind == 0:
            new = chance.choice(PIECES) * chance.choice((1, 1, 2, 30))
        elif kind == 1:
            new = bytes([chance.randrange(256)])
        elif kind == 2:
            new = data[at:end] * 3
        elif kind == 3:
            other = chance.choice(others)
            start = chance.randint(0, len(other))
            new = other[start : start + 64]
        else:
            new = b""
        data = data[:at] + new + data[end:]
    return data[:LONGEST]


def fuzz(target: str, seconds: float, seed: int = 0) -> tuple[int, int, list[str]]:
    """Mutate for so long: inputs tried, lines covered, and what was found."""
    chance, kept = random.Random(seed), seeds(target)
    lines: set[tuple[str, int]] = set()
    found: dict[str, bytes] = {}
    tried, end = 0, time.monotonic() + seconds
    queue = list(kept)
    while time.monotonic() < end or queue:
        data = queue.pop() if queue else mutated(chance.choice(kept), chance, kept)
        before, begun = len(lines), time.monotonic()
        try:
            _traced(target, data, lines)
            took = time.monotonic() - begun
            if took > SLOW:  # being traced may be what took the time
                begun = time.monotonic()
                TARGETS[target](data)
                took = time.monotonic() - begun
            if took > SLOW:
                found.setdefault(f"slow: {took:.1f} s for {len(data)} bytes", data)
        except Exception as error:
            found.setdefault(f"{type(error).__name__}: {str(error)[:80]}", data)
        tried += 1
        if len(lines) > before:
            kept.append(data)
    for data in found.values():
        (HERE / "found").mkdir(exist_ok=True)
        (HERE / "found" / f"{target}-{sha256(data).hexdigest()[:12]}").write_bytes(data)
    return tried, len(lines), list(found)


def _traced(target: str, data: bytes, lines: set[tuple[str, int]]) -> None:
    def note(frame: FrameType, event: str, arg: Any) -> Any:
        if "lithify" not in frame.f_code.co_filename:
            return None
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return note

    sys.settrace(note)
    try:
        TARGETS[target](data)
    finally:
        sys.settrace(None)


def with_atheris(target: str, seconds: float) -> None:
    """Let atheris mutate; it ends the process itself."""
    import atheris  # type: ignore[import-not-found]

    atheris.instrument_all()
    corpus = HERE / "found" / f"corpus-{target}"
    corpus.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds:.0f}", "-timeout=5", f"-max_len={LONGEST}"]
    arguments = [sys.argv[0], *options, str(corpus), str(HERE / "seeds" / target)]
    atheris.Setup(arguments, TARGETS[target])
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--target", action="append", choices=TARGETS)
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plain", action="store_true", help="our own loop, even with atheris")
    args = parser.parse_args()
    bad = 0
    for target in args.target or TARGETS:
        if not args.plain and len(args.target or TARGETS) == 1 and _has_atheris():
            with_atheris(target, args.seconds)
        tried, lines, found = fuzz(target, args.seconds, args.seed)
        print(f"{target}: {tried} inputs, {lines} lines covered, {len(found)} found", flush=True)
        for line in found:
            print(f"    {line}")
        bad += len(found)
    raise SystemExit(bool(bad))


def _has_atheris() -> bool:
    from importlib.util import find_spec

    return find_spec("atheris") is not None


if __name__ == "__main__":
    main()
