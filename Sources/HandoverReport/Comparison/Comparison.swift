import HandoverCore
import HandoverEngine

/// The differences between a report and an earlier one.
package struct Comparison: Hashable, Sendable {
  private let before: RunReport
  private let after: RunReport
  private var worse: [Change] = []
  private var better: [Change] = []
  /// Cases with an unchanged verdict, in which a call ends differently.
  private var otherCalls: [Change] = []
  /// Cases in which only the trace digest differs.
  private var otherDigests: [String] = []
  private var onlyBefore: [RunReport.Case] = []
  private var onlyAfter: [RunReport.Case] = []

  private struct Change: Hashable, Sendable {
    var before: RunReport.Case
    var after: RunReport.Case
    var calls: [String]
  }

  /// Compares two reports.
  package init(from before: RunReport, to after: RunReport) {
    self.before = before
    self.after = after
    let earlier = Self.positions(before)
    for one in after.cases {
      guard let index = earlier[one.name] else {
        onlyAfter.append(one)
        continue
      }
      compare(before.cases[index], one)
    }
    let later = Self.positions(after)
    onlyBefore = before.cases.filter { later[$0.name] == nil }
  }

  /// Whether the verdict of a case got worse, or a case is missing.
  package var hasRegressed: Bool { !worse.isEmpty || !onlyBefore.isEmpty }

  private mutating func compare(_ old: RunReport.Case, _ new: RunReport.Case) {
    let change = Change(before: old, after: new, calls: Self.changes(old.calls, new.calls))
    if new.verdict > old.verdict {
      worse.append(change)
    } else if new.verdict < old.verdict {
      better.append(change)
    } else if !change.calls.isEmpty {
      otherCalls.append(change)
    } else if let digest = new.digest, let other = old.digest, digest != other {
      otherDigests.append(new.name)
    }
  }

  private static func positions(_ report: RunReport) -> [String: Int] {  // lookup only
    var positions: [String: Int] = [:]  // lookup only
    for (index, one) in report.cases.enumerated() { positions[one.name] = index }
    return positions
  }

  private static func changes(_ old: [RunReport.Call], _ new: [RunReport.Call]) -> [String] {
    guard old != new else { return [] }
    let (earlier, later) = (positions(old), positions(new))
    var texts = new.compactMap { call in
      guard let index = earlier[call.id] else { return "call \"\(call.id)\": new, \(call.text)" }
      return old[index] == call
        ? nil : "call \"\(call.id)\": \(old[index].text) → \(call.text)"
    }
    for call in old where later[call.id] == nil {
      texts.append("call \"\(call.id)\": missing, \(call.text) before")
    }
    return texts
  }

  private static func positions(_ calls: [RunReport.Call]) -> [String: Int] {  // lookup only
    var positions: [String: Int] = [:]  // lookup only
    for (index, call) in calls.enumerated() { positions[call.id] = index }
    return positions
  }
}

extension Comparison {
  /// The maximum number of cases listed in a section; the other cases are only counted.
  private static let maximumCases = 100

  /// Returns the comparison as text.
  ///
  /// - Parameters:
  ///   - listingAll: whether all cases are listed, including those in which only the digest
  ///     differs.
  ///   - width: the number of columns, or `nil` if it is unknown.
  /// - Returns: the lines, each with a line feed.
  package func text(listingAll: Bool, width: Int? = nil) -> String {
    let limit = listingAll ? Int.max : Self.maximumCases
    var text = remarks(width)
    func section(_ title: String, _ entries: [String]) -> String {
      self.section(title, entries, limit, width)
    }
    text += section("Worse", worse.map { changed($0, withFindings: true, width) })
    text += section("Better", better.map { changed($0, withFindings: false, width) })
    text += section("Only in \(VisibleText.of(after.file))", onlyAfter.map { unpaired($0, width) })
    text += section(
      "Only in \(VisibleText.of(before.file))", onlyBefore.map { unpaired($0, width) })
    text += section("Calls that end differently", otherCalls.map { calls($0, width) })
    text += figures(width)
    if !otherDigests.isEmpty {
      let count = counted(otherDigests.count, "case")
      text += "Same verdict, different trace: \(count)"
      text += listingAll ? "\n" : " (--all lists them)\n"
      if listingAll { text += otherDigests.map { "  \(VisibleText.of($0))\n" }.joined() }
      text += "\n"
    }
    return text + Self.lines(sum, 0, width)
  }

