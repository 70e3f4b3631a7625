package import HandoverCore

/// The network changes that follow from timeline entries, immediately or later.
///
/// Examples of later changes are the end of a linger, an uplink that is restored, and a router that
/// forgets its flows periodically.
package struct NetworkAgenda: Hashable {
  /// A change that is scheduled for later.
  private struct Later: Hashable {
    var at: Instant
    var deed: NetworkDeed
    /// The period after which the change is repeated, or `nil` if it happens once.
    var every: Interval?
    /// The duration of each uplink outage, after which the uplink is restored.
    var lasts: Interval?
  }

  private enum Kind {
    case linger
    case translation
    case uplink
  }

  private var later: [Later] = []

  /// Creates an empty agenda.
  package init() {}

  /// The instant of the next scheduled change, or `nil` if there is none.
  package var nextDue: Instant? { later.map(\.at).min() }

  /// Returns the immediate changes of an action, and schedules its later ones.
  package mutating func deeds(
    of action: NetworkAction, on path: PathIndex, at now: Instant
  ) -> [NetworkDeed] {
    switch action {
    case .up:
      cancel(.linger, path)
      return [.up(path)]
    case .makeDefault:
      cancel(.linger, path)
      return [.makeDefault(path)]
    case .losing(let linger, let ending):
      cancel(.linger, path)
      later.append(Later(at: now + linger, deed: .down(path, ending)))
      return []
    case .down(let ending):
      cancel(.linger, path)
      return [.down(path, ending)]
    case .captive: return [.portal(path, isThere: true)]
    case .validated: return [.portal(path, isThere: false)]
    case .nat(let word, let unknown, let every):
      cancel(.translation, path)
      let deed = NetworkDeed.translate(path, word, unknown)
      if let every { later.append(Later(at: now + every, deed: deed, every: every)) }
      return [deed]
    case .roam(let word, let unknown): return [.roam(path, word, unknown)]
    case .uplink(let isUp, let lasts, let every):
      cancel(.uplink, path)
      if let lasts { later.append(Later(at: now + lasts, deed: .uplink(path, isUp: true))) }
      if let lasts, let every {
        later.append(
          Later(
            at: now + every, deed: .uplink(path, isUp: false), every: every, lasts: lasts))
      }
      return [.uplink(path, isUp: isUp)]
    case .loss(let word): return [.loss(path, word)]
    case .quality(let quality): return [.quality(path, quality)]
    }
  }

  /// Removes and returns the first change that is due, or `nil` if none is due.
  package mutating func takeDue(at now: Instant) -> (at: Instant, deed: NetworkDeed)? {
    guard let due = nextDue, due <= now,
      let place = later.firstIndex(where: { $0.at == due })
    else { return nil }
    let taken = later.remove(at: place)
    if let every = taken.every {
      var next = taken
      next.at = due + every
      later.append(next)
    }
    if let lasts = taken.lasts, case .uplink(let path, false) = taken.deed {
      later.append(Later(at: due + lasts, deed: .uplink(path, isUp: true)))
    }
    return (due, taken.deed)
  }

  /// Cancels all repetitions that have not begun.
  package mutating func endRepetitions() { later.removeAll { $0.every != nil } }

  private mutating func cancel(_ kind: Kind, _ path: PathIndex) {
    later.removeAll { entry in
      switch (kind, entry.deed) {
      case (.linger, .down(path, _)), (.translation, .translate(path, _, _)),
        (.uplink, .uplink(path, _)):
        true
      default: false
      }
    }
  }
}
