// Each sentence is independent: none uses another, and their order does not matter.
extension RequirementSentence {
  package static let all: [RequirementSentence] =
    ofChanges + ofEnds + ofChannels + ofConnections + ofWaiting

  private static let ofChanges: [RequirementSentence] = [
    RequirementSentence(
      "a-change-destroys", ["D9", "O4", "T6"],
      "At a category change every existing channel is destroyed."
    ) { before, step, _, terms in
      !terms.hasMonitor || !before.isChange(step.fact)
        || before.channels.allSatisfy { step.destroyed.contains($0.id) }
    },
    RequirementSentence(
      "a-change-ends", ["O3", "T7", "C8", "M11"],
      "At a change of category every call on a channel ends UNAVAILABLE."
    ) { before, step, _, terms in
      !terms.hasMonitor || !before.isChange(step.fact)
        || before.calls.allSatisfy { call in
          call.channel == nil || step.end(of: call.id) == Status.unavailable
        }
    },
    RequirementSentence(
      "a-change-is-told", ["M9", "M11"], "At a change of category observers are notified, once."
    ) { before, step, _, terms in
      let count = step.orders.count { $0 == .notifies }
      return count == (terms.hasMonitor && before.isChange(step.fact) ? 1 : 0)
    },
    RequirementSentence(
      "no-change-does-nothing", ["M9", "M12"],
      "A callback of the current category has no effect."
    ) { before, step, _, _ in
      guard case .callback = step.fact, !before.isChange(step.fact) else { return true }
      return step.orders.isEmpty
    },
    RequirementSentence(
      "the-first-read-does-nothing", ["M7"], "The first read has no effect."
    ) { _, step, _, _ in
      guard case .firstRead = step.fact else { return true }
      return step.orders.isEmpty
    },
    RequirementSentence(
      "tokens-are-not-hit", ["C6"],
      "A category change does not affect a call that waits for its token."
    ) { before, step, _, _ in
      guard case .callback = step.fact else { return true }
      return before.calls.allSatisfy { !$0.awaitsToken || step.end(of: $0.id) == nil }
    },
  ]

  private static let ofEnds: [RequirementSentence] = [
    RequirementSentence("one-end", ["C5"], "A call ends once.") { before, step, _, _ in
      step.endedCalls.allSatisfy { id in
        step.endCount(of: id) == 1 && (before.call(id) != nil || step.starts(id))
      }
    },
    RequirementSentence(
      "nothing-after-the-end", ["C5", "P13"],
      "Nothing is sent for a call that has ended, and it is given nothing."
    ) { before, step, _, _ in
      var ended: [Int] = []
      for order in step.orders {
        switch order {
        case .ends(let id, _): ended.append(id)
        case .sends(let id, _), .gives(let id):
          guard !ended.contains(id), before.call(id) != nil || step.starts(id) else { return false }
        default: break
        }
      }
      return true
    },
    RequirementSentence(
      "a-cancel-ends", ["B10"], "A call that its user cancels ends CANCELLED."
    ) { before, step, _, _ in
      guard case .cancelled(let id) = step.fact, before.call(id) != nil else { return true }
      return step.end(of: id) == Status.cancelled
    },
    RequirementSentence(
      "the-server-ends", ["B10"], "A call that the server ends has the server's status."
    ) { before, step, _, _ in
      guard case .serverEnded(let id, let status) = step.fact,
        before.call(id)?.connection != nil
      else { return true }
      return step.end(of: id) == status
    },
    RequirementSentence(
      "deadlines", ["D5c", "P16"],
      "A call ends DEADLINE_EXCEEDED only if it has a deadline, and when it has passed."
    ) { before, step, _, terms in
      step.orders.allSatisfy { order in
        guard case .ends(let id, Status.deadlineExceeded) = order, step.serverEnds(id) == nil
        else { return true }
        guard let deadline = before.call(id)?.deadline ?? step.deadline(of: id) else {
          return false
        }
        return !terms.isTimed || step.at >= deadline
      }
    },
    RequirementSentence(
      "disconnect-ends", ["P10"],
      "A disconnect destroys the channel of its host, and ends its calls UNAVAILABLE."
    ) { before, step, _, _ in
      guard case .disconnects(let host) = step.fact else { return true }
      return before.channels.allSatisfy { channel in
        step.destroyed.contains(channel.id) == (channel.host == host)
      }
        && before.calls.allSatisfy { call in
          guard let channel = call.channel.flatMap(before.channel) else { return true }
          return (step.end(of: call.id) == Status.unavailable) == (channel.host == host)
        }
    },
    RequirementSentence(
      "disconnect-all-ends", ["P11"], "A disconnect of all hosts destroys every channel there is."
    ) { before, step, _, _ in
      step.fact != .disconnectsAll
        || before.channels.allSatisfy { step.destroyed.contains($0.id) }
    },
    RequirementSentence(
      "nothing-for-nothing", ["B10"],
      "A call ends only because of its user, its server, its connection, time or a change."
    ) { before, step, _, _ in
      switch step.fact {
      case .connected, .drains, .token, .answered, .firstRead, .other:
        step.endedCalls.allSatisfy { before.call($0)?.awaitsToken == true }
      case .cancelled(let id), .serverEnded(let id, _): step.endedCalls.allSatisfy { $0 == id }
      default: true
      }
    },
  ]

