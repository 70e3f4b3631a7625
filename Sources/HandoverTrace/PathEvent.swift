/// What became of the way of a connection that can go from network to network (RFC 9000, 9).
@frozen
public enum PathEvent: String, Hashable, Sendable, CaseIterable {
  /// A PATH_CHALLENGE was sent over it.
  case challenged
  /// The PATH_RESPONSE is there.
  case validated
  /// The connection is on it from now on.
  case migrated
  /// No answer came in time.
  case validationFailed
  /// The device has left it, and no answer is waited for.
  case validationAbandoned
  /// The server lets no connection migrate.
  case migrationRefused
  /// The server gave no further connection identifier.
  case connectionIDsUsedUp
  /// The connection has migrated to it as often as it may.
  case migrationLimitReached
  /// The server met the connection at another address, and challenged it.
  case addressChallenged
  /// That address has answered the server.
  case addressValidated
  /// Nothing was received on it for too long, and the connection is no more.
  case idleTimedOut
}

extension PathEvent {
  /// The rest of a row that begins with the connection.
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
    case .migrationLimitReached: "has reached its limit of \(path)"
    case .addressChallenged: "has its new address challenged"
    case .addressValidated: "has its new address validated"
    case .idleTimedOut: "times out"
    }
  }

  /// A sentence about it, without its full stop.
  func words(of connection: String, _ path: String?) -> String {
    let path = path ?? "no network"
    return switch self {
    case .challenged: "\(connection) challenges the path over \(path), to see whether it answers"
    case .validated: "the path over \(path) answers \(connection), and is validated"
    case .migrated: "\(connection) migrates to \(path), and what was lost is sent again"
    case .validationFailed:
      "nobody answers \(connection) over \(path): the validation has failed, and the connection "
        + "stays where it was"
    case .validationAbandoned: "\(connection) waits for no answer over \(path) any more"
    case .migrationRefused: "the server does not let \(connection) migrate to \(path)"
    case .connectionIDsUsedUp:
      "the connection identifiers of \(connection) are used up, and it does not migrate to \(path)"
    case .migrationLimitReached:
      "\(connection) has migrated to \(path) as often as it may, and stays where it was"
    case .addressChallenged:
      "the server knows \(connection) by its identifier, and challenges its new address"
    case .addressValidated: "the new address of \(connection) answers the server, and is validated"
    case .idleTimedOut:
      "nothing was received on \(connection) for its idle time-out, and it is no more; no packet "
        + "says so"
    }
  }
}
