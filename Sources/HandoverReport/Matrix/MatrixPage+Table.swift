import HandoverCore
import HandoverEngine

// The table of the page, the controls that filter its rows and columns, and its contents.
extension Matrix {
  /// The controls that filter rows and columns; the script shows them because they need it.
  var controls: String {
    """
    <p>A row is a scenario, under the requirement that it cites. A cell contains the verdict and \
    the longest time from a network change to the end of a call.</p>
    <form class="controls" id="controls" hidden>
    \(backendChoice)\(profileChoice)\(itemChoice)\
    <label>Find <input type="search" id="find" autocomplete="off" placeholder="id or title"></label>
    <button type="button" id="differ" aria-pressed="false">only rows that differ</button>
    <button type="button" id="all">show all</button>
    <output id="shown"></output>
    <p class="hint">Select a cell to see what happened. Keys: the arrows move between cells, / finds, \
    Escape closes.</p>
    </form>
    """
  }

  private var backendChoice: String {
    guard backends.count > 1 else { return "" }
    let buttons = backends.indices.map {
      "<button type=\"button\" data-backend=\"\($0)\" aria-pressed=\"false\">"
        + "\(HTMLText.of(label(of: $0)))</button>"
    }
    return "<div role=\"group\" aria-label=\"Backends\">\(buttons.joined(separator: " "))</div>\n"
  }

  private var profileChoice: String {
    let names = columns.filter { $0.backend == 0 }.map(\.profile)
    guard names.count > 1 else { return "" }
    let options = names.map { "<option>\(HTMLText.of($0))</option>" }
    return "<label>Profile <select id=\"profile\"><option value=\"\">all</option>"
      + options.joined() + "</select></label>\n"
  }

  private var itemChoice: String {
    guard groups.count > 1 else { return "" }
    var options = "<option value=\"\">all</option>"
    for part in documents {
      if let document = part.name {
        options += "<optgroup label=\"\(HTMLText.of(document))\">"
        options += "<option value=\"\(HTMLText.of(document)):\">all of it</option>"
      } else {
        options += "<optgroup label=\"Folders\">"
      }
      for index in part.groups {
        let name = HTMLText.of(groups[index].name)
        options += "<option value=\"\(HTMLText.of(groups[index].key))\">\(name)</option>"
      }
      options += "</optgroup>"
    }
    return "<label>Requirement <select id=\"item\">\(options)</select></label>\n"
  }

  // MARK: Contents

  /// The groups of each specification, in order; folders come last and have no name.
  private var documents: [(name: String?, groups: [Int])] {
    var parts: [(name: String?, groups: [Int])] = []
    for (index, group) in groups.enumerated() {
      if let position = parts.firstIndex(where: { $0.name == group.document }) {
        parts[position].groups.append(index)
      } else {
        parts.append((group.document, [index]))
      }
    }
    return parts
  }

  /// Links to all groups, each with its worst state.
  var contents: String {
    guard groups.count > 1 else { return "" }
    let requirements = groups.count { $0.document != nil }
    let folders = groups.count - requirements
    let counts = [
      requirements > 0 ? counted(requirements, "requirement") : nil,
      folders > 0 ? counted(folders, "folder") : nil,
    ].compactMap(\.self).joined(separator: ", ")
    var text = """
      <details class="contents"><summary>Contents: \(counts)</summary>
      <nav aria-label="Contents">

      """
    for part in documents {
      text += "<h3>\(HTMLText.of(part.name ?? "Folders"))</h3>\n<ul>"
      for index in part.groups {
        text += "<li><a href=\"#g\(index)\">\(HTMLText.of(groups[index].name))</a>"
        text += marks(of: groups[index]) + "</li>"
      }
      text += "</ul>\n"
    }
    return text + "</nav>\n</details>\n"
  }

  /// Returns the marks of a group that needs attention.
  private func marks(of group: Group) -> String {
    var hangs = false
    var worst: CellState?
    for cell in group.rows.flatMap({ rows[$0].cells }) {
      guard case .run(let one) = cell else { continue }
      hangs = hangs || one.hangs.calls > 0
      guard one.verdict.needsAttention else { continue }
      // The cases are ordered from worst to best.
      let all = CellState.allCases
      worst = all.first { $0 == one.state || $0 == worst }
    }
    var text = ""
    if let worst {
      text += "<i class=\"v \(worst.cssClass)\"><span aria-hidden=\"true\">\(worst.glyph)</span>"
      text += "<span class=\"hide\">\(worst.phrase)</span></i>"
    }
    if hangs { text += "<i class=\"v h hang\"><span class=\"hide\">hangs</span></i>" }
    return text
  }

