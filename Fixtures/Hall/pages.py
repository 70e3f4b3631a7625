"""The pages that show the results of `Fixtures/Hall/run`, and their parts of other pages."""

from __future__ import annotations

import html
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Shared"))
from measuring import bullet, code, paragraph, table, with_part  # noqa: E402

PAGE = Path("Sources/handover/Handover.docc/ClientResults.md")
README = Path("README.md")
CHANGES = Path("Sources/handover/Handover.docc/NetworkChanges.md")
BEGIN, END = "<!-- hall: made by Fixtures/Hall/run --page -->", "<!-- hall: end -->"
TITLES = {
    "cellular-to-wifi": "cellular to WiFi", "wifi-to-cellular": "WiFi to cellular",
    "wifi-none-wifi": "WiFi to none and back", "hotspot": "another hotspot",
    "asleep": "asleep, another hotspot", "uplink": "uplink dead for 10 s", "nat": "NAT forgets"}
#: From the best to the worst verdict.
WORDS = ["UNHARMED", "RECOVERS", "CUTS", "INCONCLUSIVE", "LATE", "GIVES UP", "HANGS"]
#: A client that sends more packets per second by itself hides the packets of a remedy.
MOST_OWN_PACKETS = 0.5
#: Fewer packets per second are one or two in a run, and no regular pings.
LEAST_PACKETS = 0.1
LIVE_WORDS = ("UNHARMED", "RECOVERS", "CUTS")
#: The moves during which no network works for a time; the client cannot end this silence.
OUTAGES = ("wifi-none-wifi", "uplink")
SETTINGS = ["default", "remedy"]
#: The page with the timelines of a client's last run, next to its packets.
TIMELINE = "timeline.html"
MESSAGES = "Lost and repeated messages"
MESSAGE_COLUMNS = ["lost by default", "lost with the fix", "received again by default",
                   "received again with the fix"]

#: The parts of a recovery, in order, and the move of the table that shows them.
LEGS = ["notice", "route", "lookup", "connect", "tls", "data"]
LEGS_MOVE = "cellular-to-wifi"
LEGS_TITLE = "Where the time goes"
LEGS_TEXT = ("The median of each {legs} with the fix, after a change from cellular to WiFi. Most "
             "of the time passes before the client reacts.")

Command = Callable[[dict, str, str], str]


def verdict(runs: list[dict]) -> str:
    """Returns the most frequent verdict of runs; of several, the worst."""
    counts = Counter(run["word"] for run in runs)
    return max(counts, key=lambda word: (counts[word], WORDS.index(word)), default="")


def seconds(value: float) -> str:
    if value >= 100:
        return f"{value / 60:.1f} min".replace(".0 ", " ")
    return f"{value:.1f} s"


def readable(milliseconds: float) -> str:
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else seconds(milliseconds / 1000)


def file_name(client: str) -> str:
    return re.sub(r"\W+", "-", client.lower()).strip("-")


def evidence(folder: Path, client: str, setting: str) -> Path:
    """Returns the folder with the timelines and packets of a client's last run."""
    return folder / "evidence" / file_name(client) / setting


