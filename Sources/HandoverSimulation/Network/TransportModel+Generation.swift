import HandoverCore

// The behavior of the later generation of the CFStream code, where it differs (S7).
extension TransportModel {
  /// Returns the failure that is reported for the loss of an established connection: the failure
  /// itself, or a stream error without a status.
  func worded(
    _ failure: ConnectionFailure, in generation: CFStreamGeneration
  ) -> ConnectionFailure {
    guard hasStreamEvents, generation == .eventEngine else { return failure }
    return switch failure {
    case .aborted: .streamAborted
    case .reset: .streamReset
    case .timedOut: .streamTimedOut
    case .networkUnreachable, .nameResolutionFailed, .connectTimedOut, .refused, .closed,
      .keepaliveTimeout, .streamAborted, .streamReset, .streamTimedOut:
      failure
    }
  }

  /// Returns whether the end of an established connection is read as "no data".
  func endsUnnoticed(_ failure: ConnectionFailure, in generation: CFStreamGeneration) -> Bool {
    hasStreamEvents && generation == .eventEngine && failure == .closed
  }
}
