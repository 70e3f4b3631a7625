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