class Entry:
    """A client with its results."""

    def __init__(self, hall: dict, client: dict, found: dict) -> None:
        self.moves, self.client, self.found = hall["moves"], client, found
        self.name, self.settings = client["name"], found.get("settings", {})
        self.missing = found.get("missing") if not self.settings else None

    def runs(self, setting: str, move: str) -> list[dict]:
        return self.settings.get(setting, {}).get("cells", {}).get(move, [])

    def word(self, setting: str, move: str) -> str:
        return verdict(self.runs(setting, move))

    def words(self, setting: str) -> list[str]:
        return [self.word(setting, move) for move in self.moves]

    def cell(self, setting: str, move: str) -> str:
        """Returns the verdict with the median silence, and the worst silence if it differs."""
        runs = self.runs(setting, move)
        word = verdict(runs)
        alike = [run["silence"] for run in runs if run["word"] == word and "silence" in run]
        share = "" if len({run["word"] for run in runs}) < 2 else f", {len(alike)} of {len(runs)}"
        if not alike or word in ("HANGS", "GIVES UP", "INCONCLUSIVE"):
            return word + share
        worst = max(alike) - median(alike)
        return (f"{word} {seconds(median(alike))}"
                + (f", worst {seconds(max(alike))}" if worst > 0.5 else "") + share)

    @property
    def hangs(self) -> bool:
        return "HANGS" in self.words("default")

    def silence(self, setting: str) -> float:
        """Returns the longest silence after the moves with which another network works."""
        return max((run["silence"] for move in self.moves if move not in OUTAGES
                    for run in self.runs(setting, move) if "silence" in run), default=0)

    @property
    def duration(self) -> float:
        """Returns for how long the client hung in seconds; infinite if it did to the end."""
        run = self.found.get("hang")
        if not self.hangs or not run:
            return self.silence("default")
        return float("inf") if run["word"] == "HANGS" else run["silence"]

    def hang_text(self) -> str:
        run = self.found.get("hang")
        if not self.hangs:
            return f"no, {seconds(self.silence('default'))}"
        if not run:
            return f"at least {seconds(self.silence('default'))}"
        if run["word"] == "HANGS":
            return f"over {seconds(run['silence'])}{self.bound(run['evidence'])}"
        if run["word"] == "GIVES UP":
            return f"{seconds(run['silence'])}, then it exits"
        return seconds(run["silence"])

    @property
    def is_endless(self) -> bool:
        """Returns whether neither the client nor the kernel would end the hang."""
        evidence = self.found.get("hang", {}).get("evidence", "")
        return "never reports" in evidence or "only a timeout in the program" in evidence

    def bound(self, evidence: str) -> str:
        if self.is_endless:
            return ", no timer ends it"
        found = re.search(r"the kernel gives up after (?:about )?([\d.]+ (?:min|s)(?: \d+ s)?)",
                          evidence)
        return f", the kernel ends it after {found.group(1)}" if found else ""

    def fix(self) -> str:
        return self.client["call"].replace("{fix}", self.client["fix"])

    @property
    def when(self) -> str:
        return f", {self.client['when']}" if "when" in self.client else ""

    def fix_text(self) -> str:
        return code(self.fix()) + self.when

    def worst_with_remedy(self) -> str:
        words = self.words("remedy")
        worst = max(words, key=lambda word: WORDS.index(word) if word else -1)
        if worst in ("HANGS", "GIVES UP", "INCONCLUSIVE"):
            moves = [TITLES[move] for move, word in zip(self.moves, words) if word == worst]
            return f"{worst} ({', '.join(moves)})"
        return seconds(self.silence("remedy"))

    def cut(self) -> list[str]:
        """Returns the moves that the default survives and whose connection the remedy ends."""
        return [TITLES[move] for move in self.moves
                if self.word("default", move) == "UNHARMED" != self.word("remedy", move)]

    def rate(self, setting: str) -> float | None:
        """Returns the packets per second that the client sends while nothing changes."""
        parts = self.settings.get(setting, {}).get("healthy", [])
        return median(part["sent"] / part["seconds"] for part in parts) if parts else None

    def extra_packets(self) -> str:
        own, all_packets = self.rate("default"), self.rate("remedy")
        if own is None or all_packets is None:
            return ""
        if own > MOST_OWN_PACKETS:
            return "hidden by its own data"
        if all_packets - own < LEAST_PACKETS:
            return "0"
        return f"about {round((all_packets - own) * 36) * 100}"

    def opened(self) -> str:
        parts = self.settings.get("remedy", {}).get("healthy", [])
        return str(max(part["opened"] for part in parts)) if parts else ""

    def leaks(self) -> str:
        """Returns whether the client recovers with the fix and forgets the dead connection."""
        runs = [run for move in self.moves for run in self.runs("remedy", move)]
        return "yes" if any("dead connection" in run.get("evidence", "")
                            and "leaves" in run["evidence"] for run in runs) else "no"

    def most(self, setting: str, count: str) -> str:
        """Returns the greatest count of any run, or an empty text if it is not known."""
        counts = [run[count] for move in self.moves for run in self.runs(setting, move)
                  if count in run]
        return str(max(counts)) if counts else ""

    def messages(self) -> list[str]:
        """Returns the greatest numbers of lost messages and of those received again."""
        return [self.most(setting, count) for count in ("lost", "duplicates")
                for setting in SETTINGS]

    def legs(self) -> list[str]:
        """Returns the median of each part of the recovery; nothing if no run contains parts."""
        runs = [{leg["leg"]: leg["ms"] for leg in run["legs"]}
                for run in self.runs("remedy", LEGS_MOVE) if run.get("legs")]
        columns = [[run[leg] for run in runs if leg in run] for leg in LEGS]
        return [readable(median(column)) if column else "" for column in columns] if runs else []

    def passes(self) -> int:
        counts = [len(self.runs(setting, move)) for setting in self.settings for move in self.moves]
        return min(counts, default=0)

    def changes(self) -> list[str]:
        """Returns what differs from the previous version."""
        previous = self.found.get("previous")
        if not previous:
            return []
        texts = []
        for setting, verdicts in previous["verdicts"].items():
            for move, old in verdicts.items():
                new = self.word(setting, move)
                if new and new != old:
                    texts.append(f"{self.name} ({setting}), {TITLES[move]}: {old} with "
                                 f"{previous['key']['version']}, now {new}")
        return texts


