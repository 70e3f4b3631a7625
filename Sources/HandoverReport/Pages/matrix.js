(() => {
  "use strict";

  const find = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const table = find("#matrix"), panel = find("#panel"), form = find("#controls"), tiles = find("#tiles");
  const rows = all("tr[id]", table);
  let data = null;
  const load = () => data ??= JSON.parse(find("#data").textContent);

  // Returns an element with its attributes and its content.
  const make = (tag, attributes, ...inside) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (name === "onclick") element.addEventListener("click", value);
      else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...inside.filter((one) => one !== null && one !== undefined));
    return element;
  };

  // Return the content of a cell as a symbol and in words.
  const glyph = (cell) => cell.firstElementChild.firstChild.textContent;
  const spoken = (cell) => cell.firstElementChild.getAttribute("aria-label");
  // Opens all details before the page is printed.
  addEventListener("beforeprint", () => { for (const one of all("details")) one.open = true; });

  const names = {
    h: "hangs", f: "failed", e: "error", n: "non-strict", k: "known", o: "not-observable", u: "not-supported",
    s: "passed-in-part", p: "passed", x: "not-run",
  };
  const choice = { states: [], backends: [], profile: "", item: "", find: "", differ: false };
  // The address of the open case.
  let opened = "";
  const clear = () => Object.assign(choice, { states: [], backends: [], profile: "", item: "", find: "", differ: false });

  // The content of the table, which is read once, when the first filter is used.
  let grid = null;
  const readGrid = () => grid ??= rows.map((row) => ({
    item: row.parentElement.dataset.item, text: row.cells[0].textContent.toLowerCase(),
    cells: [...row.cells].slice(1).map((cell) => cell.className.replace("edge", "").replaceAll(" ", "").replace("off", "")),
  }));
  const heads = table.tHead.rows.length > 1 ? [...table.tHead.rows[1].cells] : [];
  const owners = all("thead tr:first-child th[colspan]", table);
  const cols = all("col", table).slice(1);
  const ownerOf = owners.flatMap((owner, place) => Array(owner.colSpan).fill(place));
  const sheet = document.head.appendChild(make("style", {}));

  const isFull = () => !choice.states.length && !choice.backends.length && !choice.profile && !choice.item
    && !choice.find.trim() && !choice.differ;
  const apply = () => {
    const columns = heads.map((head, place) => (!choice.backends.length || choice.backends.includes(ownerOf[place]))
      && (!choice.profile || head.textContent === choice.profile));
    const words = choice.find.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const result = isFull() ? { rows: rows.map(() => true), columns: heads.map(() => true) }
      : left(readGrid(), { ...choice, columns, words });
    rows.forEach((row, place) => { row.hidden = !result.rows[place]; });
    const count = result.columns.filter((one) => one).length;
    for (const body of table.tBodies) {
      body.hidden = ![...body.rows].some((row) => row.id && !row.hidden);
      body.rows[0].cells[0].colSpan = count + 1;
    }
    showColumns(result.columns);
    dim();
    const shown = result.rows.filter((one) => one).length;
    find("#nothing").hidden = shown > 0;
    table.tHead.hidden = shown === 0;
    find("#shown").textContent = isFull() ? "" : `${shown} of ${rows.length} scenarios, ${count} of ${heads.length} columns`;
    reflect();
    if (current && !isSeen(current)) mark(openers.find(isSeen) ?? current);
  };
  const showColumns = (columns) => {
    const hidden = columns.flatMap((isShown, place) => isShown ? [] : [place]);
    const place = (column) => `.matrix tbody tr[id] > :nth-child(${column + 2}), .matrix thead tr:last-child > :nth-child(${column + 1})`;
    const first = owners.map((_, owner) => columns.findIndex((isShown, column) => isShown && ownerOf[column] === owner));
    const edges = first.filter((column) => column > Math.min(...first.filter((one) => one >= 0)));
    sheet.textContent = hidden.map((column) => `${place(column)} { display: none; }`).join("\n")
      + edges.map((column) => `${place(column)} { border-left: 1px solid var(--strong); }`).join("\n");
    cols.forEach((col, column) => { col.style.display = columns[column] ? "" : "none"; });
    owners.forEach((owner, number) => {
      const count = columns.filter((isShown, column) => isShown && ownerOf[column] === number).length;
      owner.hidden = count === 0;
      owner.colSpan = Math.max(1, count);
    });
  };
  // Makes cells less prominent that do not match the filter.
  const dim = () => {
    for (const cell of all("td.off", table)) cell.classList.remove("off");
    if (!choice.states.length) return;
    for (const row of rows) {
      if (row.hidden) continue;
      for (const cell of row.cells) {
        if (cell.tagName === "TD" && cell.firstChild && !choice.states.some((state) => cell.classList.contains(state))) cell.classList.add("off");
      }
    }
  };

  // Turns the tiles of existing states into buttons.
  for (const tile of all("li", tiles)) {
    if (!tile.classList.contains("v")) continue;
    const button = make("button", { type: "button", "aria-pressed": "false" }, ...tile.childNodes);
    button.addEventListener("click", () => {
      toggle(choice.states, tile.dataset.show);
      changed();
    });
    tile.append(button);
  }
  const toggle = (list, one) => {
    if (list.includes(one)) list.splice(list.indexOf(one), 1);
    else list.push(one);
  };
  const changed = () => {
    apply();
    keep();
  };
  const buttons = all("[data-backend]", form);
  for (const button of buttons) button.addEventListener("click", () => {
    toggle(choice.backends, Number(button.dataset.backend));
    changed();
  });
  for (const name of ["profile", "item", "find"]) find(`#${name}`)?.addEventListener("input", (event) => {
    choice[name] = event.target.value;
    changed();
  });
  find("#find").addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !choice.find) return;
    event.preventDefault();
    choice.find = "";
    changed();
  });
  find("#differ").addEventListener("click", () => {
    choice.differ = !choice.differ;
    changed();
  });
  const showAll = () => {
    clear();
    changed();
  };
  find("#all").addEventListener("click", showAll);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;

  // Updates every control from the choice.
  const reflect = () => {
    for (const tile of all("li", tiles)) find("button", tile)?.setAttribute("aria-pressed", choice.states.includes(tile.dataset.show));
    for (const button of buttons) button.setAttribute("aria-pressed", choice.backends.includes(Number(button.dataset.backend)));
    find("#differ").setAttribute("aria-pressed", choice.differ);
    for (const name of ["profile", "item", "find"]) {
      const control = find(`#${name}`);
      if (control && control.value !== choice[name]) control.value = choice[name];
    }
    find("#all").hidden = isFull();
  };

  // --- The choice in the address of the page.

  const label = (owner) => owner.textContent;
  const keep = () => {
    const kept = new URLSearchParams();
    if (choice.states.length) kept.set("show", choice.states.map((state) => names[state]).join(","));
    for (const backend of choice.backends) kept.append("backend", label(owners[backend]));
    for (const name of ["profile", "item", "find"]) if (choice[name]) kept.set(name, choice[name]);
    if (choice.differ) kept.set("differ", "yes");
    if (opened) kept.set("case", opened);
    const hash = kept.toString();
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  };
  const read = (kept) => {
    clear();
    choice.states = (kept.get("show") ?? "").split(",").flatMap((name) => Object.keys(names).filter((state) => names[state] === name));
    choice.backends = kept.getAll("backend").map((name) => owners.findIndex((owner) => label(owner) === name)).filter((place) => place >= 0);
    for (const name of ["profile", "item"]) {
      const control = find(`#${name}`), wanted = kept.get(name) ?? "";
      // A value that the control does not offer is ignored.
      if (control && [...control.options].some((option) => option.value === wanted)) choice[name] = wanted;
    }
    choice.find = kept.get("find") ?? "";
    choice.differ = kept.has("differ");
  };
  find("#all").hidden = true;

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
      ...(remarks.length ? [make("h3", {}, "Other problems"), ...remarks.map(remark)] : []),
      make("h3", {}, "What happened"),
      lanes.length ? figure(lanes, marks, end) : null,
      story.length ? words(story, further, marks, lanes.length === 0)
        : make("p", { class: "where" }, "Nothing was recorded of the run."),
      make("h3", {}, "Repeat"),
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

  // --- The timeline: a lane for each object, a column for each interval between two instants.

  const kinds = ["Device", "Channels", "Connections", "Threads", "Calls"];
  const figure = (lanes, marks, end) => {
    const instants = [...new Set([...lanes.flatMap(([, , spans]) => spans.flatMap(([from, to]) => [from, to])), ...marks, end])]
      .sort((one, other) => one - other);
    const line = (instant) => instants.indexOf(instant) + 2;
    // Longer intervals are wider, but on a logarithmic scale, so that short ones stay visible.
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
    const caption = marks.length ? "Time runs to the right, and long waits are drawn shorter. ✗ marks an instant with a problem. "
      : "Time runs to the right, and long waits are drawn shorter. ";
    return make("figure", { class: "figure" },
      make("figcaption", {}, caption, "The text below describes the same."),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Drawing of the timeline" },
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
        make("table", { class: "story" }, make("caption", { class: "hide" }, "Events in the order of time"), head, body)),
      further ? make("p", { class: "where" }, `And ${further} more; handover explain lists them all.`) : null);
  };

  // --- An address with a case opens the case.

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
      // A hidden row cannot be scrolled to.
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
  go();
})();
