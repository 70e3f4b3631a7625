import Testing

@testable import HandoverLabServers

@Suite("The addresses of names in a lab")
struct HostNamesTests {
  private func ask(
    _ names: HostNames, _ name: String, _ kind: NameQuestion.Kind = .address
  ) -> [[UInt8]] {
    names.addresses(of: NameQuestion(name: name, kind: kind, client: ""))
  }

  @Test("No two names share an address, and each keeps its addresses")
  func own() {
    let names = HostNames()
    #expect(ask(names, "a.example") == [[198, 19, 0, 1]])
    #expect(ask(names, "b.example") == [[198, 19, 0, 2]])
    #expect(ask(names, "A.Example") == [[198, 19, 0, 1]])
    let prefix: [UInt8] = [0x20, 0x01, 0x0D, 0xB8, 0x01, 0x13, 0, 2]
    #expect(ask(names, "b.example", .address6) == [prefix + [0, 0, 0, 0, 0, 0, 0, 2]])
    #expect(names.known.map(\.name) == ["a.example", "b.example"])
    #expect(names.known.last?.addresses.map(\.count) == [4, 16])
    #expect(!names.areShared)
  }

  @Test("A query of another type finds nothing, and reserves no address")
  func other() {
    let names = HostNames()
    #expect(ask(names, "a.example", .other).isEmpty && names.known.isEmpty)
  }

  @Test("Names have no IPv6 address if the servers have none")
  func withoutIPv6() {
    let names = HostNames(areReachableOverIPv6: false)
    #expect(ask(names, "a.example", .address6).isEmpty)
    #expect(ask(names, "a.example") == [[198, 19, 0, 1]])
  }

  @Test("Names above the limit share addresses, and the list does not grow without bound")
  func limit() {
    let names = HostNames()
    let all = (0..<HostNames.maximumCount).map { ask(names, "\($0).example")[0] }
    #expect(Set(all).count == HostNames.maximumCount && !names.areShared)
    #expect(all.last == [198, 19, 3, 250])
    #expect(ask(names, "one-more.example") == [all[0]] && names.areShared)
    for number in 0..<10_000 { _ = ask(names, "\(number).more.example") }
    #expect(names.known.count < 5_000)
    let late = ask(names, "late.example")
    #expect(late == ask(names, "late.example") && late.count == 1)
  }
}
