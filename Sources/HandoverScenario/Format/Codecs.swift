import HandoverCore

// The values of keys: how each type is declared, read and written.

extension Codec where Value == Interval {
  static var time: Self { times(.time, mustPass: false) }
  static var positiveTime: Self { times(.positiveTime, mustPass: true) }

  private static func times(_ format: ValueFormat, mustPass: Bool) -> Self {
    Self(format) {
      $0.interval($1, $2, mustPass: mustPass)
    } write: {
      .text($1.text)
    }
  }
}

extension Codec where Value == Instant {
  static var instant: Self {
    Self(.time, { $0.instant($1, $2) }, write: { .text($1.text) })
  }

  /// An instant at which the run must still be in progress.
  static var reachable: Self {
    Self(.time, { $0.reachable($1, $2) }, write: { .text($1.text) })
  }
}

extension Codec where Value: FixedWidthInteger & Sendable {
  static func integer(_ range: ClosedRange<Value>) -> Self {
    Self(
      .integer(Int128(range.lowerBound)...Int128(range.upperBound)), { $0.integer($1, $2, range) },
      write: { .integer($1) })
  }
}

extension Codec where Value == Int {
  /// A number of things, from zero.
  static var count: Self { .integer(0...ScenarioLimits.count) }
  /// A number that counts from one.
  static var ordinal: Self { .integer(1...ScenarioLimits.count) }
  /// A size in bytes.
  static var byteCount: Self { .integer(1...ScenarioLimits.messageByteCount) }

  /// The index of a host.
  static var host: Self {
    Self(.host, { b, v, _ in b.host(v, "the host") }, write: { $0.host(named: $1) })
  }
  /// The index of a call that the timeline starts before or after this entry.
  static var call: Self {
    Self(.reference([.call]), { b, v, _ in b.call(named: v) }, write: { $0.call($1) })
  }
  /// The index of a call that has started.
  static var startedCall: Self {
    Self(.reference([.call]), { b, v, _ in b.startedCall(named: v) }, write: { $0.call($1) })
  }
  /// The index of an interceptor.
  static var link: Self {
    Self(.reference([.interceptor]), { b, v, _ in b.link(v) }, write: { $0.link($1) })
  }
  /// The index of a pool.
  static var pool: Self {
    Self(.name, { b, v, _ in b.pool(v) }, write: { $0.pool($1) })
  }
}

extension Codec where Value == HostSelector {
  static var hostOrAll: Self {
    Self(.hostOrAll, { b, v, _ in b.hostSelector(v, "the host") }, write: { $0.host($1) })
  }
}

extension Codec where Value == PathIndex {
  /// A path that exists already.
  static var knownPath: Self {
    Self(.path, { b, v, _ in b.knownPath(v) }, write: { .text($0.path($1)) })
  }
  /// A network that must be declared.
  static var network: Self {
    Self(.reference([.network]), { b, v, _ in b.declaredNetwork(v) }, write: { .text($0.path($1)) })
  }
}

extension Codec where Value == Ratio {
  static func decimal(_ range: ClosedRange<Int>) -> Self {
    Self(
      .decimal(range), { $0.ratio($1, $2, Int64(range.lowerBound)...Int64(range.upperBound)) },
      write: { _, ratio in
        let thousandths = UInt128(ratio.numerator) * 1_000 / UInt128(ratio.denominator)
        return .number(CanonicalNumber.decimal(thousandths, outOf: 1_000))
      })
  }
}

extension Codec where Value == Bool {
  static var boolean: Self {
    Self(.boolean, { $0.boolean($1, $2) }, write: { .boolean($1) })
  }

  /// A keyword that stands for `true`, in a set with a keyword for `false` at most.
  static func keyword<Keyword: FormatKeyword & Equatable & Sendable>(
    _ keyword: Keyword, else other: Keyword
  ) -> Self {
    Self(.keyword(Keyword.self)) { builder, value, owner in
      (builder.keyword(value, owner) as Keyword?).map { $0 == keyword }
    } write: {
      .text(($1 ? keyword : other).rawValue)
    }
  }
}

extension Codec where Value: FormatKeyword & Sendable {
  static var keyword: Self { .keyword(KeywordSet(Value.self), Array(Value.allCases)) }

  static func keyword(_ set: KeywordSet, _ keywords: [Value]) -> Self {
    Self(.keyword(set), { $0.keyword($1, $2, among: keywords) }, write: { .text($1.rawValue) })
  }
}

extension Codec where Value == StatusCode {
  static var status: Self {
    Self(
      .keyword(.statuses),
      { $0.member($1, $2, .unknownStatus, among: StatusCode.allCases, named: \.name) },
      write: { .text($1.name) })
  }
}

extension Codec where Value == ChannelState {
  static var channelState: Self {
    Self(
      .keyword(.channelStates),
      { $0.member($1, $2, .unknownState, among: ChannelState.allCases, named: \.name) },
      write: { .text($1.name) })
  }
}

extension Codec where Value == String {
  static var name: Self {
    Self(.name, { $0.name($1, $2) }, write: { .text($1) })
  }
  static func name(from definition: ValueFormat.NameDefinition) -> Self {
    Self(.reference([definition]), { $0.name($1, $2) }, write: { .text($1) })
  }
  static func text(bytes: Int) -> Self {
    Self(.text(bytes: bytes), { $0.text($1, $2, limit: bytes) }, write: { .text($1) })
  }
}

extension Codec where Value == [String] {
  static var messages: Self {
    Self(.messages, { $0.texts($1, $2) }, write: { .texts($1) })
  }
}

extension Codec where Value == [ScriptHeader] {
  static var headers: Self {
    Self(
      .headers, { $0.headers($1, $2) },
      write: { encoder, headers in .object(headers.map(encoder.header)) })
  }
}

extension Codec where Value == [Int] {
  /// The indices of interceptors.
  static func links(_ count: ClosedRange<Int>) -> Self {
    Self(.list(.reference([.interceptor]), count: count)) { builder, value, owner in
      guard builder.has(value, .array, owner) else { return nil }
      return value.elements.prefix(ScenarioLimits.links).compactMap { builder.link($0) }
    } write: { encoder, links in
      .array(links.map(encoder.link))
    }
  }
}

extension Codec {
  /// A list of keywords, in the order of the file.
  static func keywords<Keyword: FormatKeyword & Sendable>() -> Self where Value == [Keyword] {
    Self(
      .list(.keyword(Keyword.self), count: 0...ScenarioLimits.keywords), { $0.keywords($1, $2) },
      write: { .texts($1.map(\.rawValue)) })
  }
}

extension Codec where Value: Sendable {
  /// The value of a part that can also be absent.
  var optional: Codec<Value?> {
    Codec<Value?>(format) { [read] in
      read(&$0, $1, $2).map(Optional.some)
    } write: {
      [write] encoder, value in
      value.map { write(encoder, $0) } ?? .null
    }
  }

  /// An object; keys that are invalid have their defaults.
  static func object(_ table: @autoclosure @escaping @Sendable () -> ObjectTable<Value>) -> Self {
    Self(.object { table().object }) { builder, value, _ in
      var root = table().defaultValue
      _ = builder.read(value, table(), into: &root)
      return root
    } write: {
      $0.json($1, table())
    }
  }
}
