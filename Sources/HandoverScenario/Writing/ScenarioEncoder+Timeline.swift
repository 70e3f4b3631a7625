import HandoverCore

// The changes of networks and the calls in entries of the timeline.

extension ScenarioEncoder {
  func change(_ change: NetworkAction, of path: PathIndex) -> JSONTree {
    var object = EncodedObject<NetworkEntryKey>()
    object[.id] = .text(self.path(path))
    switch change {
    case .up: object[.become] = word(NetworkTransition.up)
    case .makeDefault: object[.become] = word(NetworkTransition.makeDefault)
    case .losing(let linger, let ending):
      object[.become] = word(NetworkTransition.losing)
      object[.linger] = time(linger)
      object[.then] = ending.map { word($0) }
    case .down(let ending):
      object[.become] = word(NetworkTransition.down)
      object[.then] = ending.map { word($0) }
    case .captive: object[.become] = word(NetworkTransition.captive)
    case .validated: object[.become] = word(NetworkTransition.validated)
    case .nat(let change, let answer, let every):
      object[.nat] = word(change)
      object.set(.unknown, answer, unless: change.usualAnswer)
      object[.every] = every.map(time)
    case .roam(let change, let answer):
      object[.roam] = word(change)
      object.set(.unknown, answer, unless: .drop)
    case .uplink(let isUp, let lasts, let every):
      object[.uplink] = word(isUp ? UplinkWord.up : .down)
      object[.for] = lasts.map(time)
      object[.every] = every.map(time)
    case .loss(let loss): object[.loss] = word(loss)
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
