import HandoverCore

// Network events change the flags of the device, which are those of the default network.
extension RunProjection {
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
