package import HandoverCore

/// Describes how far a run on real sockets agrees with the simulation, entry by entry.
package struct AgreementText {
  private let script: Script
  private let style: Style

  /// Creates a description for runs of a script.
  package init(_ script: Script, style: Style = .plain) {
    self.script = script
    self.style = style
  }

  /// Returns a summary in one line.
  package func sum(_ agreement: Agreement) -> String {
    guard agreement.count > 0 else { return "nothing happened, neither simulated nor live" }
    let things = counted(agreement.count, "event")
    return agreement.isFull
      ? "matches the simulation in \(things)"
      : "matches the simulation in \(agreement.agreeing) of \(things)"
  }

  /// Returns the lines of a case: each entry, followed by its consequences with their two times.
  package func lines(_ agreement: Agreement) -> [String] {
    var lines: [String] = []
    var flags = script.initial.flags
    let phrases = EntryPhrases(script)
    let consequences = agreement.steps.flatMap(\.consequences)
    // The two times after the text take about 40 columns.
    let room = max(24, style.tableWidth - 44)
    let width = min(64, room, consequences.map { VisibleText.of($0.what).count }.max() ?? 0)
    for step in agreement.steps {
      if let index = step.entry {
        let entry = script.entries[index]
        lines.append(
          "\(entry.at.exactText)  " + VisibleText.of(phrases.text(of: entry.action, after: flags)))
        if case .flags(let next, _, _, _) = entry.action { flags = next }
      } else if !step.consequences.isEmpty {
        lines.append("at the start")
      }
      for one in step.consequences { lines.append(line(one, width)) }
    }
    return lines
  }

  private func line(_ one: Agreement.Consequence, _ width: Int) -> String {
    let symbol =
      one.agrees
      ? style.paint(style.symbols.passed, .green) : style.paint(style.symbols.failed, .boldRed)
    let simulated = one.simulated.map { "simulated \($0.exactText)" } ?? "not simulated"
    let live = one.live.map { "kernel \($0.exactText)" } ?? "not on the kernel"
    let text = VisibleText.padded(VisibleText.of(one.what), width)
    return "  \(symbol) \(text)  " + style.paint("\(simulated), \(live)", .dim)
  }
}