  /// Returns indented text, wrapped to a width.
  private static func lines(_ text: String, _ indent: Int, _ width: Int?) -> String {
    VisibleText.indented(text, by: indent, width: width).map { $0 + "\n" }.joined()
  }

  /// Returns a case with its description, which moves to the next line if it does not fit.
  private static func named(_ one: RunReport.Case, _ words: String, _ width: Int?) -> String {
    let name = VisibleText.of(one.name)
    let line = "  \(name)  \(words)\n"
    guard let width, line.count - 1 > width else { return line }
    return "  \(name)\n" + lines(words, 6, width)
  }

  private func remarks(_ width: Int?) -> String {
    var remarks: [String] = []
    if before.backend != after.backend {
      remarks.append(
        "Different backend: \(VisibleText.of(before.backend)) → "
          + VisibleText.of(after.backend))
    }
    if before.seed != after.seed {
      let seeds = [before.seed, after.seed].map { $0.map(String.init) ?? "from the files" }
      remarks.append("Different seed: \(seeds[0]) → \(seeds[1])")
    }
    for report in [before, after] where report.wasInterrupted {
      remarks.append("\(VisibleText.of(report.file)) comes from an interrupted run")
    }
    guard !remarks.isEmpty else { return "" }
    return remarks.map { Self.lines($0, 0, width) }.joined() + "\n"
  }

  private func section(
    _ title: String, _ entries: [String], _ limit: Int, _ width: Int?
  ) -> String {
    guard !entries.isEmpty else { return "" }
    var text = Self.lines("\(title) (\(entries.count))", 0, width)
    text += entries.prefix(limit).joined()
    if entries.count > limit { text += "  and \(entries.count - limit) more (--all lists them)\n" }
    return text + "\n"
  }

  private func changed(_ change: Change, withFindings: Bool, _ width: Int?) -> String {
    let verdicts = "\(change.before.verdict.name) → \(change.after.verdict.name)"
    let findings = withFindings ? change.after.findings : []
    return Self.named(change.after, verdicts, width)
      + (findings + change.calls).map { Self.lines(VisibleText.of($0), 6, width) }.joined()
  }

  private func calls(_ change: Change, _ width: Int?) -> String {
    "  \(VisibleText.of(change.after.name))\n"
      + change.calls.map { Self.lines(VisibleText.of($0), 6, width) }.joined()
  }

  private func unpaired(_ one: RunReport.Case, _ width: Int?) -> String {
    Self.named(one, one.verdict.name, width)
  }

  private func figures(_ width: Int?) -> String {
    var names = after.figures.map(\.name)
    names += before.figures.map(\.name).filter { !names.contains($0) }
    var table = TextTable("profile", "median", "worst", "calls", "never ended")
    for name in names {
      let old = before.figures.first { $0.name == name }
      let new = after.figures.first { $0.name == name }
      guard old != new else { continue }
      table.add(
        name, Self.step(old?.median?.exactText, new?.median?.exactText),
        Self.step(old?.worst?.exactText, new?.worst?.exactText),
        Self.step(old.map { "\($0.calls)" }, new.map { "\($0.calls)" }),
        Self.step(old.map { "\($0.neverEnded)" }, new.map { "\($0.neverEnded)" }))
    }
    return table.isEmpty
      ? "" : "Time from the network change to the end of a call\n" + table.text(width: width) + "\n"
  }

  private static func step(_ old: String?, _ new: String?) -> String {
    old == new ? old ?? "-" : "\(old ?? "none") → \(new ?? "none")"
  }

  private var sum: String {
    let both = after.cases.count - onlyAfter.count
    let parts = [
      "\(worse.count) worse", "\(better.count) better", "\(otherCalls.count) with different calls",
      "\(otherDigests.count) with a different trace", "\(onlyAfter.count) new",
      "\(onlyBefore.count) missing",
    ]
    return "\(counted(both, "case")) in both: " + parts.joined(separator: ", ")
  }
}
