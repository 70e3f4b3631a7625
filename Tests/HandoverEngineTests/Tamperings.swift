import HandoverCore

/// An eventful run without expectations; its calls by their indices in the script.
enum TamperedRun {
  /// Ends at the transition at 1s.
  static let stream: UInt32 = 0
  /// Creates the second channel and ends OK at 2.06s; a callback of the same category follows.
  static let next: UInt32 = 1
  /// Its channel's attempt is refused at 3s.
  static let refused: UInt32 = 2
  /// Waits in the backoff until 4s.
  static let waits: UInt32 = 3
  /// Does not wait in the backoff.
  static let fast: UInt32 = 4
  /// Ends at its deadline, 6s.
  static let late: UInt32 = 5
  /// Is cancelled at 8s.
  static let cancelled: UInt32 = 6
  /// Ends with the disconnect at 10s.
  static let upload: UInt32 = 7
  /// Waits for its token through the transition at 12s, and creates a channel at 13s.
  static let token: UInt32 = 8
  /// Is pinged at 24.05s and ends at 29.05s, all on one connection.
  static let long: UInt32 = 9
  /// Runs until the client is closed.
  static let open: UInt32 = 10
  /// Its channel's attempt gets no answer and is given up at 51s.
  static let unheard: UInt32 = 11

  static let timeline = [
    #"{"at": "0s", "call": {"id": "stream", "host": "a:1", "kind": "streaming"}}"#,
    #"{"at": "1s", "flags": ["Reachable"]}"#,
    #"{"at": "2s", "call": {"id": "next", "host": "a:1"}}"#,
    #"{"at": "2.5s", "flags": ["Reachable", "TransientConnection"]}"#,
    #"{"at": "3s", "call": {"id": "refused", "host": "b:1"}}"#,
    #"{"at": "3.2s", "call": {"id": "waits", "host": "b:1"}}"#,
    #"{"at": "3.3s", "call": {"id": "fast", "host": "b:1", "failFast": true}}"#,
    #"{"at": "5s", "call": {"id": "late", "host": "a:1", "kind": "bidi", "deadline": "1s"}}"#,
    #"{"at": "7s", "call": {"id": "cancelled", "host": "a:1", "kind": "streaming"}}"#,
    #"{"at": "8s", "cancel": "cancelled"}"#,
    #"{"at": "9s", "call": {"id": "upload", "host": "a:1", "kind": "bidi"}}"#,
    #"{"at": "10s", "disconnect": "a:1"}"#,
    #"{"at": "11s", "call": {"id": "token", "host": "a:1", "options": {"token": "2s"}}}"#,
    #"{"at": "12s", "flags": ["Reachable", "IsWWAN"]}"#,
    #"{"at": "14s", "call": {"id": "long", "host": "a:1", "kind": "unary", "takes": "15s"}}"#,
    #"{"at": "30s", "call": {"id": "open", "host": "a:1", "kind": "streaming"}}"#,
    #"{"at": "31s", "call": {"id": "unheard", "host": "c:1"}}"#,
  ]

  static let hosts =
    #""a:1": {"connect": "50ms"}, "b:1": {"server": "refuse"}, "c:1": {"names": "hang"}"#

  static let config = #"{"keepalive": {"time": "10s"}}"#
}

extension Tampering {
  static let all = calls + transitions + channels + waiting + sending + aliveness + moves

  static let calls = [
    Tampering(1, "a call ends twice") { records in
      let end = records.end(TamperedRun.next)
      records.all.insert(records.all[end], at: end + 1)
    },
    Tampering(1, "a call ends again later, with another status") { records in
      let id = records.call(TamperedRun.refused)
      records.insert(.endCall(id, .cancelled), after: records.end(TamperedRun.late))
    },
    Tampering(1, "a message is delivered after the end") { records in
      let id = records.call(TamperedRun.next)
      records.insert(.deliverMessage(id), after: records.end(TamperedRun.next))
    },
    Tampering(1, "a token is asked for after the end") { records in
      let id = records.call(TamperedRun.next)
      records.insert(.fetchToken(id), after: records.end(TamperedRun.next))
    },
    Tampering(1, "a call ends that nobody started") { records in
      records.insert(
        .endCall(CallID(index: 99, generation: 0), .cancelled),
        after: records.end(TamperedRun.next))
    },
  ]

