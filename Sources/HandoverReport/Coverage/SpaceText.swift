import HandoverCore

/// Tables of the transition space, at most 60 columns wide.
package struct SpaceText: Sendable {
  private let coverage: SpaceCoverage
  private let style: Style

  package init(_ coverage: SpaceCoverage, style: Style) {
    self.coverage = coverage
    self.style = style
  }

  package var text: String {
    var lines: [String] = []
    for app in AppState.allCases {
      for phase in TransitionCell.Phase.allCases { lines += table(app, phase) }
    }
    let width = Style.textWidth(style.width)
    for paragraph in [legend, coverage.sum] {
      lines += VisibleText.wrapped(paragraph, width: width) + [""]
    }
    return lines.dropLast().map { $0 + "\n" }.joined()
  }

  private var unreachable: String { style.usesASCII ? "-" : "\u{b7}" }

  private var legend: String {
    "A number: how many scenarios had the change in this state of a call and its channel. "
      + "GAP: a client can reach this state, and no scenario covers it. "
      + "\(unreachable): no client can reach it. FAILURE is TRANSIENT_FAILURE."
  }

  private static let labelWidth = 20

  private func table(_ app: AppState, _ phase: TransitionCell.Phase) -> [String] {
    let channels = coverage.channels(of: phase)
    guard !channels.isEmpty else { return [] }
    let widths = channels.map { max(4, $0.shortName.count) }
    let heading = "\(phase.phrase), \(app.notificationPhrase)"
    var lines = [style.paint(heading, .bold)]
    lines.append(
      VisibleText.padded("  channel", Self.labelWidth)
        + zip(channels, widths).map { "  " + VisibleText.aligned($0.shortName, $1) }.joined())
    for change in TransitionCell.changes {
      let label = "  \(change.from) \(style.symbols.arrow) \(change.to)"
      let cells = zip(channels, widths).map { channel, width in
        "  " + cell(TransitionCell(change, phase, channel, app), width)
      }
      lines.append(VisibleText.padded(label, Self.labelWidth) + cells.joined())
    }
    return lines + [""]
  }

  private func cell(_ cell: TransitionCell, _ width: Int) -> String {
    switch coverage.state(of: cell) {
    case .reached(let count): VisibleText.aligned("\(count)", width)
    case .gap: style.paint(VisibleText.aligned("GAP", width), .yellow)
    case .unreachable: style.paint(VisibleText.aligned(unreachable, width), .dim)
    }
  }
}