class Report:
    def __init__(self, hall: dict, results: dict, command: Command) -> None:
        self.hall, self.results, self.command = hall, results, command
        known = results["clients"]
        every = [Entry(hall, client, known.get(client["name"], {})) for client in hall["clients"]]
        self.entries = sorted((entry for entry in every if entry.settings and entry.passes()),
                              key=lambda entry: (-entry.duration, not entry.is_endless))
        self.absent = [entry for entry in every if entry not in self.entries]

    @property
    def summary(self) -> str:
        hanging = [entry for entry in self.entries if entry.hangs]
        endless = [entry for entry in hanging if entry.duration > 600]
        cured = [entry for entry in hanging if set(entry.words("remedy")) <= {*LIVE_WORDS, "LATE"}]
        fast = [entry for entry in cured if "LATE" not in entry.words("remedy")]
        slowest = max((entry.silence("remedy") for entry in cured), default=0)
        count = "all" if len(cured) == len(hanging) else f"{len(cured)} of the"
        return (f"{len(hanging)} of {len(self.entries)} clients hang with their default settings "
                f"after a network change, and {len(endless)} of them for more than 10 minutes. "
                f"With their fixes, {count} {len(hanging)} recover after every change. "
                f"{len(fast)} need at most 5 s more than the change explains, and the slowest is "
                f"silent for {seconds(slowest)}.")

    @property
    def measured(self) -> str:
        passes = sorted({entry.passes() for entry in self.entries})
        count = f"{passes[0]} to {passes[-1]}" if len(passes) > 1 else str(passes[0])
        return (f"Measured on {self.results['date']} with Linux {self.results['kernel']} and "
                f"Handover {self.results['handover']}, {count} "
                f"{'pass' if count == '1' else 'passes'} of each client.")

    # Markdown

    def markdown(self) -> str:
        lines = ["# Clients that hang when the network changes", ""]
        lines += paragraph("Which network clients hang, for how long, and which line prevents it.")
        lines += ["## Overview", ""]
        lines += paragraph(self.summary)
        lines += paragraph(self.measured)
        lines += self.ranking()
        lines += paragraph(
            "\"Hangs by default\" is the time without data after a change from cellular to WiFi, "
            "for clients that some move makes hang. They are watched for 20 minutes. \"No\" means "
            "that no move made the client hang, and the time is its longest silence. \"With the "
            "fix\" is the longest silence after the five moves with which another network works. "
            "\"No timer ends it\" means that the kernel does not report the dead connection "
            "either.")
        lines += paragraph(
            "`make hall` measures all clients and writes this page, and `.build/hall/index.html` "
            "for browsers. Each client runs with its default settings and with its fix, through "
            "all moves of `handover try` ([Trying a program](TryingAProgram.md)). Both programs "
            "are the same except for the fix, and connect again after an error. They are in "
            "`Fixtures/Hall/clients`.")
        for setting, title in (("default", "Default settings"), ("remedy", "With the fix")):
            lines += [f"## {title}", ""]
            lines += paragraph(
                "Each cell shows the [verdict](TryingAProgram.md#verdicts) and the median of the "
                "longest silence. \"Worst\" is the longest of all runs, if it is more than 0.5 s "
                "longer.")
            lines += table(["client", *(TITLES[move] for move in self.hall["moves"])],
                           [[entry.name, *(entry.cell(setting, move) for move in entry.moves)]
                            for entry in self.entries])
        lines += ["## What each fix costs", ""]
        lines += paragraph(
            "A fix that ends silent connections also ends some that would have survived. The "
            "second column lists the moves that the default survives unharmed and the fix does "
            "not. The third column is the number of packets per hour that the fix adds while a "
            "stream runs. Keepalive of the kernel sends packets only without data, so it adds none "
            "there. The fourth column is the number of connections that the client opens with the "
            "fix in about 20 s without a network change. A second connection would mean that the "
            "fix ends a healthy one. The last column shows whether the client forgets the dead "
            "connection, so that it stays open. Chromium opens connections of its own.")
        lines += table(
            ["client", "cuts the connection", "packets per hour", "connections",
             "leaves a dead one open"],
            [[entry.name, ", ".join(entry.cut()) or "never", entry.extra_packets(), entry.opened(),
              entry.leaks()] for entry in self.entries])
        lines += self.recovery_legs()
        lines += self.message_counts()
        issues = [entry for entry in self.entries if "issue" in entry.client]
        lines += ["## Public reports", ""]
        lines += paragraph("Users have reported the same behavior of these clients, or of clients "
                           "that share their code or protocol:")
        lines += table(["client", "report"], [[entry.name, link(entry.client["issue"])]
                                              for entry in issues])
        changes = [text for entry in self.entries for text in entry.changes()]
        lines += ["## Changes since the previous versions", ""]
        lines += ([item for text in changes for item in bullet(text)] + [""] if changes
                  else paragraph("No verdict differs from that of a previous version."))
        if self.absent:
            lines += ["## Not measured", ""]
            lines += [item for entry in self.absent
                      for item in bullet(f"{entry.name}: {entry.missing or 'not measured yet'}")]
            lines.append("")
        lines += ["## Repeat a cell", ""]
        lines += paragraph(
            "After `make hall`, these commands repeat a row from the root of the repository. "
            "Replace `cellular-to-wifi` by another move. With the argument `remedy`, or with the "
            "options of the ranking, the program uses the fix. `-o html=cell.html` before `--` "
            "writes the timeline of the run, and `--pcap packets` its packets.")
        lines += table(["client", "version", "command"],
                       [[entry.name, entry.found["key"]["version"],
                         code(self.command(entry.client, "default", "cellular-to-wifi"))]
                        for entry in self.entries])
        return "\n".join(lines).rstrip() + "\n"

    @property
    def counted(self) -> list[Entry]:
        """The clients whose results contain numbers of messages."""
        return [entry for entry in self.entries if any(entry.messages())]

    def recovery_legs(self) -> list[str]:
        rows = [[entry.name, *entry.legs()] for entry in self.entries if entry.legs()]
        if not rows:
            return []
        return [f"## {LEGS_TITLE}", "", *paragraph(
            LEGS_TEXT.format(legs="[leg](TryingAProgram.md#legs-of-a-recovery)")),
            *table(["client", *LEGS], rows)]

    def message_counts(self) -> list[str]:
        if not self.counted:
            return []
        return [f"## {MESSAGES}", "", *paragraph(
            "The greatest numbers of any move, for clients of a server that numbers its messages "
            "([Trying a program](TryingAProgram.md))."),
            *table(["client", *MESSAGE_COLUMNS],
                   [[entry.name, *entry.messages()] for entry in self.counted])]

    def ranking(self) -> list[str]:
        return table(["client", "hangs by default", "with the fix", "the fix"],
                     [[f"{entry.name} ({entry.client['protocol']})", entry.hang_text(),
                       entry.worst_with_remedy(), entry.fix_text()] for entry in self.entries])

    def readme(self) -> str:
        shown = [entry for entry in self.entries if entry.client.get("readme")]
        lines = paragraph(f"{self.summary} Some of them ([all clients]({PAGE})):")
        lines += table(["client", "hangs by default", "with the fix", "the fix"],
                       [[entry.name, entry.hang_text().split(",")[0], entry.worst_with_remedy(),
                         entry.fix_text()] for entry in shown])
        return with_part(README.read_text(), BEGIN, END, lines)

    def protocols(self) -> str:
        """Returns the page about network changes with a table of the protocols."""
        groups: dict[str, list[Entry]] = {}
        for entry in self.entries:
            groups.setdefault(entry.client["protocol"], []).append(entry)
        rows = []
        for protocol, group in groups.items():
            hanging = [entry.duration for entry in group if entry.hangs]
            middle = median(hanging) if hanging else 0
            rows.append([
                protocol, f"{len(hanging)} of {len(group)}",
                "" if not hanging else "over 20 min" if middle > 1_200 else seconds(middle),
                seconds(median(entry.silence("remedy") for entry in group))])
        lines = paragraph(f"{self.summary} By protocol, with the medians of its clients:")
        lines += table(["protocol", "clients that hang", "for", "silence with the fix"], rows)
        return with_part(CHANGES.read_text(), BEGIN, END, lines)

    # HTML

    def html(self, folder: Path) -> str:
        """Returns a page for browsers, which links to the evidence that is below a folder."""
        ranking = "".join(
            f"<tr><th>{text(entry.name)}<small>{text(entry.client['protocol'])} · "
            f"{text(entry.found['key']['version'])}</small></th>"
            f"<td data-l='by default' class='{'HANGS' if entry.hangs else 'RECOVERS'}'>"
            f"{text(('hangs ' if entry.hangs else '') + entry.hang_text())}</td>"
            f"<td data-l='with the fix' class='{cured(entry)}'>{text(entry.worst_with_remedy())}"
            f"</td><td data-l='the fix'><code>{text(entry.fix())}</code>{text(entry.when)}"
            "</td></tr>"
            for entry in self.entries)
        costs = "".join(
            f"<tr><th>{text(entry.name)}</th><td data-l='cuts the connection'>"
            f"{text(', '.join(entry.cut()) or 'never')}</td><td data-l='packets per hour'>"
            f"{text(entry.extra_packets())}</td><td data-l='connections'>{text(entry.opened())}"
            f"</td><td data-l='leaves a dead one open'>{entry.leaks()}</td></tr>"
            for entry in self.entries)
        legs = cards(LEGS, [(entry.name, entry.legs()) for entry in self.entries if entry.legs()])
        messages = cards(MESSAGE_COLUMNS,
                         [(entry.name, entry.messages()) for entry in self.counted])
        issues = "".join(
            f"<li>{text(entry.name)}: <a href='{address(entry.client['issue'])}'>"
            f"{text(entry.client['issue'])}</a></li>"
            for entry in self.entries if "issue" in entry.client)
        changes = [change for entry in self.entries for change in entry.changes()]
        changed = "".join(f"<li>{text(change)}</li>" for change in changes) or (
            "<li>No verdict differs from that of a previous version.</li>")
        absent = "".join(f"<li>{text(entry.name)}: {text(entry.missing or 'not measured yet')}</li>"
                         for entry in self.absent)
        return HTML.format(
            summary=text(self.summary), measured=text(self.measured), ranking=ranking,
            default=self.matrix("default", folder), remedy=self.matrix("remedy", folder), costs=costs,
            issues=issues, changes=changed,
            legs=f"<h2>{LEGS_TITLE}</h2><p>{LEGS_TEXT.format(legs='leg of the recovery')}</p>{legs}"
                 if legs else "",
            messages=f"<h2>{MESSAGES}</h2>{messages}" if messages else "",
            absent=f"<h2>Not measured</h2><ul>{absent}</ul>" if absent else "")

    def matrix(self, setting: str, folder: Path) -> str:
        head = "".join(f"<th>{TITLES[move]}</th>" for move in self.hall["moves"])
        rows = []
        for entry in self.entries:
            cells = "".join(
                f"<td class='{entry.word(setting, move).replace(' ', '-')}'><details><summary>"
                f"{text(entry.cell(setting, move))}</summary><p>"
                f"{text((entry.runs(setting, move) or [{}])[-1].get('evidence', ''))}</p><code>"
                f"{text(self.command(entry.client, setting, move))}</code>"
                f"{links(folder, entry.name, setting, move)}</details></td>"
                for move in entry.moves)
            rows.append(f"<tr><th>{text(entry.name)}</th>{cells}</tr>")
        return (f"<div class='scroll'><table class='matrix'><thead><tr><th>client</th>{head}</tr>"
                f"</thead><tbody>{''.join(rows)}</tbody></table></div>")


