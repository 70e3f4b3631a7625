/// A server's or proxy's question who asks.
public struct HTTPChallenge: Hashable, Sendable {
  /// The host that asks.
  public var host: String
  /// Its port.
  public var port: Int
  /// The part of the host that the question is about, where it names one.
  public var realm: String?
  /// How it wants to be answered, by Foundation's name for it.
  public var method: String
  /// How many answers it has not accepted.
  public var failures: Int

  /// A question.
  public init(host: String, port: Int, realm: String?, method: String, failures: Int) {
    self.host = host
    self.port = port
    self.realm = realm
    self.method = method
    self.failures = failures
  }
}

/// An answer to a challenge (U62).
public enum HTTPChallengeAnswer: Hashable, Sendable {
  /// By this name and with this password.
  case use(user: String, password: String)
  /// Nobody who would tell; the response is taken as it is.
  case continueWithout
  /// As the transport likes, and as it does when nobody answers (U63).
  case performDefault
  /// The request is to fail.
  case cancel
  /// Not this way; the server may know another.
  case reject
}
