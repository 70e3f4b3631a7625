import HandoverBackend
import HandoverCore
import NIOCore
import NIOPosix

/// The sockets of one connection to a host with several addresses, of which one will be its own.
///
/// Lives on the device's event loop.
final class LiveRace {
  var course: AddressRaceCourse
  /// Tries the next address after the delay.
  var timer: Scheduled<Void>?
  private var channels: [any Channel] = []
  private(set) var isOver = false

  init(_ course: AddressRaceCourse) {
    self.course = course
  }

  /// A socket was made for it.
  func add(_ channel: any Channel) { channels.append(channel) }

  /// Gives up every socket but the one that has won; nil where none has.
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
  /// Connects to the addresses that the host has on a path, as ``AddressRace`` has it.
  func race(_ connection: LiveConnection, on path: PathIndex) {
    let race = LiveRace(script.raceCourse(to: connection.host, on: path))
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
        connection.address = candidate.place
        connection.phase = .handshaking
      case .failure(let error):
        client.refused(connection, race, on: path, ConnectionFailure(connecting: error))
      }
    }
  }

  /// An address cannot be had; the next one is tried at once.
  private func refused(
    _ connection: LiveConnection, _ race: LiveRace, on path: PathIndex,
    _ failure: ConnectionFailure
  ) {
    race.course.refused()
    if race.course.isLost { return lose(connection, failure) }
    tryNext(connection, race, on: path)
  }

  /// Where an address of a host is called; nil where that cannot be said.
  ///
  /// Where the network translates, those of IPv4 are called by others.
  private func remote(
    _ host: Int, _ candidate: AddressRace.Candidate, on path: PathIndex
  ) -> SocketAddress? {
    let own = network.ownAddresses(of: host)
    guard own.indices.contains(candidate.place) else { return nil }
    var address = own[candidate.place].address
    if !script.hosts[host].isLiteral, script.network(of: path)?.translates == true {
      address = script.hosts[host].addresses[candidate.place].text.translated
    }
    return try? SocketAddress(ipAddress: address, port: Int(own[candidate.place].port))
  }
}
