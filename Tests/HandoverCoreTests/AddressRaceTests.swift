import Foundation
import HandoverCore
import Testing

/// Tests which of several addresses a client uses, and when; by RFC 8305 if the client tries them
/// in parallel.
@Suite("A race of addresses")
struct AddressRaceTests {
  typealias Candidate = AddressRace.Candidate

  /// Parses addresses: `6` or `4`, the milliseconds to the answer, and `+` if the address accepts,
  /// `-` if it refuses, `?` if it does not answer.
  static func candidates(_ text: String) -> [Candidate] {
    text.split(separator: " ").enumerated().map { position, word in
      let answer: AddressAnswer =
        switch word.last {
        case "+": .accept
        case "-": .refuse
        default: .nothing
        }
      return Candidate(
        position: position, family: word.first == "6" ? .ipv6 : .ipv4,
        connect: .milliseconds(Int64(word.dropFirst().dropLast()) ?? 0), answer: answer)
    }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var candidates: String
    var delay: Int64?
    var end: AddressRace.End

    init(_ candidates: String, delay: Int64? = nil, _ end: AddressRace.End) {
      (self.candidates, self.delay, self.end) = (candidates, delay, end)
    }

    var testDescription: String { "\(candidates), \(delay.map { "\($0) ms" } ?? "in order")" }
  }

  private static func accepted(_ position: Int, _ milliseconds: Int64) -> AddressRace.End {
    .accepted(position: position, after: .milliseconds(milliseconds))
  }

  static let rows: [Row] = [
    Row("", .noAddress), Row("", delay: 250, .noAddress),
    Row("6:50+", accepted(0, 50)),
    Row("6:50+ 4:10+", accepted(0, 50)), Row("6:50+ 4:10+", delay: 250, accepted(0, 50)),
    // Sequential attempts: after a refusal the next one starts, after silence it does not.
    Row("6:50- 4:10+", accepted(1, 60)), Row("6:0? 4:10+", .unanswered),
    Row("6:50- 4:10-", .refused(after: .milliseconds(60))),
    Row("6:50- 4:0?", .unanswered),
    // Raced attempts: the next one starts after the delay, or immediately after a refusal.
    Row("6:0? 4:10+", delay: 250, accepted(1, 260)),
    Row("6:50- 4:10+", delay: 250, accepted(1, 60)),
    Row("6:300+ 4:100+", delay: 250, accepted(0, 300)),
    Row("6:400+ 4:100+", delay: 250, accepted(1, 350)),
    Row("6:350+ 4:100+", delay: 250, accepted(0, 350)),
    Row("6:0? 4:0?", delay: 250, .unanswered),
    Row("6:400- 4:100-", delay: 250, .refused(after: .milliseconds(400))),
    // The families alternate, starting with the family of the first address.
    Row("6:0? 6:0? 4:10+", delay: 250, accepted(2, 260)),
    Row("4:0? 4:0? 6:10+", delay: 100, accepted(2, 110)),
    Row("6:0? 6:0? 4:10+", .unanswered),
    // Each refusal starts one more attempt, and two simultaneous refusals start two.
    Row("6:300- 4:50- 6:0? 4:10+", delay: 250, accepted(3, 310)),
  ]

  @Test("A race ends as documented", arguments: rows)
  func table(_ row: Row) {
    let race = AddressRace(delay: row.delay.map { .milliseconds($0) })
    #expect(race.run(Self.candidates(row.candidates.replacing(":", with: ""))) == row.end)
  }

  @Test(
    "A server that refuses does so at each address, from the instant at which it starts refusing")
  func servers() {
    func end(
      _ text: String, delay: Int64? = nil, refuses: (Interval) -> Bool
    ) -> AddressRace.End {
      AddressRace(delay: delay.map { .milliseconds($0) })
        .run(Self.candidates(text)) { candidate, start in
          let end = start + candidate.connect
          return (refuses(end) ? .refuse : candidate.answer, end)
        }
    }
    let refused = AddressRace.End.refused(after: .milliseconds(300))
    #expect(end("6100+ 4200+") { _ in true } == refused)
    #expect(end("6100? 4200?") { _ in true } == refused)
    #expect(end("6100+ 4200+") { $0 >= .milliseconds(50) } == refused)
    #expect(end("6100+ 4200+") { $0 >= .milliseconds(150) } == Self.accepted(0, 100))
    #expect(end("6100+ 4200+") { $0 < .milliseconds(150) } == Self.accepted(1, 300))
    let raced = end("6400+ 4100+", delay: 250) { $0 < .milliseconds(360) }
    #expect(raced == Self.accepted(0, 400))
  }