  static let transitions = [
    Tampering(2, "a channel and its call outlive a change of category") { records in
      records.drop(from: records.callbacks[0], where: \.isDestruction)
      records.drop(records.end(TamperedRun.stream))
    },
    Tampering(2, "a call continues after a category change") { records in
      records.drop(records.end(TamperedRun.stream))
    },
    Tampering(2, "a change of category ends a call CANCELLED") { records in
      records.replace(
        records.end(TamperedRun.stream),
        with: .endCall(records.call(TamperedRun.stream), .cancelled))
    },
    Tampering(2, "a change of category ends a call OK") { records in
      records.replace(
        records.end(TamperedRun.stream),
        with: .endCall(records.call(TamperedRun.stream), CallEnd(.ok, .empty)))
    },
    Tampering(2, "a change of category ends a call that waits for its token") { records in
      records.insert(
        .endCall(records.call(TamperedRun.token), .connectivityLost), after: records.callbacks[2])
    },
    Tampering(2, "a change of category is reported with another category") { records in
      records.replace(
        records.callbacks[0] + 1, with: .notify(CategoryChange(from: .noNetwork, to: .wifi)))
    },
    Tampering(2, "a change of category is not reported") { records in
      records.drop(records.callbacks[0] + 1)
    },
    Tampering(3, "a callback of the category held is reported") { records in
      records.insert(
        .notify(CategoryChange(from: .wifi, to: .noNetwork)), after: records.callbacks[1])
    },
    Tampering(3, "a callback of the category held destroys a channel") { records in
      records.insert(
        .channelDestroyed(records.channel(TamperedRun.next), .transition),
        after: records.callbacks[1])
    },
  ]

  static let channels = [
    Tampering(4, "a call is bound to a channel that was destroyed") { records in
      let binding = records.first(from: records.start(TamperedRun.late), where: \.isBinding)
      records.replace(
        binding,
        with: .callBound(
          records.call(TamperedRun.late), records.channel(TamperedRun.stream), isNew: false))
    },
    Tampering(4, "a call is bound to a channel that was never made") { records in
      records.drop(from: records.start(TamperedRun.next), where: \.isCreation)
    },
    Tampering(4, "a second channel is made beside the first") { records in
      let channel = records.channel(TamperedRun.late)
      records.insert(
        .channelCreated(
          ChannelID(endpoint: channel.endpoint, generation: channel.generation + 1)),
        after: records.start(TamperedRun.late))
    },
    Tampering(4, "the first call after a destruction is said to share a channel") { records in
      let binding = records.first(from: records.start(TamperedRun.next), where: \.isBinding)
      records.replace(
        binding,
        with: .callBound(
          records.call(TamperedRun.next), records.channel(TamperedRun.next), isNew: false))
    },
    Tampering(4, "a later call is said to have a channel of its own") { records in
      let binding = records.first(from: records.start(TamperedRun.late), where: \.isBinding)
      records.replace(
        binding,
        with: .callBound(
          records.call(TamperedRun.late), records.channel(TamperedRun.late), isNew: true))
    },
    Tampering(4, "a call is bound to the channel of another key") { records in
      let binding = records.first(from: records.start(TamperedRun.late), where: \.isBinding)
      records.replace(
        binding,
        with: .callBound(
          records.call(TamperedRun.late), records.channel(TamperedRun.refused), isNew: false))
    },
    Tampering(4, "a call is bound to another key's channel, as if it were new") { records in
      let binding = records.first(from: records.start(TamperedRun.late), where: \.isBinding)
      records.replace(
        binding,
        with: .callBound(
          records.call(TamperedRun.late), records.channel(TamperedRun.refused), isNew: true))
    },
    Tampering(4, "a second connection is made while the first is open") { records in
      let count = records.all.count {
        if case .effect(.openConnection) = $0.body { true } else { false }
      }
      records.insert(
        .openConnection(
          ConnectionID(index: UInt32(count), generation: 0), records.channel(TamperedRun.late)),
        after: records.start(TamperedRun.late))
    },
    Tampering(4, "a call is bound to a channel of no key at all") { records in
      let binding = records.first(from: records.start(TamperedRun.late), where: \.isBinding)
      let channel = ChannelID(endpoint: EndpointID(index: 99), generation: 1)
      records.replace(
        binding, with: .callBound(records.call(TamperedRun.late), channel, isNew: false))
    },
  ]

