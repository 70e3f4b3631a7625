/// An event on the path of a connection that can migrate between networks (RFC 9000, 9).
@frozen
public enum PathEvent: String, Hashable, Sendable, CaseIterable {
  /// The client sent a PATH_CHALLENGE over the path.
  case challenged
  /// The client received the PATH_RESPONSE.
  case validated
  /// The connection now uses the path.
  case migrated
  /// No PATH_RESPONSE arrived in time.
  case validationFailed
  /// The device left the network, so the client stops waiting for a PATH_RESPONSE.
  case validationAbandoned
  /// The server does not allow connections to migrate.
  case migrationRefused
  /// The server provided no further connection identifiers.
  case connectionIDsUsedUp
  /// The connection has reached the limit of migrations to the path.
  case migrationLimitReached
  /// The server received a packet from a new client address and challenged that address.
  case addressChallenged
  /// The new client address answered the server.
  case addressValidated
  /// The idle timeout expired without a received packet, and the connection is closed.
  case idleTimedOut
}

extension PathEvent {
  /// Returns the rest of a row that starts with the connection.
  func state(_ path: String?) -> String {
    let path = path ?? "no path"
    return switch self {
    case .challenged: "challenges \(path)"
    case .validated: "has \(path) validated"
    case .migrated: "migrates to \(path)"
    case .validationFailed: "has no answer from \(path)"
    case .validationAbandoned: "abandons \(path)"
    case .migrationRefused: "may not migrate"
    case .connectionIDsUsedUp: "has no connection ID left"
    case .migrationLimitReached: "may not migrate to \(path) again"
    case .addressChallenged: "has its new address challenged"
    case .addressValidated: "has its new address validated"
    case .idleTimedOut: "times out"
    }
  }

  /// Returns a sentence about the event, without the full stop.
  func phrase(of connection: String, _ path: String?) -> String {
    let path = path ?? "no network"
    return switch self {
    case .challenged: "\(connection) challenges the path over \(path), to see whether it answers"
    case .validated: "the path over \(path) answers \(connection), and is validated"
    case .migrated: "\(connection) migrates to \(path), and what was lost is sent again"
    case .validationFailed:
      "\(connection) gets no answer over \(path): the validation has failed, and the connection "
        + "stays on its path"
    case .validationAbandoned: "\(connection) no longer waits for an answer over \(path)"
    case .migrationRefused: "the server does not let \(connection) migrate to \(path)"
    case .connectionIDsUsedUp:
      "the connection identifiers of \(connection) are used up, and it does not migrate to \(path)"
    case .migrationLimitReached:
      "\(connection) has reached its limit of migrations to \(path), and stays on its path"
    case .addressChallenged:
      "the server knows \(connection) by its identifier, and challenges its new address"
    case .addressValidated: "the new address of \(connection) answers the server, and is validated"
    case .idleTimedOut:
      "nothing was received on \(connection) for its idle timeout, and it is closed silently "
        + "without a packet"
    }
  }
}
