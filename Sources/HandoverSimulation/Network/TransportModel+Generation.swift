import HandoverCore

// The later generation of the CFStream code, in the few places where it differs (S7).
extension TransportModel {
  /// How the loss of an established connection is told: by its own name, or by a stream's error
  /// without a status.
  @inline(__always)
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

  /// Whether the end of an established connection is read as no data.
  @inline(__always)
  func endsUnnoticed(_ failure: ConnectionFailure, in generation: CFStreamGeneration) -> Bool {
    hasStreamEvents && generation == .eventEngine && failure == .closed
  }
}