  // MARK: An oracle that steps through every millisecond

  private static func foretold(_ candidates: [Candidate], delay: Int64?) -> AddressRace.End {
    guard let first = candidates.first else { return .noAddress }
    var waiting = candidates
    if delay != nil {
      // The families alternate.
      var lists = [
        candidates.filter { $0.family == first.family },
        candidates.filter { $0.family != first.family },
      ]
      waiting = []
      while !lists[0].isEmpty || !lists[1].isEmpty {
        for list in lists.indices where !lists[list].isEmpty {
          waiting.append(lists[list].removeFirst())
        }
      }
    }
    var running: [(candidate: Candidate, end: Int64)] = []
    var timer: Int64?
    var lastRefusal: Int64 = 0
    func begin(_ now: Int64) {
      guard !waiting.isEmpty else { return }
      let next = waiting.removeFirst()
      running.append((next, now + next.connect.microseconds / 1_000))
      timer = delay.map { now + $0 }
    }
    begin(0)
    for now in 0..<Int64(20_000) {
      while true {
        if let won = running.first(where: { $0.candidate.answer == .accept && $0.end == now }) {
          return accepted(won.candidate.position, now)
        }
        if let lost = running.firstIndex(where: { $0.candidate.answer == .refuse && $0.end == now })
        {
          running.remove(at: lost)
          lastRefusal = now
          begin(now)
        } else if timer == now {
          timer = nil
          begin(now)
        } else {
          break
        }
      }
      if running.isEmpty, waiting.isEmpty { return .refused(after: .milliseconds(lastRefusal)) }
    }
    return .unanswered
  }

  /// HANDOVER_RACE_SEED selects another seed.
  private static let seed =
    ProcessInfo.processInfo.environment["HANDOVER_RACE_SEED"].flatMap(UInt64.init) ?? 1

  @Test("A race ends like one that is simulated millisecond by millisecond", arguments: [seed])
  func oracle(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func below(_ count: UInt64) -> Int64 { Int64(generator.next(upToAndIncluding: count - 1)) }
    for round in 0..<1_000 {
      let candidates = (0..<Int(below(7))).map { position in
        Candidate(
          position: position, family: below(2) == 0 ? .ipv4 : .ipv6,
          // Few different times, so that many coincide.
          connect: .milliseconds(below(8) * 50),
          answer: AddressAnswer.allCases[Int(below(3))])
      }
      let delay: Int64? = below(3) == 0 ? nil : (below(5) + 1) * 50
      let race = AddressRace(delay: delay.map { .milliseconds($0) })
      #expect(
        race.run(candidates) == Self.foretold(candidates, delay: delay),
        "seed \(seed), round \(round): \(candidates), \(delay ?? 0)")
      #expect(
        race.run(candidates) == Self.tried(AddressRaceProgress(race, candidates)),
        "seed \(seed), round \(round): \(candidates), \(delay ?? 0)")
    }
  }

  /// Returns the end of a race in which `AddressRaceProgress` chooses the next address, as with
  /// sockets.
  private static func tried(_ course: AddressRaceProgress) -> AddressRace.End {
    var course = course
    guard course.hasNext else { return .noAddress }
    var running: [(candidate: Candidate, end: Instant)] = []
    var timer: Instant?
    func begin(_ now: Instant) {
      timer = nil
      guard let next = course.next() else { return }
      running.append((next, now + next.connect))
      if course.hasNext { timer = course.delay.map { now + $0 } }
    }
    begin(.zero)
    while true {
      let ends = running.filter { $0.candidate.answer != .nothing }.map(\.end)
      guard let now = (ends + [timer].compactMap(\.self)).min() else { return .unanswered }
      if let won = running.first(where: { $0.candidate.answer == .accept && $0.end == now }) {
        return .accepted(position: won.candidate.position, after: now.since(.zero))
      }
      let lost = running.firstIndex { $0.candidate.answer == .refuse && $0.end == now }
      if let lost {
        running.remove(at: lost)
        course.recordRefusal()
        if course.isExhausted { return .refused(after: now.since(.zero)) }
      }
      begin(now)
    }
  }
}

