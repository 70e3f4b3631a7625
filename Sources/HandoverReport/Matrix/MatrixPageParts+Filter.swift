extension MatrixPageParts {
  /// The filter of rows and columns, which is independent of the page.
  ///
  /// A row consists of its requirement, its text in lower case, and the letters of each cell, which
  /// are empty for a missing cell. A choice consists of state letters, visible columns, a
  /// requirement, search words, and whether the cells must differ. A specification with a colon at
  /// its end selects all its requirements. A cell matches if its column is visible and it has one
  /// of the state letters. A row stays if one of its cells matches, and a column stays if one of
  /// its cells in a remaining row matches.
  static let filterRule = #"""

      const left = (rows, choice) => {
        const isWanted = (cell, column) => cell !== "" && choice.columns[column]
          && (choice.states.length === 0 || choice.states.some((state) => cell.includes(state)));
        const isOfItem = (item) => choice.item === "" || item === choice.item
          || choice.item.endsWith(":") && item.startsWith(choice.item);
        const differs = (cells) => new Set(cells.filter((cell, column) => cell !== "" && cell[0] !== "x" && choice.columns[column])
          .map((cell) => cell[0])).size > 1;
        const shown = rows.map((row) => isOfItem(row.item) && choice.words.every((word) => row.text.includes(word))
          && (!choice.differ || differs(row.cells)) && row.cells.some(isWanted));
        const columns = choice.columns.map((_, column) =>
          rows.some((row, place) => shown[place] && isWanted(row.cells[column], column)));
        return { rows: shown, columns };
      };

    """#

  /// The filter controls: tiles, buttons, lists and search words, which the address stores.
  static let filter = #"""

      const names = {
        h: "hangs", f: "failed", e: "error", n: "non-strict", k: "known", o: "not-observable", u: "not-supported",
        s: "passed-in-part", p: "passed", x: "not-run",
      };
      const choice = { states: [], backends: [], profile: "", item: "", find: "", differ: false };
      // The case that is open, as its address names it.
      let opened = "";
      const clear = () => Object.assign(choice, { states: [], backends: [], profile: "", item: "", find: "", differ: false });

      // What the table holds, read from it once, when somebody chooses.
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
      // What is shown beside what was wanted steps back.
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

      // The tiles of what there is become buttons.
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

      // Every control says what is chosen, wherever that came from.
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

      // --- The choice in the address.

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
          // What is not to be chosen here is not chosen.
          if (control && [...control.options].some((option) => option.value === wanted)) choice[name] = wanted;
        }
        choice.find = kept.get("find") ?? "";
        choice.differ = kept.has("differ");
      };
      find("#all").hidden = true;

    """#
}