  // MARK: The table

  /// The number of columns above which the font is smaller.
  private static let defaultColumns = 14

  /// The table with all results.
  var table: String {
    var text = """
      <table class="matrix\(columns.count > Self.defaultColumns ? " wide" : "")" id="matrix">
      <caption class="hide">Results of \(HTMLText.of(headline))</caption>
      <colgroup><col class="first"></colgroup>

      """
    for backend in backends.indices {
      let count = columns.count { $0.backend == backend }
      guard count > 0 else { continue }
      text += "<colgroup>" + String(repeating: "<col>", count: count) + "</colgroup>\n"
    }
    text += "<thead>\n\(columnHeadings)</thead>\n"
    for (index, group) in groups.enumerated() {
      text += "<tbody id=\"g\(index)\" data-item=\"\(HTMLText.of(group.key))\">\n"
      text += heading(of: group)
      for row in group.rows { text += line(of: row) }
      text += "</tbody>\n"
    }
    return text + "</table>"
  }

  private var columnHeadings: String {
    var text = "<tr><th scope=\"col\" rowspan=\"2\" class=\"first\">Scenario</th>"
    for backend in backends.indices {
      let span = columns.count { $0.backend == backend }
      guard span > 0 else { continue }
      let edge = backend > 0 ? " class=\"edge\"" : ""
      text += "<th scope=\"colgroup\" colspan=\"\(span)\"\(edge)>"
      text += "<span>\(HTMLText.of(label(of: backend)))</span></th>"
    }
    text += "</tr>\n<tr>"
    for (index, column) in columns.enumerated() {
      text += "<th scope=\"col\"\(isFirst(index) ? " class=\"edge\"" : "")>"
      // A long name can be wrapped at its hyphens.
      let name = HTMLText.of(column.profile).split(separator: "-", omittingEmptySubsequences: false)
      text += "\(name.joined(separator: "-<wbr>"))</th>"
    }
    return text + "</tr>\n"
  }

  /// Returns whether the columns of another backend begin here.
  private func isFirst(_ column: Int) -> Bool {
    column > 0 && columns[column - 1].backend != columns[column].backend
  }

  private func heading(of group: Group) -> String {
    let document = group.document.map { " <small>\(HTMLText.of($0))</small>" } ?? ""
    let sentence = group.sentence.map { "<span>\(HTMLText.of($0))</span>" } ?? ""
    return "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"\(columns.count + 1)\"><div>"
      + "<b>\(HTMLText.of(group.name))</b>\(document)\(sentence)</div></th></tr>\n"
  }

  private func line(of index: Int) -> String {
    let row = rows[index]
    var text = "<tr id=\"r\(index)\">"
    // A long ID can be wrapped at its slashes.
    let id = HTMLText.of(row.id).split(separator: "/", omittingEmptySubsequences: false)
      .joined(separator: "/<wbr>")
    text += "<th scope=\"row\" class=\"first\"><code>\(id)</code>"
    if let title = row.title { text += "<span>\(HTMLText.of(title))</span>" }
    if !row.otherItems.isEmpty {
      let items = row.otherItems.map(HTMLText.of).joined(separator: ", ")
      text += "<small>also \(items)</small>"
    }
    text += "</th>"
    for (column, cell) in row.cells.enumerated() {
      text += Self.cell(cell, anchor: "c\(index)-\(column)", isFirst(column))
    }
    return text + "</tr>\n"
  }

  private static func cell(_ cell: Cell?, anchor: String, _ isFirst: Bool) -> String {
    let edge = isFirst ? " edge" : ""
    switch cell {
    case nil: return isFirst ? "<td class=\"edge\"></td>" : "<td></td>"
    case .notRun: return "<td class=\"\(CellState.notRun.cssClass)\(edge)\">not run</td>"
    case .run(let one):
      let time = one.timeText.map { "<small>\($0)</small>" } ?? ""
      let hang = one.hangs.calls > 0 ? " \(hangClass)" : ""
      // Without the script, the link leads to the text below the table.
      let tag = one.verdict.needsAttention ? "a href=\"#\(anchor)\"" : "button"
      return "<td class=\"\(one.state.cssClass)\(hang)\(edge)\">"
        + "<\(tag) aria-label=\"\(one.spokenText)\" tabindex=\"-1\">\(one.state.glyph)\(time)"
        + (one.verdict.needsAttention ? "</a></td>" : "</button></td>")
    }
  }
}

extension Matrix.Group {
  /// The key of the group in an address: its specification and its name.
  var key: String { "\(document ?? ""):\(name)" }
}
