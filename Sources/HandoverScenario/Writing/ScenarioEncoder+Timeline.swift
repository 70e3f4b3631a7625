import HandoverCore

// The changes of networks and the calls in entries of the timeline.

extension ScenarioEncoder {
  func change(_ change: NetworkAction, of path: PathIndex) -> JSONTree {
    var object = EncodedObject<NetworkEntryKey>()
    object[.id] = .text(self.path(path))
    switch change {
    case .up: object[.become] = keyword(NetworkTransition.up)
    case .makeDefault: object[.become] = keyword(NetworkTransition.makeDefault)
    case .losing(let linger, let ending):
      object[.become] = keyword(NetworkTransition.losing)
      object[.linger] = time(linger)
      object[.then] = ending.map { keyword($0) }
    case .down(let ending):
      object[.become] = keyword(NetworkTransition.down)
      object[.then] = ending.map { keyword($0) }
    case .captive: object[.become] = keyword(NetworkTransition.captive)
    case .validated: object[.become] = keyword(NetworkTransition.validated)
    case .nat(let change, let answer, let every):
      object[.nat] = keyword(change)
      object.set(.unknown, answer, unless: change.defaultAnswer)
      object[.every] = every.map(time)
    case .roam(let change, let answer):
      object[.roam] = keyword(change)
      object.set(.unknown, answer, unless: .drop)
    case .uplink(let isUp, let lasts, let every):
      object[.uplink] = keyword(isUp ? UplinkKeyword.up : .down)
      object[.for] = lasts.map(time)
      object[.every] = every.map(time)
    case .loss(let loss): object[.loss] = keyword(loss)
    case .quality(let quality): object[.quality] = json(quality, ScenarioFormat.quality)
    }
    return object.json
  }

  // MARK: Calls and requests

  /// Returns the ID of a call.
  func call(_ index: Int) -> JSONTree { .text(script.calls[index].id) }

  func created(_ call: Int, starts: Bool) -> JSONTree {
    json(CreatedCall(call: script.calls[call], starts: starts), ScenarioFormat.call)
  }
}