def links(folder: Path, client: str, setting: str, move: str) -> str:
    """Returns the links to the timeline and the packets of a cell, as far as they exist."""
    kept = evidence(folder, client, setting)
    targets = {"timeline": (kept / TIMELINE, f"#{move}"), "packets": (kept / f"{move}.pcapng", "")}
    shown = [f"<a href='{address_of(file, folder)}{part}'>{title}</a>"
             for title, (file, part) in targets.items() if file.exists()]
    return f"<p>{', '.join(shown)}</p>" if shown else ""


def address_of(file: Path, folder: Path) -> str:
    return quote(file.relative_to(folder).as_posix())


def cards(columns: list[str], rows: list[tuple[str, list[str]]]) -> str:
    """Returns a table for browsers with a card for each row on a phone; nothing without rows."""
    head = "".join(f"<th>{column}</th>" for column in columns)
    body = "".join(
        f"<tr><th>{text(name)}</th>" + "".join(
            f"<td data-l='{column}'>{text(cell)}</td>" for column, cell in zip(columns, cells))
        + "</tr>" for name, cells in rows)
    return (f"<table class='cards'><thead><tr><th>client</th>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>") if rows else ""


def cured(entry: Entry) -> str:
    words = [word for word in entry.words("remedy") if word]
    return max(words, key=WORDS.index, default="").replace(" ", "-")


