import HandoverCore
import HandoverEngine

/// What is otherwise in one report than in an earlier one.
public struct Comparison: Hashable, Sendable {
  private let before: RunReport
  private let after: RunReport
  private var worse: [Change] = []
  private var better: [Change] = []
  /// Cases with the verdict they had, and a call that ends otherwise.
  private var otherCalls: [Change] = []
  /// Cases of which nothing but the digest is otherwise.
  private var otherDigests: [String] = []
  private var onlyBefore: [RunReport.Case] = []
  private var onlyAfter: [RunReport.Case] = []

  private struct Change: Hashable, Sendable {
    var before: RunReport.Case
    var after: RunReport.Case
    var calls: [String]
  }

  /// Compares two reports.
  public init(from before: RunReport, to after: RunReport) {
    self.before = before
    self.after = after
    let earlier = Self.places(before)
    for one in after.cases {
      guard let index = earlier[one.name] else {
        onlyAfter.append(one)
        continue
      }
      compare(before.cases[index], one)
    }
    let later = Self.places(after)
    onlyBefore = before.cases.filter { later[$0.name] == nil }
  }

  /// Whether the verdict of a case got worse.
  public var gotWorse: Bool { !worse.isEmpty }

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

  private static func places(_ report: RunReport) -> [String: Int] {  // lookup only
    var places: [String: Int] = [:]  // lookup only
    for (index, one) in report.cases.enumerated() { places[one.name] = index }
    return places
  }

  private static func changes(_ old: [RunReport.Call], _ new: [RunReport.Call]) -> [String] {
    guard old != new else { return [] }
    let (earlier, later) = (places(old), places(new))
    var texts = new.compactMap { call in
      guard let index = earlier[call.id] else { return "call \"\(call.id)\": is new, \(call.text)" }
      return old[index] == call
        ? nil : "call \"\(call.id)\": \(old[index].text) → \(call.text)"
    }
    for call in old where later[call.id] == nil {
      texts.append("call \"\(call.id)\": is gone, \(call.text) before")
    }
    return texts
  }

  private static func places(_ calls: [RunReport.Call]) -> [String: Int] {  // lookup only
    var places: [String: Int] = [:]  // lookup only
    for (index, call) in calls.enumerated() { places[call.id] = index }
    return places
  }
}

// The comparison in words.
extension Comparison {
  /// How many cases of a section are told; of the others only the number.
  private static let maximumCases = 100

  /// The comparison in lines.
  ///
  /// - Parameter listingAll: whether cases are named of which only the digest is otherwise, and
  ///   none is left out.
  /// - Returns: the lines, each ended by a line feed.
  public func text(listingAll: Bool) -> String {
    let limit = listingAll ? Int.max : Self.maximumCases
    var text = remarks
    text += section("Worse", worse.map { changed($0, withFindings: true) }, limit)
    text += section("Better", better.map { changed($0, withFindings: false) }, limit)
    text += section(
      "Only in \(VisibleText.of(after.file))", onlyAfter.map { lonely($0) }, limit)
    text += section(
      "Only in \(VisibleText.of(before.file))", onlyBefore.map { lonely($0) }, limit)
    text += section("Calls that end otherwise", otherCalls.map { calls($0) }, limit)
    text += figures
    if !otherDigests.isEmpty {
      let count = VisibleText.counted(otherDigests.count, "case")
      text += "Another way to the same end: \(count)"
      text += listingAll ? "\n" : " (--all lists them)\n"
      if listingAll { text += otherDigests.map { "  \(VisibleText.of($0))\n" }.joined() }
      text += "\n"
    }
    return text + sum
  }

  private var remarks: String {
    var text = ""
    if before.backend != after.backend {
      text += "The backend is another one: \(VisibleText.of(before.backend)) → "
      text += "\(VisibleText.of(after.backend))\n"
    }
    if before.seed != after.seed {
      let seeds = [before.seed, after.seed].map { $0.map(String.init) ?? "the files' own" }
      text += "The seed is another one: \(seeds[0]) → \(seeds[1])\n"
    }
    for report in [before, after] where report.wasInterrupted {
      text += "\(VisibleText.of(report.file)) is of a run that was interrupted\n"
    }
    return text.isEmpty ? "" : text + "\n"
  }

  private func section(_ title: String, _ entries: [String], _ limit: Int) -> String {
    guard !entries.isEmpty else { return "" }
    var text = "\(title) (\(entries.count))\n" + entries.prefix(limit).joined()
    if entries.count > limit { text += "  and \(entries.count - limit) more (--all lists them)\n" }
    return text + "\n"
  }

  private func changed(_ change: Change, withFindings: Bool) -> String {
    let verdicts = "\(change.before.verdict.name) → \(change.after.verdict.name)"
    var text = "  \(VisibleText.of(change.after.name))  \(verdicts)\n"
    if withFindings {
      for finding in change.after.findings { text += "      \(VisibleText.of(finding))\n" }
    }
    return text + change.calls.map { "      \(VisibleText.of($0))\n" }.joined()
  }

  private func calls(_ change: Change) -> String {
    "  \(VisibleText.of(change.after.name))\n"
      + change.calls.map { "      \(VisibleText.of($0))\n" }.joined()
  }

  private func lonely(_ one: RunReport.Case) -> String {
    "  \(VisibleText.of(one.name))  \(one.verdict.name)\n"
  }

  private var figures: String {
    var names = after.figures.map(\.name)
    names += before.figures.map(\.name).filter { !names.contains($0) }
    var table = TextTable("profile", "median", "worst", "calls", "never ended")
    for name in names {
      let old = before.figures.first { $0.name == name }
      let new = after.figures.first { $0.name == name }
      guard old != new else { continue }
      table.add(
        name, Self.step(old?.median?.text, new?.median?.text),
        Self.step(old?.worst?.text, new?.worst?.text),
        Self.step(old.map { "\($0.calls)" }, new.map { "\($0.calls)" }),
        Self.step(old.map { "\($0.neverEnded)" }, new.map { "\($0.neverEnded)" }))
    }
    return table.isEmpty ? "" : "From the change to the end of a call\n" + table.text + "\n"
  }

  private static func step(_ old: String?, _ new: String?) -> String {
    old == new ? old ?? "-" : "\(old ?? "none") → \(new ?? "none")"
  }

  private var sum: String {
    let both = after.cases.count - onlyAfter.count
    let parts = [
      "\(worse.count) worse", "\(better.count) better", "\(otherCalls.count) with other calls",
      "\(otherDigests.count) another way", "\(onlyAfter.count) new", "\(onlyBefore.count) gone",
    ]
    return "\(VisibleText.counted(both, "case")) in both: " + parts.joined(separator: ", ") + "\n"
  }
}