  static let waiting = [
    Tampering(5, "an attempt begins before its backoff is over") { records in
      records.move(from: 4_000, to: 3_500)
    },
    Tampering(5, "a fail-fast call waits in a backoff") { records in
      records.drop(records.end(TamperedRun.fast))
    },
    Tampering(5, "a call does not wait in a backoff") { records in
      let binding = records.first(from: records.start(TamperedRun.waits), where: \.isBinding)
      records.insert(
        .endCall(records.call(TamperedRun.waits), .connectivityLost), after: binding)
    },
    Tampering(5, "the first call of a channel does not connect it") { records in
      let start = records.start(TamperedRun.next)
      records.drop(from: start, where: \.isMove)
      records.drop(from: start, where: \.isOpening)
    },
    Tampering(5, "an attempt begins for a call that has ended") { records in
      let binding = records.first(from: records.start(TamperedRun.next), where: \.isBinding)
      records.insert(.endCall(records.call(TamperedRun.next), .cancelled), after: binding)
    },
    Tampering(5, "a failed attempt leaves a call waiting") { records in
      records.drop(records.end(TamperedRun.refused))
    },
    Tampering(5, "an attempt that is given up leaves a call waiting") { records in
      records.drop(records.end(TamperedRun.unheard))
    },
    Tampering(5, "a failed attempt ends a call CANCELLED") { records in
      records.replace(
        records.end(TamperedRun.refused),
        with: .endCall(records.call(TamperedRun.refused), .cancelled))
    },
    Tampering(5, "a call waits on although its channel is connected") { records in
      records.drop(from: records.start(TamperedRun.next), where: \.isStream)
    },
    Tampering(5, "nothing at all follows a connection") { records in
      let start = records.start(TamperedRun.next)
      let connected = records.first(from: start) {
        if case .event(.pool(.connected)) = $0 { true } else { false }
      }
      let instant = records.all[connected].at
      records.all.removeSubrange(
        (connected + 1)..<(records.all[connected...].firstIndex { $0.at > instant } ?? connected))
    },
    Tampering(5, "a call ends after its deadline") { $0.move(from: 6_000, to: 6_500) },
    Tampering(5, "a call ends DEADLINE_EXCEEDED before its deadline") {
      $0.move(from: 6_000, to: 5_500)
    },
    Tampering(5, "a call with a deadline never ends") { records in
      records.drop(records.end(TamperedRun.late))
    },
    Tampering(5, "a cancelled call goes on") { records in
      records.drop(records.end(TamperedRun.cancelled))
    },
    Tampering(5, "a call outlives the disconnection of its channel") { records in
      records.drop(records.end(TamperedRun.upload))
    },
  ]

  static let sending = [
    Tampering(6, "a request is sent after the end of its call") { records in
      let id = records.call(TamperedRun.next)
      let connection = records.connection(TamperedRun.next)
      records.insert(.startStream(id, connection), after: records.end(TamperedRun.next))
    },
    Tampering(6, "messages are sent after the end of their call") { records in
      let id = records.call(TamperedRun.late)
      let connection = records.connection(TamperedRun.late)
      records.insert(
        .sendMessages(id, connection, count: 1, bytes: 1), after: records.end(TamperedRun.late))
    },
    Tampering(6, "the requests are finished after the end of their call") { records in
      let id = records.call(TamperedRun.late)
      let connection = records.connection(TamperedRun.late)
      records.insert(.finishStream(id, connection), after: records.end(TamperedRun.late))
    },
    Tampering(6, "a request is sent twice") { records in
      let sending = records.first(from: records.start(TamperedRun.next), where: \.isStream)
      records.all.insert(records.all[sending], at: sending + 1)
    },
    Tampering(6, "the requests of a call end twice") { records in
      let sending = records.first(from: records.start(TamperedRun.next), where: \.isFinish)
      records.all.insert(records.all[sending], at: sending + 1)
    },
    Tampering(6, "a message is sent after the end of the requests") { records in
      let id = records.call(TamperedRun.next)
      let connection = records.connection(TamperedRun.next)
      records.insert(
        .sendMessages(id, connection, count: 1, bytes: 1),
        after: records.first(from: records.start(TamperedRun.next), where: \.isFinish))
    },
    Tampering(6, "a call is reset that both sides have ended") { records in
      let id = records.call(TamperedRun.next)
      let connection = records.connection(TamperedRun.next)
      records.insert(
        .resetStream(id, connection), after: records.end(TamperedRun.next) - 1)
    },
    Tampering(6, "the reset is sent after the end, not before it") { records in
      let end = records.end(TamperedRun.late)
      records.all.swapAt(end - 1, end)
    },
  ]

