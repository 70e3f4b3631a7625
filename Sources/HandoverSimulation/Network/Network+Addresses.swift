import HandoverCore
import HandoverTrace

/// Attempts at hosts with several addresses.
extension Network {
  /// Runs the race of an attempt between the addresses of its host.
  func race(
    _ index: Int, on path: PathIndex, from begin: Instant, _ context: borrowing Context
  ) -> AddressRace.End {
    let host = links.connections[index].host
    return context.script.race(to: Int(host), on: path) {
      links.hosts[Int(host)].refuses(at: begin + $0)
    }
  }

  /// Notes how an attempt at several addresses will end.
  ///
  /// - Returns: after which time; nil when no address answers.
  mutating func follow(_ race: AddressRace.End, _ index: Int) -> Interval? {
    links.connections[index].isRefused = false
    links.connections[index].address = Connection.anyAddress
    switch race {
    case .accepted(let place, let after):
      links.connections[index].address = UInt8(truncatingIfNeeded: place)
      return after
    case .refused(let after):
      links.connections[index].isRefused = true
      return after
    case .unanswered, .noAddress: return nil
    }
  }

  /// The server of a host with several addresses refuses from now on, or no longer: the attempts
  /// under way end in another way, but what was answered before stays answered.
  mutating func raceAgain(to host: Int, _ context: inout Context) {
    for index in links.liveRows(to: host, &context)
    where links.connections[index].phase == .connecting {
      guard let begin = links.connections[index].raceBegan,
        let path = links.connections[index].path
      else { continue }
      if let end = links.connections[index].raceEnd { context.agenda.cancel(end) }
      links.connections[index].raceEnd = nil
      let race = race(index, on: path, from: begin, context)
      guard let delay = follow(race, index) else { continue }
      links.connections[index].raceEnd = context.agenda.schedule(
        .handshake(links.identifier(index)), at: max(context.now, begin + delay), .transport)
    }
  }
}
