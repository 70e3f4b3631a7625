import HandoverBackend
import HandoverCore

/// The parts of a world's digest.
///
/// A test omits each part and checks that the digest then misses a difference.
enum DigestPart: CaseIterable {
  case device, monitor, client, clientDeadlines, held, hosts, connections, paths, quality
  case migrations, streams, agenda, callbacks, turns, effects, chains, requests
}

extension World {
  /// Returns a digest of all state that determines the world's behavior until the next entry.
  ///
  /// Two worlds of the same script and profile with equal digests behave the same: the same entries
  /// at the same distances cause the same records, except for absolute times and generations of
  /// rows. With interceptors the digest is far slower, because their parts are collected one by
  /// one.
  func digest(leavingOut omission: DigestPart? = nil) -> StateDigest {
    var digest = WorldDigest(at: context.now)
    if omission != .device { context.device.combine(into: &digest.value) }
    if omission != .monitor { monitor.combine(into: &digest.value) }
    if omission != .client {
      client.calls.core.combine(
        into: &digest.value, leavesOutDeadlines: omission == .clientDeadlines)
    }
    client.calls.clock.combine(into: &digest.value)
    if omission != .held { digest.combine(client.calls.held, network) }
    if omission != .hosts { digest.combineHosts(network) }
    if omission != .connections { digest.combineConnections(network) }
    if omission != .paths { digest.combinePaths(network.paths) }
    if omission != .quality, network.air != nil { digest.combineQuality(network) }
    if omission != .migrations, network.quic != nil { digest.combineQUIC(network) }
    if omission != .streams { digest.combineStreams(network) }
    if omission != .agenda {
      digest.combine(context.agenda, of: self)
      digest.combine(context.periodic, of: self)
    }
    if omission != .callbacks { digest.combine(context.callbacks, of: self) }
    if omission != .turns {
      digest.value.combine(context.turns != nil)
      context.turns?.combine(into: &digest.value)
    }
    if omission != .effects { digest.combineEffects(context.faultsWithEffect) }
    if hasChains, omission != .chains { digest.value.combine(reflecting: chains as Any) }
    if omission != .requests { client.combineRequests(into: &digest.value, context) }
    return digest.value
  }
}

extension CallbackQueue {
  /// Adds to a digest the state that determines the future callbacks.
  ///
  /// The number of overruns is not part of it.
  func combine(into digest: inout StateDigest) {
    digest.combine(UInt64(underWay))
    digest.combine(lastDelivered.map { UInt64($0.rawValue) } ?? .max)
    digest.combine(
      UInt64(lastReceived.rawValue) << 32
        | UInt64(faults.misses.count) << 16 | UInt64(faults.delays.count))
    for fault in faults.misses + faults.delays {
      digest.combine(fault.length)
      digest.combine(
        UInt64(fault.cause) << 32 | (fault.path.map { UInt64($0.index) } ?? .max >> 32))
    }
  }
}
