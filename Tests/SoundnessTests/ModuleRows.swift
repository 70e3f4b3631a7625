/// Orders modules in rows: a module imports only modules of lower rows.
///
/// - Parameters:
///   - table: The allowed imports of each module.
///   - modules: The modules to show.
/// - Returns: A line for each row, with its number and the names without the prefix "Handover".
func moduleRowsText(_ table: [String: ModuleArrows], of modules: Set<String>) -> String {
  var heights: [String: Int] = [:]
  func height(of module: String) -> Int {
    if let known = heights[module] { return known }
    let imports = table[module, default: ModuleArrows()].targets.intersection(modules)
    let height = 1 + (imports.map(height(of:)).max() ?? 0)
    heights[module] = height
    return height
  }
  let rows = Dictionary(grouping: modules.sorted(), by: height(of:))
  return rows.sorted { $0.key > $1.key }.map { number, row in
    "\(number)  " + row.map { $0.replacing("Handover", with: "") }.joined(separator: "  ")
  }.joined(separator: "\n") + "\n"
}

/// Returns a page with the contents of its code block of one language replaced.
func replacingBlock(_ language: String, of page: String, with contents: String) -> String {
  guard let start = page.firstRange(of: "```\(language)\n"),
    let end = page[start.upperBound...].firstRange(of: "```")
  else { return page }
  return page[..<start.upperBound] + contents + page[end.lowerBound...]
}