  static let aliveness = [
    Tampering(8, "time runs backwards") { records in
      records.all[records.end(TamperedRun.late)].at = .zero
    },
    Tampering(8, "a connection is closed twice") { records in
      let closing = records.first(where: \.isClosing)
      records.all.insert(records.all[closing], at: closing + 1)
    },
    Tampering(8, "a connection is closed that was never opened") { records in
      records.insert(
        .closeConnection(ConnectionID(index: 99, generation: 0)),
        after: records.end(TamperedRun.late))
    },
    Tampering(8, "a closed connection is pinged") { records in
      records.insert(
        .sendPing(records.connection(TamperedRun.stream)), after: records.end(TamperedRun.stream))
    },
    Tampering(8, "a request is sent on a connection that is not made yet") { records in
      records.insert(
        .startStream(
          records.call(TamperedRun.next), records.connection(TamperedRun.next)),
        after: records.first(from: records.start(TamperedRun.next), where: \.isBinding))
    },
    Tampering(8, "a connection is opened for a channel that was destroyed") { records in
      records.insert(
        .openConnection(
          ConnectionID(index: 50, generation: 0), records.channel(TamperedRun.stream)),
        after: records.end(TamperedRun.stream))
    },
    Tampering(8, "a channel is destroyed that was destroyed before") { records in
      records.insert(
        .channelDestroyed(records.channel(TamperedRun.stream), .disconnected),
        after: records.end(TamperedRun.stream))
    },
    Tampering(8, "a channel moves that was destroyed") { records in
      records.insert(
        .channelMoved(records.channel(TamperedRun.stream), from: .idle, to: .connecting),
        after: records.end(TamperedRun.stream))
    },
    Tampering(8, "a channel of no key at all is made") { records in
      let channel = ChannelID(endpoint: EndpointID(index: 99), generation: 1)
      records.insert(.channelCreated(channel), after: records.end(TamperedRun.stream))
    },
    Tampering(8, "a channel of no key at all moves") { records in
      let channel = ChannelID(endpoint: EndpointID(index: 99), generation: 1)
      records.insert(
        .channelMoved(channel, from: .idle, to: .connecting),
        after: records.end(TamperedRun.stream))
    },
    Tampering(8, "a call is left without end by the closing") { records in
      records.drop(records.end(TamperedRun.open))
    },
    Tampering(8, "a channel is left by the closing") { records in
      records.drop(from: records.closing, where: \.isDestruction)
    },
    Tampering(8, "a connection is left by the closing") { records in
      records.drop(from: records.closing, where: \.isClosing)
    },
    Tampering(8, "a timer is left by the closing", leaks: ["a timer remains"]),
  ]

  static let moves = [
    Tampering(10, "a channel is READY that never connected") { records in
      records.drop(from: records.start(TamperedRun.next), where: \.isMove)
    },
    Tampering(10, "a channel goes from IDLE to READY") { records in
      let move = records.first(from: records.start(TamperedRun.next), where: \.isMove)
      records.replace(
        move, with: .channelMoved(records.channel(TamperedRun.next), from: .idle, to: .ready))
    },
    Tampering(10, "a channel moves from a state in which it is not") { records in
      let move = records.first(from: records.start(TamperedRun.next), where: \.isMove)
      records.replace(
        move,
        with: .channelMoved(
          records.channel(TamperedRun.next), from: .transientFailure, to: .connecting))
    },
  ]
}