  private static let ofChannels: [RequirementSentence] = [
    RequirementSentence(
      "one-channel", ["D1", "H1", "P1"], "There is one channel for each host."
    ) { _, _, after, _ in
      after.channels.allSatisfy { one in after.channels.count { $0.host == one.host } == 1 }
    },
    RequirementSentence(
      "living-channels", ["H2", "O5", "P12"],
      "A call gets a channel of its host that has not been destroyed."
    ) { before, step, _, _ in
      var living = before.channels.map(\.id)
      for order in step.orders {
        switch order {
        case .makesChannel(let id, _):
          guard !living.contains(id) else { return false }
          living.append(id)
        case .destroys(let id): living.removeAll { $0 == id }
        case .binds(_, let id), .opens(_, let id): guard living.contains(id) else { return false }
        default: break
        }
      }
      return true
    },
    RequirementSentence(
      "legal-moves", ["B8"], "A channel changes its state only as the chart allows."
    ) { before, step, _, _ in
      var phases = before.channels.map { ($0.id, $0.phase) }
      for order in step.orders {
        if case .makesChannel(let id, _) = order { phases.append((id, .idle)) }
        guard case .moves(let id, let from, let to) = order else { continue }
        guard let index = phases.firstIndex(where: { $0.0 == id }), phases[index].1 == from,
          Self.chart.contains(where: { $0.0 == from && $0.1 == to })
        else { return false }
        phases[index].1 = to
      }
      return true
    },
    RequirementSentence(
      "unused-channels", ["P6", "P7"],
      "A channel is destroyed as unused only after it had no call for the time of the profile."
    ) { before, step, _, terms in
      guard step.fact == .time else { return true }
      return step.destroyed.allSatisfy { id in
        // An unanswered ping breaks its connection.
        if terms.breakDestroys,
          before.connections.contains(where: { $0.channel == id && $0.isOpen })
        {
          return true
        }
        guard let channel = before.channel(id), let kept = terms.keptUnused,
          !before.calls.contains(where: { $0.channel == id }), channel.wasUsed
        else { return false }
        guard terms.isTimed else { return true }
        guard let since = channel.unusedSince else { return false }
        // A device that was asleep at that instant destroys the channel when it wakes.
        return step.at == since + kept || step.isAtWaking && step.at > since + kept
      }
    },
    RequirementSentence(
      "nothing-destroys-by-itself", ["D2", "O6", "P10", "P11"],
      "A channel is destroyed by a change, a disconnect, disuse, the client's end, or a break."
    ) { before, step, _, terms in
      switch step.fact {
      case .callback: before.isChange(step.fact) || step.destroyed.isEmpty
      case .broke: terms.breakDestroys || step.destroyed.isEmpty
      case .disconnects, .disconnectsAll, .closes, .time: true
      default: step.destroyed.isEmpty
      }
    },
  ]

  private static let chart: [(ChannelPhase, ChannelPhase)] = [
    (.idle, .connecting), (.connecting, .ready), (.connecting, .transientFailure),
    (.connecting, .idle), (.ready, .transientFailure), (.ready, .idle),
    (.transientFailure, .connecting),
  ]

