import HandoverCore
import HandoverJSON

private enum QualityKey: String, FieldKey {
  case delay, rate, loss, burst, reorder, reorderBy, mtu, mtuSignal, trace, direction

  static let vocabulary = Vocabulary<Self>()
}

extension ScenarioBuilder {
  /// Reads the quality of a network, or returns `nil` if it is invalid.
  mutating func quality(
    _ value: JSONValue, smallestMTU: UInt16 = LinkQuality.smallestMTU
  ) -> LinkQuality? {
    guard let fields = fields(value, "\"quality\"", QualityKey.self) else { return nil }
    var quality = LinkQuality()
    if let delay = interval(fields[.delay], "\"delay\"") { quality.delay = delay }
    if let rate = fields[.rate] { quality.bitsPerSecond = self.rate(rate) }
    if let loss = fields[.loss].flatMap({ self.share($0, "\"loss\"") }) {
      quality.lossPerMillion = loss
    }
    readBurst(fields, &quality)
    readReordering(fields, &quality)
    if let mtu = fields[.mtu] {
      quality.mtu = integer(mtu, "\"mtu\"", smallestMTU...UInt16.max)
    } else {
      refuse(
        .mtuSignal, fields, "it requires \"mtu\"", hint: "remove \"mtuSignal\", or add \"mtu\"")
    }
    if let signal = fields[.mtuSignal].flatMap({
      self.word($0, "\"mtuSignal\"") as MTUSignal?
    }) {
      quality.mtuSignal = signal
    }
    if let trace = fields[.trace] { quality.trace = self.trace(trace) }
    if let direction = fields[.direction].flatMap({
      self.word($0, "\"direction\"") as LinkDirection?
    }) {
      quality.direction = direction
    }
    return quality
  }

  private mutating func readBurst(
    _ fields: Fields<QualityKey>, _ quality: inout LinkQuality
  ) {
    guard let burst = fields[.burst] else { return }
    guard fields[.loss] != nil else {
      return refuse(
        .burst, fields, "it requires \"loss\"", hint: "remove \"burst\", or add \"loss\"")
    }
    quality.burst = integer(burst, "\"burst\"", 1...LinkQuality.longestBurst)
    guard quality.burstsAreTooShort else { return }
    report(
      .burstTooShort, at: burst,
      "loss is too high for this burst length: at least one packet must pass between two bursts",
      hint: "write a longer \"burst\", or a smaller \"loss\"")
  }

  private mutating func readReordering(
    _ fields: Fields<QualityKey>, _ quality: inout LinkQuality
  ) {
    guard let reorder = fields[.reorder] else {
      return refuse(
        .reorderBy, fields, "it requires \"reorder\"",
        hint: "remove \"reorderBy\", or add \"reorder\"")
    }
    if let share = share(reorder, "\"reorder\"") { quality.reorderPerMillion = share }
    if let by = interval(fields[.reorderBy], "\"reorderBy\"", mustPass: true) {
      quality.reorderBy = by
    }
  }

  private mutating func share(_ value: JSONValue, _ owner: String) -> UInt32? {
    guard let text = text(value, owner, limit: ScenarioLimits.nameByteCount) else { return nil }
    if let share = LinkNotation.share(text) { return share }
    report(
      .invalidQuality, at: value, "\(owner): \(Excerpt.quoted(text)) is not a valid percentage",
      hint: "write a percentage from \"0%\" to \"100%\", with at most four decimals")
    return nil
  }

  private mutating func rate(_ value: JSONValue) -> Int64? {
    guard let text = text(value, "\"rate\"", limit: ScenarioLimits.nameByteCount) else {
      return nil
    }
    if let rate = LinkNotation.rate(text) { return rate }
    report(
      .invalidQuality, at: value, "\"rate\": \(Excerpt.quoted(text)) is not a valid rate",
      hint: "write a rate such as \"500kbit\", \"2.5Mbit\" or \"1Gbit\"")
    return nil
  }

  /// Reads the trace of a name; without a trace source, the trace is only a name.
  private mutating func trace(_ value: JSONValue) -> LinkTrace? {
    guard let name = name(value, "\"trace\"") else { return nil }
    guard let traces else { return LinkTrace(name: name) }
    do throws(LinkTrace.Problem) {
      if let trace = try traces(name) { return trace }
      report(
        .invalidTrace, at: value, "the trace \(Excerpt.quoted(name)) cannot be read",
        hint: "write the name of a file of at most 8 MiB in the scenario's folder or below")
      return nil
    } catch {
      report(
        .invalidTrace, at: value, "\(Excerpt.quoted(name)) is not a valid trace: \(error.reason)",
        hint: "write a time in whole milliseconds on each line, in ascending order")
      return nil
    }
  }
}
