import HandoverCore

/// Lookups of hosts with several addresses, and connection attempts to them.
extension Network {
  /// Changes the addresses that lookups of a host's name return from now on.
  mutating func changeAnswer(of host: Int, cause: UInt32, _ context: borrowing Context) {
    links.hosts[host].answerCause = context.script.answerCause(
      for: host, after: cause, previous: links.hosts[host].answerCause)
  }

  /// Makes an address unreachable, or reachable again, for all hosts that have this address.
  mutating func setReachable(
    _ isReachable: Bool, _ position: Int, of host: Int, cause: UInt32, _ context: inout Context
  ) {
    let address = context.script.hosts[host].addresses[position].text
    for other in context.script.hosts.indices {
      let own = context.script.hosts[other].addresses.firstIndex { $0.text == address }
      guard let own,
        links.hosts[other].setReachable(isReachable, own, from: context.now, cause: cause)
      else { continue }
      for index in links.liveRows(to: other, &context)
      where isOpen(index) && Int(links.connections[index].address) == own {
        context.markEffect(of: cause)
        if isReachable {
          removeStall(index, .addressUnreachable, &context)
        } else {
          addStall(index, .addressUnreachable, &context)
        }
      }
      raceAgain(to: other, &context)
    }
  }

  /// Runs the race between the addresses of an attempt's host.
  func race(
    _ index: Int, on path: PathIndex, from begin: Instant, _ context: inout Context
  ) -> AddressRace.End {
    let host = Int(links.connections[index].host)
    let entry = links.connections[index].answerCause
    var causes: [UInt32] = []
    let end = context.script.race(to: host, on: path, changedBy: entry) { candidate, start in
      let (answer, cause) = links.hosts[host].answer(
        of: candidate.position, to: begin + start, takes: candidate.connect)
      if let cause { causes.append(cause) }
      guard let answer else { return (.nothing, start) }
      let isRefused = links.hosts[host].refuses(at: answer)
      return (isRefused ? .refuse : candidate.answer, answer.since(begin))
    }
    for cause in causes { context.markEffect(of: cause) }
    return end
  }

  /// Records how an attempt at several addresses will end.
  ///
  /// - Returns: the time until that end, or `nil` if no address responds.
  mutating func follow(_ race: AddressRace.End, _ index: Int) -> Interval? {
    links.connections[index].isRefused = false
    links.connections[index].address = Connection.anyAddress
    switch race {
    case .accepted(let position, let after):
      links.connections[index].address = UInt8(truncatingIfNeeded: position)
      return after
    case .refused(let after):
      links.connections[index].isRefused = true
      return after
    case .unanswered, .noAddress: return nil
    }
  }

  /// Sends the first packet of a connection again, because the previous answer was lost.
  ///
  /// The answer is that of the servers and addresses at this instant.
  mutating func sendAgain(_ index: Int, _ context: inout Context) {
    links.connections[index].handshakeIsDue = false
    guard links.connections[index].phase == .connecting,
      links.hosts[Int(links.connections[index].host)].hasAddresses,
      let path = links.connections[index].path
    else { return sendFirstPacket(index, &context) }
    let race = race(index, on: path, from: context.now, &context)
    // The retransmission was under way, so the answer takes no more time.
    sendFirstPacket(index, takes: follow(race, index).map { _ in .zero }, &context)
  }

  /// Returns whether the address that an attempt has chosen is reachable, if its host lists any.
  func hasReachableAddress(_ index: Int, _ context: borrowing Context) -> Bool {
    let address = links.connections[index].address
    let host = Int(links.connections[index].host)
    return address == Connection.anyAddress
      || links.hosts[host].isReachable(Int(address), at: context.now)
  }

  /// Restarts the races to a host with several addresses, because its server started or stopped
  /// refusing connections, or an address became unreachable or reachable.
  ///
  /// Pending attempts end differently. Responses before the change remain valid.
  mutating func raceAgain(to host: Int, _ context: inout Context) {
    for index in links.liveRows(to: host, &context)
    where links.connections[index].phase == .connecting {
      guard let begin = links.connections[index].raceBegan,
        let path = links.connections[index].path
      else { continue }
      if let end = links.connections[index].raceEnd { context.agenda.cancel(end) }
      links.connections[index].raceEnd = nil
      let race = race(index, on: path, from: begin, &context)
      guard let delay = follow(race, index) else { continue }
      links.connections[index].raceEnd = context.agenda.schedule(
        .handshake(links.identifier(index)), at: max(context.now, begin + delay), .transport)
    }
  }
}
