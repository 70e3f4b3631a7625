import HandoverBackend
import HandoverCore
import NIOCore
import NIOPosix

/// The sockets that race to connect to the addresses of one host.
///
/// The race runs on the device's event loop. The winning socket becomes the connection's socket.
final class LiveRace {
  var course: AddressRaceProgress
  /// The timer for trying the next address.
  var timer: Scheduled<Void>?
  private var channels: [any Channel] = []
  private(set) var isOver = false

  init(_ course: AddressRaceProgress) {
    self.course = course
  }

  /// Adds a socket to the race.
  func add(_ channel: any Channel) { channels.append(channel) }

  /// Ends the race and closes all sockets except the winner, if there is one.
  func end(winner: (any Channel)? = nil) {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    timer = nil
    let losers = channels.filter { $0 !== winner }
    channels = []
    for channel in losers { channel.close(promise: nil) }
  }
}

extension LiveClient {
  /// Connects to the addresses that the host has on a path, in the manner of ``AddressRace``.
  func race(_ connection: LiveConnection, on path: PathIndex) {
    if let cause = script.answerCause(
      for: connection.host, on: path, changedBy: connection.answerCause)
    {
      noteEffect(cause)
    }
    let race = LiveRace(
      script.raceCourse(to: connection.host, on: path, changedBy: connection.answerCause))
    connection.race = race
    guard race.course.hasNext else { return lose(connection, .networkUnreachable) }
    tryNext(connection, race, on: path)
  }

  /// Tries the next address, if there is one.
  private func tryNext(_ connection: LiveConnection, _ race: LiveRace, on path: PathIndex) {
    race.timer?.cancel()
    race.timer = nil
    guard !race.isOver, let candidate = race.course.next() else { return }
    let bound = NIOLoopBound((self, connection, race), eventLoop: loop)
    if let delay = race.course.delay, race.course.hasNext {
      race.timer = loop.scheduleTask(in: TimeAmount(delay)) {
        let (client, connection, race) = bound.value
        client.tryNext(connection, race, on: path)
      }
    }
    guard let remote = remote(connection.host, candidate, on: path) else {
      return refused(connection, race, on: path, .networkUnreachable)
    }
    bootstrap(for: connection).connect(to: remote).whenComplete { result in
      let (client, connection, race) = bound.value
      guard !race.isOver else { return }
      switch result {
      case .success(let channel):
        race.end(winner: channel)
        connection.channel = channel
        connection.address = candidate.position
        connection.phase = .handshaking
      case .failure(let error):
        client.refused(connection, race, on: path, ConnectionFailure(connecting: error))
      }
    }
  }

  /// Handles a failed address and immediately tries the next one.
  private func refused(
    _ connection: LiveConnection, _ race: LiveRace, on path: PathIndex,
    _ failure: ConnectionFailure
  ) {
    race.course.recordRefusal()
    if race.course.isExhausted { return lose(connection, failure) }
    tryNext(connection, race, on: path)
  }

  /// Returns the socket address for an address of a host, or `nil` if there is none.
  ///
  /// On a network with address translation, IPv4 addresses are replaced by their translations.
  private func remote(
    _ host: Int, _ candidate: AddressRace.Candidate, on path: PathIndex
  ) -> SocketAddress? {
    let own = network.ownAddresses(of: host)
    guard own.indices.contains(candidate.position) else { return nil }
    var address = own[candidate.position].address
    if !script.hosts[host].isLiteral, script.network(of: path)?.translates == true {
      address = script.hosts[host].addresses[candidate.position].text.translated
    }
    return try? SocketAddress(ipAddress: address, port: Int(own[candidate.position].port))
  }
}
