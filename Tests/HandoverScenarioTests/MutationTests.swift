import Foundation
import HandoverCore
import HandoverScenario
import Testing

@Suite("Corrupted scenarios")
struct MutationTests {
  static let rounds = 20_000
  static let seeds: [UInt64] = [1, 0x5EED]

  @Test(
    "A corrupted scenario is read or refused with a position, without a crash",
    arguments: seeds)
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let originals = [Array(SampleScenarioTests.text.utf8), Array(Self.dense.utf8)]
    for original in originals {
      let reading = ScenarioReader.read(file: "f.json", bytes: original)
      try #require(reading.scenario != nil, "\(reading.diagnostics)")
    }
    for round in 0..<Self.rounds / Self.seeds.count {
      let mutant = Self.mutated(originals[round % originals.count], &generator)
      let reading = ScenarioReader.read(file: "f.json", bytes: mutant)
      guard let violation = ReadingProperties.violation(of: reading, bytes: mutant) else {
        continue
      }
      let text = String(decoding: mutant, as: UTF8.self)
      Issue.record("seed \(seed), round \(round): \(violation)\n\(text)")
      return
    }
  }

  /// Returns the bytes with one to four bytes or pieces changed, removed, added or copied from
  /// elsewhere.
  private static func mutated(_ original: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = original
    for _ in 0...generator.next(upToAndIncluding: 3) {
      let index = draw(bytes.count - 1, &generator)
      let length = draw(min(8, bytes.count - index), &generator)
      switch generator.next(upToAndIncluding: 4) {
      case 0:
        bytes[index] ^= 1 << UInt8(draw(7, &generator))
      case 1:
        bytes.removeSubrange(index..<index + length)
      case 2:
        bytes.insert(UInt8(draw(255, &generator)), at: index)
      case 3:
        let source = draw(original.count - 9, &generator)
        bytes.insert(contentsOf: original[source..<source + 8], at: index)
      default:
        // Digits and letters keep the JSON valid, so that the damage gets further.
        bytes[index] = Array("09azAZ\"{}[],:+-. ".utf8)[draw(16, &generator)]
      }
      if bytes.isEmpty { return bytes }
    }
    return bytes
  }

  private static func draw(_ bound: Int, _ generator: inout SeededGenerator) -> Int {
    Int(generator.next(upToAndIncluding: UInt64(max(0, bound))))
  }

  /// A short scenario with every kind of entry and setting.
  static let dense = """
    {"format":1,"id":"a/b","profiles":["sockets-monitor"],"initial":{"flags":{"Reachable":1},"path":"p"},
    "config":{"backoff":{"multiplier":1.6,"jitter":0,"max":"2min"},"keepalive":{"time":"1s"},"seed":7,"until":"1h"},
    "hosts":{"a":{"connect":"1ms","server":"refuse","names":"hang"},"b:1":{}},
    "timeline":[{"at":"0s","call":{"id":"u","host":"a:443","kind":"bidi","every":"1ms","options":{"token":"1s","retry":1}}},
    {"at":"+1s","flags":"WR -------","path":"q","links":{"wifi":"up","p":"down"}},{"at":"2s","send":{"call":"u","bytes":9}},
    {"at":"2s","finish":"u"},{"at":"2s","cancel":"u"},{"at":"3s","disconnect":"*"},{"at":"3s","server":{"host":"a","do":"goaway"}},
    {"at":"3s","names":{"host":"a","do":"fail"}},{"at":"3s","transport":{"host":"*","become":"stall-acked"}},
    {"at":"3s","monitor":{"do":"delay","by":"1s"}},{"at":"5s","flags":262146},{"at":"6s","app":"background"}],
    "expect":[{"call":"u","status":"OK","channel":"new","within":["1s","2s"]},{"channels":{"host":"a","alive":1},"at":"1s"},
    {"monitor":{"notifications":2}},{"never":{"call":"u"}},{"connections":{"host":"*","path":"q"}}]}
    """
}

@Suite("The saved corpus of the fuzzer")
struct FuzzCorpusTests {
  @Test("Each file satisfies the properties of every reading")
  func corpus() throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Repository.fuzzCorpus, includingPropertiesForKeys: nil)
    #expect((1..<200).contains(files.count))
    for file in files {
      let bytes = try Repository.bytes(file)
      let reading = ScenarioReader.read(file: "fuzz.json", bytes: bytes)
      #expect(ReadingProperties.violation(of: reading, bytes: bytes) == nil, "\(file)")
    }
  }
}
