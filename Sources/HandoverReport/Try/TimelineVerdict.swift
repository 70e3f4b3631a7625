import HandoverCore
public import HandoverTry

/// Whether a program kept to its limits while it lived through a timeline.
public struct TimelineVerdict: Hashable, Sendable {
  /// What became of the program at the changes of the network.
  public var outages: [TimelineOutage]
  /// What it is held to.
  public var gates: TryGates

  /// A verdict.
  public init(_ outages: [TimelineOutage], _ gates: TryGates) {
    self.outages = outages
    self.gates = gates
  }

  /// Why nobody can tell whether a limit was kept at an outage; nil where it can be told.
  private func doubt(_ outage: TimelineOutage) -> String? {
    guard let maxOutage = gates.maxOutage, outage.recovers == nil else { return nil }
    if let doubt = outage.doubt { return doubt.words }
    guard outage.programEnd == nil, outage.watched <= maxOutage else { return nil }
    return "it was watched for only \(outage.watched.readable) after the change"
  }

  /// What is beyond a limit at an outage, as far as that can be told.
  private func complaints(about outage: TimelineOutage) -> [String] {
    gates.complaints(
      outages: doubt(outage) == nil ? [outage.delay] : [], attempts: [outage.attempts])
  }

  /// Whether a limit was not kept.
  public var isBad: Bool { outages.contains { !complaints(about: $0).isEmpty } }
  /// Whether there is a verdict on at least one outage.
  public var isDecided: Bool { isBad || outages.contains { doubt($0) == nil } }

  /// All of it on one line; times of changes are as the program's log tells them.
  public var text: String {
    if isBad { return "OVER THE LIMIT: \(complaints.joined(separator: "; "))." }
    guard isDecided else {
      let doubts = outages.compactMap(doubt)
      return "INCONCLUSIVE: \(doubts.first ?? "the network did not change while it ran")."
    }
    let open = outages.count { doubt($0) != nil }
    let rest = open == 0 ? "" : "; \(open) of \(outages.count) came to no verdict"
    return "WITHIN THE LIMIT: \(figures.joined(separator: ", "))\(rest)."
  }

  private var complaints: [String] {
    outages.flatMap { outage in
      complaints(about: outage).map { "\($0) (the change at \(Self.seconds(outage.since)))" }
    }
  }

  /// The worst figures of those that were asked for.
  private var figures: [String] {
    let longest = outages.compactMap(\.delay).max()
    let most = outages.map(\.attempts).max()
    return [
      gates.maxOutage.flatMap { _ in longest }.map(figure),
      gates.maxAttempts.flatMap { _ in most }.map {
        "\(TryVerdict.connections($0)) at most"
      },
    ].compactMap { $0 }
  }

  private func figure(_ longest: Interval) -> String {
    let isNear = gates.maxOutage.map { TryLimit($0).isNear(longest) } ?? false
    return "an outage of \(longest.readable) at most\(isNear ? " (at the limit)" : "")"
  }

  private static func seconds(_ instant: Instant) -> String { instant.since(.zero).readable }
}

extension TimelineOutage.Doubt {
  fileprivate var words: String {
    switch self {
    case .silentBefore: "no payload came before the network changed"
    case .noNetwork: "the device has no network to the end"
    }
  }
}