def written(report: Report, is_page: bool, browser_page: Path | None, is_check: bool) -> int:
    """Writes the pages, or compares those in the repository with the results."""
    if not report.entries:
        print("there are no results: run make hall", file=sys.stderr)
        return 2
    if browser_page:
        browser_page.parent.mkdir(parents=True, exist_ok=True)
        browser_page.write_text(report.html(browser_page.parent))
    files = {PAGE: report.markdown(), README: report.readme(), CHANGES: report.protocols()}
    if is_page:
        for path, wanted in files.items():
            path.write_text(wanted)
    if is_check:
        wrong = [str(path) for path, wanted in files.items() if path.read_text() != wanted]
        for path in wrong:
            print(f"{path} is out of date: run Fixtures/Hall/run --page", file=sys.stderr)
        return 1 if wrong else 0
    return 0


def text(value: str) -> str:
    return html.escape(value, quote=True)


def link(issue: str) -> str:
    repository, number = issue.split("#")
    return f"[{issue}](https://github.com/{repository}/issues/{number})"


def address(issue: str) -> str:
    return link(issue).split("(")[1].rstrip(")")


HTML = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Clients that hang when the network changes</title>
<style>
:root {{ color-scheme: light dark; --line: #8884; --bad: #c0262655; --poor: #d9770640;
  --fair: #ca8a0433; --good: #16a34a33; }}
body {{ font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem; }}
h1 {{ font-size: 1.5rem; margin: 0 0 .5rem; }}
h2 {{ font-size: 1.15rem; margin: 2rem 0 .5rem; }}
.lead {{ font-size: 1.1rem; max-width: 60rem; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: left;
  vertical-align: top; }}
th small {{ display: block; font-weight: normal; opacity: .75; }}
code {{ font-size: .85em; overflow-wrap: anywhere; }}
.HANGS {{ background: var(--bad); }}
.GIVES-UP, .LATE {{ background: var(--poor); }}
.CUTS, .INCONCLUSIVE {{ background: var(--fair); }}
.RECOVERS, .UNHARMED {{ background: var(--good); }}
.scroll {{ overflow-x: auto; }}
.matrix th:first-child {{ background: Canvas; left: 0; position: sticky; }}
.matrix td {{ min-width: 7rem; }}
summary {{ cursor: pointer; white-space: nowrap; }}
details p {{ margin: .3rem 0; }}
@media (max-width: 40rem) {{
  .cards thead {{ display: none; }}
  .cards tr, .cards th, .cards td {{ border: 0; display: block; }}
  .cards tr {{ border: 1px solid var(--line); border-radius: .4rem; margin-bottom: .6rem;
    overflow: hidden; }}
  .cards td::before {{ content: attr(data-l) ": "; opacity: .75; }}
  .matrix th:first-child {{ max-width: 6.5rem; }}
}}
</style>
<h1>Clients that hang when the network changes</h1>
<p class="lead">{summary}</p>
<p>{measured}</p>
<table class="cards"><thead><tr><th>client</th><th>by default</th><th>longest silence with the fix
</th><th>the fix</th></tr></thead><tbody>{ranking}</tbody></table>
<h2>Default settings</h2>
<p>Each cell shows the verdict and the median of the longest silence. Open a cell for the evidence,
the command that repeats it, and links to the timeline and packets of its last run.
<code>-o html=cell.html</code> before <code>--</code> writes the timeline of a repetition, and
<code>--pcap packets</code> its packets.</p>
{default}
<h2>With the fix</h2>
{remedy}
<h2>What each fix costs</h2>
<p>The moves that the default survives and the fix does not, the packets per hour that the fix adds
while a stream runs, the connections in about 20 s without a network change, and whether the client
forgets the dead connection so that it stays open.</p>
<table class="cards"><thead><tr><th>client</th><th>cuts the connection</th><th>packets per hour</th>
<th>connections</th><th>leaves a dead one open</th></tr></thead><tbody>{costs}</tbody></table>
{legs}
{messages}
<h2>Public reports</h2>
<ul>{issues}</ul>
<h2>Changes since the previous versions</h2>
<ul>{changes}</ul>
{absent}
"""
