/// An authentication challenge of a server or proxy.
public struct HTTPChallenge: Hashable, Sendable {
  /// The host that sent the challenge.
  public var host: String
  /// The port of the host.
  public var port: Int
  /// The protected area of the host, or `nil` if the challenge names none.
  public var realm: String?
  /// The authentication method, as named by Foundation.
  public var method: String
  /// The number of answers that the host has rejected.
  public var failures: Int

  /// Creates a challenge.
  public init(host: String, port: Int, realm: String?, method: String, failures: Int) {
    self.host = host
    self.port = port
    self.realm = realm
    self.method = method
    self.failures = failures
  }
}

/// An answer to an authentication challenge (U62).
public enum HTTPChallengeAnswer: Hashable, Sendable {
  /// Answers with a user name and a password.
  case use(user: String, password: String)
  /// Continues without credentials and accepts the current response.
  case continueWithoutCredential
  /// Uses the default handling of the transport, as without a handler (U63).
  case performDefault
  /// Fails the request.
  case cancel
  /// Rejects this authentication method, so that the server can offer another one.
  case reject
}
