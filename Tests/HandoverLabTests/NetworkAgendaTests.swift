import HandoverBackend
import HandoverCore
import Testing

@testable import HandoverLab

@Suite("Automatic network events")
struct NetworkAgendaTests {
  private static let home = PathIndex(2)

  private func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  /// Returns the actions until an instant, with their times in seconds.
  private func played(
    _ agenda: inout NetworkAgenda, until end: Int64
  ) -> [(at: Int64, deed: NetworkDeed)] {
    var played: [(at: Int64, deed: NetworkDeed)] = []
    while let due = agenda.takeDue(at: at(end)), played.count < 100 {
      played.append((due.at.microseconds / 1_000_000, due.deed))
    }
    return played
  }

  @Test("An uplink goes down and comes up periodically")
  func uplink() {
    var agenda = NetworkAgenda()
    let deeds = agenda.deeds(
      of: .uplink(isUp: false, lasts: .seconds(2), every: .seconds(5)), on: Self.home, at: at(1))
    #expect(deeds == [.uplink(Self.home, isUp: false)])
    let then = played(&agenda, until: 13)
    #expect(then.map(\.at) == [3, 6, 8, 11, 13])
    #expect(
      then.map(\.deed) == [true, false, true, false, true].map { .uplink(Self.home, isUp: $0) })
    _ = agenda.deeds(of: .uplink(isUp: true, lasts: nil, every: nil), on: Self.home, at: at(14))
    #expect(agenda.nextDue == nil)
  }

  @Test("A lost network is removed after its linger time, unless it is used again")
  func linger() {
    var agenda = NetworkAgenda()
    let losing = NetworkAction.losing(linger: .seconds(3), .silent)
    #expect(agenda.deeds(of: losing, on: Self.home, at: at(1)).isEmpty)
    var other = agenda
    #expect(played(&agenda, until: 9).map(\.deed) == [.down(Self.home, .silent)])
    #expect(other.deeds(of: .makeDefault, on: Self.home, at: at(2)) == [.makeDefault(Self.home)])
    #expect(other.nextDue == nil)
  }

  @Test("A router forgets its flows periodically, until another entry")
  func translation() {
    var agenda = NetworkAgenda()
    _ = agenda.deeds(
      of: .nat(.forget, .drop, every: .seconds(2)), on: Self.home, at: at(0))
    #expect(played(&agenda, until: 5).map(\.at) == [2, 4])
    _ = agenda.deeds(of: .nat(.rebindPort, .reset, every: nil), on: Self.home, at: at(5))
    #expect(agenda.nextDue == nil)
    _ = agenda.deeds(of: .nat(.forget, .drop, every: .seconds(2)), on: Self.home, at: at(6))
    agenda.endRepetitions()
    #expect(agenda.nextDue == nil)
  }
}
