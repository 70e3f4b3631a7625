public import HandoverCore

/// How much one scenario may hold; beyond each limit stands a diagnostic of its own.
public enum ScenarioLimits {
  /// The number of entries of a timeline.
  public static let entries = 100_000
  /// The number of calls that a timeline starts, with the requests it makes and the questions it
  /// asks.
  public static let calls = 65_536
  /// The number of channels that calls have: of different pairs of a host and options.
  public static let channels = 32_768
  /// The number of calls that go through interceptors, each counted once, and once more for each
  /// interceptor.
  public static let interceptedCalls = 50_000
  /// The number of bytes that all messages have together that go through interceptors.
  public static let interceptedByteCount = 1 << 24
  /// The number of long requests that are made of short ones.
  public static let polledRequests = 50_000
  /// The number of declared hosts.
  public static let hosts = 1_000
  /// The number of addresses of a host.
  public static let addresses = 16
  /// The number of connection identifiers that a server of QUIC may give beside the one in use.
  public static let connectionIDs = 1_000
  /// The number of migrations of a connection to one network.
  public static let migrations = 1_000_000
  /// The number of interceptors of a run.
  public static let links = 100
  /// The number of headers, trailers or messages of one object.
  public static let headers = 100
  /// The number of words in `sees` or `breaks` of an expectation.
  public static let words = 1_000
  /// The number of connections that requests to one endpoint may be limited to.
  public static let connections = 1_000
  /// The number of streams that a connection may be limited to.
  public static let streams = 1_000_000
  /// The number of expectations.
  public static let expectations = 100_000
  /// The number of ends of a call that will do.
  public static let alternatives = 16
  /// The number of sources.
  public static let sources = 1_000
  /// The length of a name (an id, a host, a path), in bytes of UTF-8.
  public static let nameByteCount = 200
  /// The length of a free text (a title, a message, an option), in bytes of UTF-8.
  public static let textByteCount = 10_000
  /// The number of bytes that one message or a send buffer may have.
  public static let messageByteCount = 1 << 30
  /// The greatest number that an expectation can count to.
  public static let count = 1_000_000_000
  /// The longest time, and the latest instant: a million hours.
  public static let longestTime = Interval.minutes(60_000_000)
}