@Suite("Addresses of servers in a lab")
struct LabAddressTests {
  @Test(
    "An address that the kernel accepts and the lab itself does not use is possible",
    arguments: [
      "192.0.2.7", "198.51.100.7", "203.0.113.7", "8.8.8.8", "10.0.0.1", "172.16.0.1",
      "100.64.0.1", "192.88.99.1", "198.17.0.1", "198.20.0.1", "10.63.0.1", "223.255.255.255",
      "2001:db8::7", "2001:db8:1::7", "2606:4700::1111", "fd00::1", "64:ff9b:1::1",
      "3fff:ffe::1",
    ])
  func possible(text: String) throws {
    #expect(try #require(AddressText(text)).obstacleInLabs == nil)
  }

  @Test(
    "Special addresses and those of the lab are refused with a reason",
    arguments: [
      ("0.0.0.0", "not the address of a host"), ("0.1.2.3", "not the address of a host"),
      ("127.0.0.1", "loopback"),
      ("127.255.255.254", "loopback"), ("169.254.169.254", "link-local"),
      ("224.0.0.1", "multicast"), ("239.255.255.250", "multicast"),
      ("240.0.0.1", "reserved"), ("255.255.255.255", "reserved"),
      ("192.168.1.1", "networks of the lab"), ("10.64.1.2", "networks of the lab"),
      ("172.20.0.1", "networks of the lab"), ("198.18.0.53", "the lab uses"),
      ("198.19.255.255", "the lab uses"), ("::", "not the address of a host"), ("::1", "loopback"),
      ("::8.8.8.8", "not the address of a host"), ("::ffff:8.8.8.8", "IPv4-mapped"),
      ("fe80::1", "link-local"), ("febf::1", "link-local"), ("ff02::1", "multicast"),
      ("ff0e::1", "multicast"), ("64:ff9b::808:808", "NAT64"),
      ("64:ff9b::a00:1", "NAT64"), ("3fff:fff:1::1", "networks of the lab"),
    ])
  func impossible(text: String, reason: String) throws {
    let address = try #require(AddressText(text))
    #expect(address.obstacleInLabs?.contains(reason) == true)
    var script = Script()
    script.hosts = [ScriptHost(written: "api.example:443")]
    script.hosts[0].addresses = [ScriptAddress(address)]
    #expect(
      script.obstacleInRealTime?.contains("the address \(text) of the host api.example:443")
        == true)
  }

  @Test("A host has the addresses of its list, or an IPv6 literal in place of its name")
  func own() throws {
    #expect(ScriptHost(written: "api.example:443").ownAddresses == [])
    #expect(ScriptHost(written: "127.0.0.1:443").ownAddresses == [])
    let literal = try #require(AddressText("2001:db8::7"))
    #expect(ScriptHost(written: "[2001:db8::7]:443").ownAddresses == [literal])
  }
}

@Suite("Addresses as text")
struct AddressTextTests {
  @Test(
    "Different spellings of an address are equal",
    arguments: [
      ("2001:db8::7", "2001:DB8:0:0:0:0:0:7"), ("::1", "0:0:0:0:0:0:0:1"),
      ("::ffff:192.0.2.7", "::FFFF:c000:207"), ("192.0.2.7", "192.0.2.7"),
      ("1::", "1:0:0:0:0:0:0:0"),
    ])
  func spellings(one: String, other: String) throws {
    #expect(try #require(AddressText(one)) == #require(AddressText(other)))
  }

  @Test(
    "Other strings are not addresses",
    arguments: [
      "", "api.example", "192.0.2", "192.0.2.256", "192.0.2.7:443", "[::1]", "fe80::1%en0",
      "1::2::3",
      "12345::", ":::", "1:2:3:4:5:6:7:8:9", "192.0.02.7", "010.0.0.1", "::ffff:192.0.2.007",
    ])
  func none(text: String) {
    #expect(AddressText(text) == nil)
  }

  @Test("An IPv4 address has an IPv6 address behind a translator")
  func translation() throws {
    #expect(try #require(AddressText("192.0.2.33")).translated == "64:ff9b::c000:221")
    #expect(try #require(AddressText("::1")).translated == "::1")
  }

  @Test("A literal in place of a name is the only address of a host")
  func literals() {
    #expect(ScriptHost(written: "[2001:db8::7]:443").literal == AddressText("2001:db8::7"))
    #expect(ScriptHost(written: "192.0.2.7").literal == AddressText("192.0.2.7"))
    #expect(ScriptHost(written: "api.example:443").literal == nil)
  }
}
