import HandoverCore
import HandoverTrace

// What becomes of networks is the flags of the device: those of the default one.
extension RunProjection {
  /// Takes in what became of a network.
  mutating func apply(_ event: NetworkEvent, of network: PathIndex) {
    switch event {
    case .madeDefault: flags = script.network(of: network)?.flags ?? flags
    case .down: if network == path { flags = [] }
    case .up, .losing, .captive, .validated, .flowsForgotten, .portsRebound, .addressRebound,
      .roamed, .routerChanged, .addressChanged, .uplinkDown, .uplinkUp, .losesRequests,
      .losesAnswers, .losesNothing, .qualityChanged:
      break
    }
  }
}
