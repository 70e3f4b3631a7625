import HandoverCore

/// The settings of a run, as the protocol encodes them.
struct RunSettings {
  private(set) var configuration = RunConfiguration()

  /// Reads the member `config` of `open`.
  init(_ fields: AnswerFields) throws(AnswerError) {
    let backoff = try fields.object("backoff")
    configuration.backoff.initial = try Self.interval(backoff, "initial")
    configuration.backoff.multiplier = try Self.ratio(backoff, "multiplier")
    configuration.backoff.jitter = try Self.ratio(backoff, "jitter")
    configuration.backoff.maximum = try Self.interval(backoff, "max")
    configuration.backoff.minimumConnectTimeout = try Self.interval(backoff, "minConnectTimeout")
    // Null keeps unused channels forever, as a run without a number does.
    configuration.idle = try fields.optionalNumber("idle").map(Interval.init(microseconds:))
    if fields["keepalive"] != nil {
      let parts = try fields.object("keepalive")
      var keepalive = KeepaliveConfiguration(time: try Self.interval(parts, "time"))
      keepalive.timeout = try Self.interval(parts, "timeout")
      keepalive.withoutCalls = try parts.flag("withoutCalls")
      if parts["overduePing"] != nil {
        keepalive.overduePing = try parts.keyword("overduePing", OverduePing.self)
      }
      configuration.keepalive = keepalive
    }
    if fields["observers"] != nil {
      configuration.order.observers = try fields.keyword("observers", ObserverOrder.self)
    }
    if let seed = fields["seed"]?.unsignedNumber { configuration.seed = seed }
  }

  /// Returns the options in a channel's key.
  static func options(_ fields: AnswerFields) throws(AnswerError) -> ChannelOptions {
    var options = ChannelOptions()
    var others: [String] = []
    for member in fields.value.members {
      guard let name = member.key.text else { continue }
      if let path = ChannelOptions.times.first(where: { $0.name == name })?.path {
        options[keyPath: path] = member.value.wholeNumber.map(Interval.init(microseconds:))
      } else {
        others.append("\(name)=\(member.value.text ?? "")")
      }
    }
    options.others = others.sorted()
    return options
  }

  private static func interval(
    _ fields: AnswerFields, _ name: String
  ) throws(AnswerError) -> Interval {
    Interval(microseconds: try fields.number(name))
  }

  private static func ratio(
    _ fields: AnswerFields, _ name: String
  ) throws(AnswerError) -> Ratio {
    guard let thousandths = try fields.required(name).wholeThousandths else {
      throw AnswerError("\"\(name)\" must be a number with at most three decimals")
    }
    return Ratio(thousandths, outOf: 1_000)
  }
}
