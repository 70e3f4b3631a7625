import HandoverCore
import HandoverScenario

/// Compares expectations about chains with the observed chains, and formats these as text.
struct ChainWording {
  private let state: RunProjection

  init(_ state: RunProjection) {
    self.state = state
  }

  // MARK: Evaluation

  func holds(_ link: Int, _ wanted: InterceptorExpectation) -> Bool {
    guard let call = wanted.call else { return allCalls(link, hold: wanted) }
    let seen = call < state.chains.count ? state.chains[call].link(link) : nil
    return matches(wanted.made, seen != nil) && matches(wanted.sees, seen?.sees ?? [])
      && matches(wanted.breaks, seen?.breaks ?? [])
  }

  private func allCalls(_ link: Int, hold wanted: InterceptorExpectation) -> Bool {
    let sum = state.links[link]
    let (steps, violations) = (sum.steps, sum.violations)
    // Counts are compared first, because they differ in most cases.
    return matches(wanted.made, sum.isMade) && matches(wanted.sees?.count, steps.count)
      && matches(wanted.breaks?.count, violations.count)
      && (wanted.sees == nil || wanted.sees == links(link, steps.calls).flatMap(\.sees))
      && (wanted.breaks == nil || wanted.breaks == links(link, violations.calls).flatMap(\.breaks))
  }

  func holds(_ call: Int, _ wanted: ChainExpectation) -> Bool {
    guard call < state.chains.count else { return false }
    let chain = state.chains[call]
    return matches(wanted.attempts, chain.attempts)
      && matches(wanted.links, chain.links.map { Int($0.position) })
      && matches(wanted.host.map(hostName), chain.host)
      && matches(wanted.path, chain.path)
      && contains(chain.headers, wanted.metadata)
      && matches(wanted.sent, chain.sent) && matches(wanted.heard, chain.received)
      && contains(chain.trailers, wanted.trailers) && matches(wanted.breaks, chain.userBreaks)
  }

  private func matches<Value: Equatable>(_ wanted: Value?, _ seen: Value) -> Bool {
    wanted == nil || wanted == seen
  }

  private func contains(_ seen: [String], _ wanted: [ScriptHeader]?) -> Bool {
    (wanted ?? []).allSatisfy { seen.contains(Self.text($0)) }
  }

  /// Returns the interceptors at a position in the script, for the given calls.
  private func links(_ link: Int, _ calls: [Int]) -> [ChainState.Link] {
    calls.compactMap { $0 < state.chains.count ? state.chains[$0].link(link) : nil }
  }

  private func hostName(_ host: Int) -> String { state.script.hosts[host].written }

  // MARK: Observed text

  func seen(_ link: Int, _ wanted: InterceptorExpectation) -> String {
    let sum = state.links[link]
    let own = wanted.call.map { links(link, [$0]) }
    let (took, broke) = (
      own ?? links(link, sum.steps.calls), own ?? links(link, sum.violations.calls)
    )
    return Wording.listed([
      wanted.made.map { _ in own.map { !$0.isEmpty } ?? sum.isMade ? "made" : "not made" },
      wanted.sees.map { _ in
        Self.sees(
          took.lazy.flatMap(\.sees), of: own.map { $0.first?.sees.count ?? 0 } ?? sum.steps.count)
      },
      wanted.breaks.map { _ in
        Self.breaks(
          broke.lazy.flatMap(\.breaks),
          of: own.map { $0.first?.breaks.count ?? 0 } ?? sum.violations.count)
      },
    ])
  }

  func seen(_ call: Int, _ wanted: ChainExpectation) -> String {
    guard call < state.chains.count else { return "the run has no interceptors" }
    let chain = state.chains[call]
    let names = state.script.configuration.chain.links.map(\.name)
    return Wording.listed([
      wanted.attempts.map { _ in counted(chain.attempts, "attempt") },
      wanted.links.map { _ in Self.links(chain.links.map { SafeText.line(names[Int($0.position)]) })
      },
      wanted.host.map { _ in "to \(chain.attempts == 0 ? "nobody" : SafeText.line(chain.host))" },
      wanted.path.map { _ in "asking \(chain.attempts == 0 ? "nothing" : SafeText.line(chain.path))"
      },
      wanted.metadata.map { _ in Self.texts("sending", chain.headers) },
      wanted.sent.map { _ in Self.texts("sending", chain.sent) },
      wanted.heard.map { _ in Self.texts("giving the user", chain.received) },
      wanted.trailers.map { _ in Self.texts("ending with", chain.trailers) },
      wanted.breaks.map { _ in
        "the user \(Self.breaks(chain.userBreaks, of: chain.userBreaks.count))"
      },
    ])
  }

  // MARK: Formatting

  private static func links(_ names: [String]) -> String {
    names.isEmpty ? "no links made" : "links \(Wording.short(names, of: names.count))"
  }

  private static func sees(_ steps: some Sequence<ChainStep>, of count: Int) -> String {
    count == 0 ? "took nothing" : "took \(Wording.short(steps.lazy.map(\.rawValue), of: count))"
  }

  private static func breaks(_ violations: some Sequence<InterceptorViolation>, of count: Int)
    -> String
  {
    count == 0
      ? "violated no rule" : "violated \(Wording.short(violations.lazy.map(\.rawValue), of: count))"
  }

  private static func texts(_ what: String, _ texts: [String]) -> String {
    guard !texts.isEmpty else { return "\(what) nothing" }
    return
      "\(what) \(Wording.short(texts.lazy.map { "\"\(SafeText.line($0))\"" }, of: texts.count))"
  }

  static func text(_ header: ScriptHeader) -> String { "\(header.key): \(header.value)" }
}
