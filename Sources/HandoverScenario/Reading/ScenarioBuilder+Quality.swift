import HandoverCore

extension ScenarioBuilder {
  mutating func share(_ value: JSONValue, _ owner: String) -> UInt32? {
    guard let text = text(value, owner, limit: ScenarioLimits.nameByteCount) else { return nil }
    if let share = LinkNotation.share(text) { return share }
    report(
      .invalidQuality, at: value, "\(owner): \(Excerpt.quoted(text)) is not a valid percentage",
      hint: "write a percentage from \"0%\" to \"100%\", with at most four decimals")
    return nil
  }

  mutating func rate(_ value: JSONValue) -> Int64? {
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
  mutating func trace(_ value: JSONValue) -> LinkTrace? {
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
