import HandoverCore
package import HandoverTry

/// The verdict on whether a program stayed within its limits during a timeline.
package struct TimelineVerdict: Hashable, Sendable {
  /// The outages of the program at the network changes.
  package var outages: [TimelineOutage]
  /// The limits of the program.
  package var gates: TryGates

  /// Creates a verdict.
  package init(_ outages: [TimelineOutage], _ gates: TryGates) {
    self.outages = outages
    self.gates = gates
  }

  /// Returns the reason why an outage is inconclusive, or `nil` if it is not.
  private func unknownLengthReason(_ outage: TimelineOutage) -> String? {
    guard let maxOutage = gates.maxOutage, outage.recovers == nil else { return nil }
    if let unknownLengthReason = outage.unknownLengthReason { return unknownLengthReason.phrase }
    guard outage.programEnd == nil, outage.watched <= maxOutage else { return nil }
    return "it was watched for only \(outage.watched.readable) after the change"
  }

  /// Returns the limits that an outage exceeds, if this can be decided.
  private func complaints(about outage: TimelineOutage) -> [String] {
    gates.complaints(
      outages: unknownLengthReason(outage) == nil ? [outage.delay] : [], attempts: [outage.attempts]
    )
  }

  /// Whether the program exceeded a limit.
  package var isBad: Bool { outages.contains { !complaints(about: $0).isEmpty } }
  /// Whether at least one outage has a verdict.
  package var isDecided: Bool { isBad || outages.contains { unknownLengthReason($0) == nil } }

  /// The verdict in one line; the times of changes are those in the program's log.
  package var text: String {
    if isBad { return "OVER THE LIMIT: \(complaints.joined(separator: "; "))." }
    guard isDecided else {
      let doubts = outages.compactMap(unknownLengthReason)
      return "INCONCLUSIVE: \(doubts.first ?? "the network did not change while it ran")."
    }
    let open = outages.count { unknownLengthReason($0) != nil }
    let rest = open == 0 ? "" : "; \(open) of \(outages.count) have no verdict"
    return "WITHIN THE LIMIT: \(figures.joined(separator: ", "))\(rest)."
  }

  private var complaints: [String] {
    outages.flatMap { outage in
      complaints(about: outage).map { "\($0) (the change at \(Self.seconds(outage.since)))" }
    }
  }

  /// The worst values of the limited figures.
  private var figures: [String] {
    let longest = outages.compactMap(\.delay).max()
    let most = outages.map(\.attempts).max()
    return [
      gates.maxOutage.flatMap { _ in longest }.map(figure),
      gates.maxAttempts.flatMap { _ in most }.map {
        "at most \(TryVerdict.connections($0))"
      },
    ].compactMap { $0 }
  }

  private func figure(_ longest: Interval) -> String {
    let isNear = gates.maxOutage.map { TryLimit($0).isNear(longest) } ?? false
    return "an outage of at most \(longest.readable)\(isNear ? " (at the limit)" : "")"
  }

  private static func seconds(_ instant: Instant) -> String { instant.since(.zero).readable }
}

extension TimelineOutage.UnknownLengthReason {
  fileprivate var phrase: String {
    switch self {
    case .silentBefore: "no data arrived before the network change"
    case .noNetwork: "the device has no network until the end"
    }
  }
}
