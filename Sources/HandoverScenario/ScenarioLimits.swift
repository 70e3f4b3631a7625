public import HandoverCore

/// The size limits of a scenario; each limit has a diagnostic for files that exceed it.
public enum ScenarioLimits {
  /// The number of entries of a timeline.
  public static let entries = 100_000
  /// The number of calls, requests and questions in a timeline together.
  public static let calls = 65_536
  /// The number of channels, which are different pairs of a host and options.
  public static let channels = 32_768
  /// The number of calls through interceptors, plus one for each of their interceptors.
  public static let interceptedCalls = 50_000
  /// The total number of bytes of all messages through interceptors.
  public static let interceptedByteCount = 1 << 24
  /// The number of long requests that consist of short requests.
  public static let polledRequests = 50_000
  /// The number of declared hosts.
  public static let hosts = 1_000
  /// The number of addresses of a host.
  public static let addresses = 16
  /// The number of connection IDs that a QUIC server can provide in addition to the one in use.
  public static let connectionIDs = 1_000
  /// The number of migrations of a connection to one network.
  public static let migrations = 1_000_000
  /// The number of interceptors of a run.
  public static let links = 100
  /// The number of headers, trailers or messages of one object.
  public static let headers = 100
  /// The number of keywords in `sees` or `breaks` of an expectation.
  public static let keywords = 1_000
  /// The maximum connection limit for requests to one endpoint.
  public static let connections = 1_000
  /// The maximum number of concurrent streams of a connection.
  public static let streams = 1_000_000
  /// The number of expectations.
  public static let expectations = 100_000
  /// The number of acceptable outcomes of a call.
  public static let alternatives = 16
  /// The number of sources.
  public static let sources = 1_000
  /// The length of a name (an id, a host, a path), in bytes of UTF-8.
  public static let nameByteCount = 200
  /// The length of a string (a title, a message, an option), in bytes of UTF-8.
  public static let textByteCount = 10_000
  /// The size of a message or of a send buffer, in bytes.
  public static let messageByteCount = 1 << 30
  /// The greatest count in an expectation.
  public static let count = 1_000_000_000
  /// The longest time and the latest instant: a million hours.
  public static let longestTime = Interval.minutes(60_000_000)
}