  private static let ofConnections: [RequirementSentence] = [
    RequirementSentence(
      "a-break-ends", ["O7", "D2", "S2"],
      "When a connection breaks, its calls end UNAVAILABLE, or UNKNOWN if the stream reports it."
    ) { before, step, _, _ in
      guard case .broke(let id) = step.fact, before.connection(id)?.isOpen == true else {
        return true
      }
      return before.calls.allSatisfy { call in
        guard call.connection == id else { return true }
        let end = step.end(of: call.id)
        return end == Status.unavailable || end == Status.unknown
      }
    },
    RequirementSentence(
      "a-break-destroys", ["O6"], "A break destroys its channel if the profile requires it."
    ) { before, step, _, terms in
      guard terms.breakDestroys, case .broke(let id) = step.fact,
        let one = before.connection(id), one.isOpen
      else { return true }
      return step.destroyed.contains(one.channel)
    },
    RequirementSentence(
      "living-connections", ["P13"],
      "Calls are sent on connections that are made and have not been closed."
    ) { before, step, _, _ in
      var open = before.connections.filter(\.isOpen).map(\.id)
      if case .connected(let id) = step.fact { open.append(id) }
      if case .broke(let id) = step.fact { open.removeAll { $0 == id } }
      for order in step.orders {
        switch order {
        case .shuts(let id): open.removeAll { $0 == id }
        case .sends(_, let id): guard open.contains(id) else { return false }
        default: break
        }
      }
      return true
    },
    RequirementSentence(
      "nothing-new-while-draining", ["B8"], "A connection that drains takes no new call."
    ) { before, step, _, _ in
      step.orders.allSatisfy { order in
        guard case .sends(let call, let id) = order else { return true }
        let drains = before.connection(id)?.drains == true || step.fact == .drains(id)
        return !drains || before.call(call)?.connection == id
      }
    },
    RequirementSentence(
      "the-dead-have-none", ["H2", "C4"], "A destroyed channel leaves no connection."
    ) { _, step, after, _ in
      step.destroyed.allSatisfy { id in !after.connections.contains { $0.channel == id } }
    },
  ]

  private static let ofWaiting: [RequirementSentence] = [
    RequirementSentence(
      "connected-runs", ["D5a"], "When a connection is made the calls that wait for it run."
    ) { before, step, _, _ in
      guard case .connected(let id) = step.fact, let one = before.connection(id), !one.isOpen
      else { return true }
      return before.calls.allSatisfy { call in
        call.channel != one.channel || call.connection != nil || step.sends(call.id)
      }
    },
    RequirementSentence(
      "failed-ends", ["D5b", "B11"],
      "When an attempt fails, the calls that wait for it end UNAVAILABLE; after a failed name "
        + "lookup, only if the profile requires it."
    ) { before, step, _, terms in
      guard case .failed(let id, let isNameFailure) = step.fact, let one = before.connection(id),
        !one.isOpen
      else { return true }
      let ends = !isNameFailure || terms.nameEndsCalls
      return before.calls.allSatisfy { call in
        guard call.channel == one.channel, call.connection == nil else { return true }
        return step.end(of: call.id) == (ends ? Status.unavailable : nil)
      }
    },
    RequirementSentence(
      "no-attempt-for-nobody", ["D4", "D1"],
      "A connection is made only if a call waits for it, one at a time for each channel."
    ) { before, step, after, _ in
      step.opened.allSatisfy { opened in
        let waits = after.calls.contains { $0.channel == opened.channel && $0.connection == nil }
        let wasAsked = step.orders.contains { order in
          if case .binds(_, opened.channel) = order { true } else { false }
        }
        let others = before.connections.contains {
          $0.channel == opened.channel && !$0.drains
        }
        let isOnly = step.opened.count { $0.channel == opened.channel } == 1
        return (waits || wasAsked) && !others && isOnly
      }
    },
    RequirementSentence(
      "nobody-waits-beside", ["D5a", "D1"],
      "A call does not wait while its channel has a connection that accepts calls."
    ) { _, _, after, _ in
      after.calls.allSatisfy { call in
        guard let channel = call.channel, call.connection == nil else { return true }
        return !after.connections.contains { $0.channel == channel && $0.isOpen && !$0.drains }
      }
    },
    RequirementSentence(
      "bound-or-ended", ["C1", "C6", "C13", "D7"],
      "A call that has no token to wait for is bound to a channel, or ends."
    ) { _, _, after, _ in
      after.calls.allSatisfy { $0.awaitsToken || $0.channel != nil }
    },
  ]
}

extension Step {
  fileprivate func starts(_ call: Int) -> Bool {
    if case .starts(call, _, _, _, _) = fact { true } else { false }
  }

  fileprivate func deadline(of call: Int) -> Int64? {
    if case .starts(call, _, _, _, let deadline) = fact { deadline } else { nil }
  }

  fileprivate func serverEnds(_ call: Int) -> Int? {
    if case .serverEnded(call, let status) = fact { status } else { nil }
  }
}
