extension MatrixPageParts {
  /// The script of the page: the filter of rows and columns, the keyboard control, and the panel.
  ///
  /// Text is always inserted as text, never as markup.
  static let script =
    "\n(() => {\n  \"use strict\";\n" + basics + filterRule + filter + keys + panel
    + "  go();\n})();\n"

  /// The functions that the rest of the script uses.
  private static let basics = #"""

      const find = (selector, from = document) => from.querySelector(selector);
      const all = (selector, from = document) => [...from.querySelectorAll(selector)];
      const table = find("#matrix"), panel = find("#panel"), form = find("#controls"), tiles = find("#tiles");
      const rows = all("tr[id]", table);
      let data = null;
      const load = () => data ??= JSON.parse(find("#data").textContent);

      // An element with its attributes and what stands in it.
      const make = (tag, attributes, ...inside) => {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes ?? {})) {
          if (name === "onclick") element.addEventListener("click", value);
          else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
        }
        element.append(...inside.filter((one) => one !== null && one !== undefined));
        return element;
      };

      // What stands in a cell, as a sign and in words.
      const glyph = (cell) => cell.firstElementChild.firstChild.textContent;
      const spoken = (cell) => cell.firstElementChild.getAttribute("aria-label");
      // Before something is printed, so that what lies in it is printed too.
      addEventListener("beforeprint", () => { for (const one of all("details")) one.open = true; });

    """#

  /// The keyboard control: Tab reaches one cell, and the arrow keys reach the others.
  private static let keys = #"""

      const openers = all("td > button, td > a", table);
      for (const opener of all("td > a", table)) opener.tabIndex = -1;
      let current = openers[0];
      if (current) current.tabIndex = 0;
      const mark = (opener) => {
        current.tabIndex = -1;
        current = opener;
        current.tabIndex = 0;
      };
      const enter = (opener) => {
        if (!opener) return;
        mark(opener);
        current.focus();
      };
      const isSeen = (opener) => opener.offsetParent !== null;
      const inColumn = (row, column) => {
        const opener = row.hidden || row.parentElement.hidden ? null : row.cells[column]?.firstElementChild;
        return opener && isSeen(opener) ? opener : null;
      };
      const next = (cell, step) => {
        const row = cell.parentElement;
        for (let place = cell.cellIndex + step; place > 0 && place < row.cells.length; place += step) {
          if (inColumn(row, place)) return inColumn(row, place);
        }
      };
      const below = (cell, step) => {
        const start = rows.indexOf(cell.parentElement);
        for (let place = start + step; place >= 0 && place < rows.length; place += step) {
          if (inColumn(rows[place], cell.cellIndex)) return inColumn(rows[place], cell.cellIndex);
        }
      };
      const moves = {
        ArrowLeft: (cell) => next(cell, -1), ArrowRight: (cell) => next(cell, 1),
        ArrowUp: (cell) => below(cell, -1), ArrowDown: (cell) => below(cell, 1),
        Home: (cell) => next(cell.parentElement.cells[0], 1),
        End: (cell) => next({ parentElement: cell.parentElement, cellIndex: cell.parentElement.cells.length }, -1),
      };
      table.addEventListener("keydown", (event) => {
        const cell = event.target.closest("td");
        if (!cell || event.ctrlKey || event.altKey || event.metaKey || !moves[event.key]) return;
        event.preventDefault();
        enter(moves[event.key](cell));
      });
      addEventListener("keydown", (event) => {
        if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey) return;
        if (panel.open || event.target.closest("input, select, textarea")) return;
        event.preventDefault();
        find("#find").focus();
      });
      table.addEventListener("click", (event) => {
        const opener = event.target.closest("td > button, td > a");
        if (!opener) return;
        event.preventDefault();
        enter(opener);
        open(opener.parentElement);
      });

    """#

  /// The panel of a case.
  private static let panel = #"""

      const title = (row) => find("span", row.cells[0])?.textContent ?? id(row);
      const id = (row) => find("code", row.cells[0]).textContent;
      const address = (row, column) => [id(row), ...load().columns[column]].join("~");

      const open = (cell) => {
        const { texts, stories, columns } = load();
        const row = cell.parentElement, column = cell.cellIndex - 1;
        const [place, ...command] = data.rows[Number(row.id.slice(1))][column];
        const [expected, remarks, figures, story, further, lanes, marks, end] = stories[place];
        const [backend, profile] = columns[column];
        const badge = make("span", { class: `badge v ${cell.classList[0]}` }, `${glyph(cell)} ${spoken(cell)}`);
        panel.replaceChildren(make("div", {},
          make("button", { class: "close", type: "button", onclick: () => panel.close() }, "Close"),
          make("p", { class: "where" }, `${backend} · ${profile}`),
          make("h2", { id: "panel-title", tabindex: "-1", autofocus: true }, title(row)),
          title(row) === id(row) ? null : make("p", { class: "id" }, make("code", {}, id(row))),
          make("p", {}, badge, texts[figures] ? make("span", { class: "figures" }, texts[figures]) : null),
          chips(row, column),
          make("h3", {}, "What should happen"),
          expected.length ? make("ul", { class: "expected" }, ...expected.map(expectation))
            : make("p", { class: "where" }, "No expectations: only the invariants were checked."),
          ...(remarks.length ? [make("h3", {}, "What else was not as it should be"), ...remarks.map(remark)] : []),
          make("h3", {}, "What did happen"),
          lanes.length ? figure(lanes, marks, end) : null,
          story.length ? words(story, further, marks, lanes.length === 0)
            : make("p", { class: "where" }, "Nothing was recorded of the run."),
          make("h3", {}, "To repeat it"),
          repeat(command.map((part) => texts[part]).join(" "))));
        if (!panel.open) panel.showModal();
        panel.scrollTop = 0;
        opened = address(row, column);
        keep();
      };
      panel.addEventListener("close", () => {
        if (panel.open) return;
        opened = "";
        keep();
      });
      panel.addEventListener("click", (event) => { if (event.target === panel) panel.close(); });

      const chips = (row, column) => {
        const others = [...row.cells].slice(1).filter((cell) => cell.firstElementChild);
        if (others.length < 2) return null;
        const backends = [...new Set(data.columns.map(([backend]) => backend))];
        return make("nav", { class: "chips", "aria-label": "This scenario in each column" }, ...backends.map((backend) => {
          const own = others.filter((cell) => data.columns[cell.cellIndex - 1][0] === backend);
          if (!own.length) return null;
          return make("div", {}, backends.length > 1 ? make("span", {}, backend) : null,
            make("ul", {}, ...own.map((cell) => make("li", {}, chip(cell, cell.cellIndex - 1 === column)))));
        }));
      };
      const chip = (cell, isCurrent) => {
        return make("button", {
          type: "button", class: `v ${cell.classList[0]}`, "aria-current": isCurrent ? "true" : null,
          onclick: () => { mark(cell.firstElementChild); open(cell); find("[aria-current]", panel)?.focus(); },
        }, glyph(cell), " ", data.columns[cell.cellIndex - 1][1], make("span", { class: "hide" }, spoken(cell)));
      };
      const outcomes = [
        ["✓ passed", "p"], ["✗ failed", "f"], ["~ recommended, not met", "n"], ["- not observable", "u"], ["! not evaluated", "e"], ["≈ observable part passed", "s"],
      ];
      const expectation = ([state, text, seen, place]) => make("li", {},
        make("span", { class: `v ${outcomes[state][1]}` }, outcomes[state][0]),
        make("span", {}, data.texts[text],
          data.texts[seen] ? make("span", { class: state === 1 ? "seen" : "soft seen" }, `seen: ${data.texts[seen]}`) : null,
          make("small", {}, data.texts[place])));
      const remark = ([kind, expected, seen, at]) => make("div", { class: "remarks" },
        make("p", { class: "where" }, data.texts[kind] + (at >= 0 ? `, at ${data.instants[at][1]}` : "")),
        make("dl", {}, make("dt", {}, "expected"), make("dd", {}, data.texts[expected]),
          make("dt", {}, "seen"), make("dd", {}, data.texts[seen])));

      const repeat = (command) => {
        const code = make("code", {}, command);
        const copy = make("button", { type: "button" }, "Copy");
        copy.addEventListener("click", async () => {
          try {
            await navigator.clipboard.writeText(command);
            copy.textContent = "Copied";
          } catch {
            getSelection().selectAllChildren(code);
            copy.textContent = "Selected";
          }
        });
        return make("p", { class: "command" }, code, copy);
      };

      // --- The timeline: a lane for each thing, a column for each gap between two instants.

      const kinds = ["Device", "Channels", "Connections", "Threads", "Calls"];
      const figure = (lanes, marks, end) => {
        const instants = [...new Set([...lanes.flatMap(([, , spans]) => spans.flatMap(([from, to]) => [from, to])), ...marks, end])]
          .sort((one, other) => one - other);
        const line = (instant) => instants.indexOf(instant) + 2;
        // Longer gaps are wider, but a quarter of an hour must not push a second out of sight.
        const widths = instants.slice(1).map((instant, place) => {
          const gap = (data.instants[instant][0] - data.instants[instants[place]][0]) / 1000;
          return `minmax(4.2rem, ${(1 + Math.log10(1 + gap)).toFixed(2)}fr)`;
        });
        const grid = make("div", { class: "lanes", "aria-hidden": "true" });
        grid.style.gridTemplateColumns = `max-content ${widths.join(" ")} minmax(8.5rem, max-content)`;
        const put = (element, columns, row) => {
          element.style.gridColumn = columns;
          element.style.gridRow = row;
          grid.append(element);
        };
        let row = 1, kind = -1;
        const spans = [];
        for (const [of, name, parts] of lanes) {
          row += 1;
          if (of !== kind) {
            put(make("div", { class: "kind" }, kinds[of]), "1 / -1", row);
            kind = of;
            row += 1;
          }
          put(make("div", { class: "name", title: data.texts[name] }, data.texts[name]), "1", row);
          for (const [from, to, text, tone] of parts) spans.push([from, to, data.texts[text], tone, row]);
        }
        for (const instant of instants) {
          const isMarked = marks.includes(instant);
          put(make("div", { class: "rule" }), line(instant), `2 / ${row + 1}`);
          if (isMarked) put(make("div", { class: "mark" }), line(instant), `1 / ${row + 1}`);
          put(make("div", { class: isMarked ? "tick marked" : "tick" }, data.instants[instant][1] + (isMarked ? " ✗" : "")), line(instant), 1);
        }
        for (const [from, to, text, tone, place] of spans) {
          const isPoint = from === to;
          const columns = isPoint ? `${line(from)} / -1` : `${line(from)} / ${line(to)}`;
          put(make("div", { class: `span t${tone}${isPoint ? " point" : ""}`, title: text }, text), columns, place);
        }
        const caption = marks.length ? "Time runs to the right, and long waits are drawn shorter. ✗ marks where something was not as it should be. "
          : "Time runs to the right, and long waits are drawn shorter. ";
        return make("figure", { class: "figure" },
          make("figcaption", {}, caption, "The text below describes the same."),
          make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The timeline, drawn" },
            make("p", { class: "hide" }, asText(lanes)), grid));
      };
      const asText = (lanes) => lanes.map(([of, name, parts]) => `${kinds[of]}: ${data.texts[name]}: ` + parts.map(([from, to, text]) =>
        from === to ? `${data.texts[text]} at ${data.instants[from][1]}` : `${data.texts[text]} from ${data.instants[from][1]} to ${data.instants[to][1]}`).join(", ")).join(". ") + ".";

      const words = (story, further, marks, isOpen) => {
        let last = -1;
        const body = make("tbody", {}, ...story.map(([at, ...cells]) => {
          const time = at === last ? "" : data.instants[at][1];
          last = at;
          const isMarked = marks.includes(at);
          return make("tr", { class: isMarked ? "here" : null },
            time ? make("th", { scope: "row" }, time + (isMarked ? " ✗" : "")) : make("td", {}), ...cells.map((text) => make("td", {}, data.texts[text])));
        }));
        const head = make("thead", {}, make("tr", {}, ...["Time", "Device", "Channels", "Calls"].map((text) => make("th", { scope: "col" }, text))));
        return make("details", { open: isOpen || marks.length > 0 },
          make("summary", {}, `In words (${story.length + further} lines)`),
          make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The timeline in words" },
            make("table", { class: "story" }, make("caption", { class: "hide" }, "What happened, in the order of time"), head, body)),
          further ? make("p", { class: "where" }, `And ${further} more; handover explain tells them all.`) : null);
      };

      // --- An address that names a case opens it.

      const openCase = (name) => {
        const parts = name.split("~");
        if (parts.length !== 3) return;
        const place = load().columns.findIndex(([backend, profile]) => backend === parts[1] && profile === parts[2]);
        show(rows.find((one) => id(one) === parts[0])?.cells[place + 1]);
      };
      // Opens a cell; hidden content is shown first.
      const show = (cell) => {
        if (!cell?.firstElementChild) return;
        if (!isSeen(cell.firstElementChild)) showAll();
        enter(cell.firstElementChild);
        open(cell);
      };
      const decoded = (text) => { try { return decodeURIComponent(text); } catch { return ""; } };
      const go = () => {
        const hash = location.hash.slice(1);
        if (!hash.includes("=") && hash.split("~").length === 3) return openCase(hash.split("~").map(decoded).join("~"));
        if (!hash.includes("=")) {
          // A place in the table is no place while it is hidden.
          const target = hash && document.getElementById(decoded(hash));
          if (target && table.contains(target) && target.offsetParent === null) {
            showAll();
            target.scrollIntoView();
          }
          return;
        }
        const wanted = new URLSearchParams(hash);
        read(wanted);
        apply();
        if (wanted.get("case")) openCase(wanted.get("case"));
      };
      addEventListener("hashchange", go);
      for (const link of all("a[data-case], a[data-show]")) link.addEventListener("click", (event) => {
        event.preventDefault();
        if (link.dataset.case) {
          const [row, column] = link.dataset.case.split("-").map(Number);
          return show(find(`#r${row}`).cells[column + 1]);
        }
        clear();
        choice.states = [link.dataset.show];
        choice.backends = [Number(link.dataset.backend)];
        apply();
        keep();
        find("#h-matrix").scrollIntoView();
      });

    """#
}
