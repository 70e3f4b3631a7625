import Foundation
import HandoverCore
import Testing

@testable import HandoverScenario

@Suite("Scenarios in other notations")
struct CanonicalPropertyTests {
  @Test(
    "Every valid scenario is formatted into one with the same meaning",
    arguments: [1, UInt64(Date().timeIntervalSince1970)],
    CanonicalSample.all)
  func damaged(_ seed: UInt64, sample: CanonicalSample) throws {
    print("seed \(seed) of damaged scenarios")
    var generator = SeededGenerator(seed: seed)
    let original = Array(sample.disordered.utf8)
    var readCount = 0
    for round in 0..<600 {
      var bytes = original
      let index = Int(generator.next(upToAndIncluding: UInt64(bytes.count - 1)))
      let letters = Array("0123456789az -+.".utf8)
      bytes[index] = letters[Int(generator.next(upToAndIncluding: UInt64(letters.count - 1)))]
      guard ScenarioReader.read(file: "f.json", bytes: bytes).scenario != nil else { continue }
      readCount += 1
      let once = try CanonicalTextTests.canonical(bytes)
      let twice = try CanonicalTextTests.canonical(once)
      let isSame =
        try CanonicalTextTests.meaning(Array(once.utf8)) == CanonicalTextTests.meaning(bytes)
      guard isSame, once == twice else {
        let text = String(decoding: bytes, as: UTF8.self)
        Issue.record("seed \(seed), round \(round):\n\(text)\nbecame\n\(once)\nthen\n\(twice)")
        return
      }
    }
    #expect(readCount > 10)
  }

  @Test("Files that are read with warnings are formatted as well")
  func warnings() throws {
    for file in try Repository.files(in: Repository.diagnosticFixtures) {
      let bytes = try Repository.bytes(file)
      guard ScenarioReader.read(file: "f.json", bytes: bytes).scenario != nil else { continue }
      let once = try CanonicalTextTests.canonical(bytes)
      #expect(try CanonicalTextTests.canonical(once) == once)
      #expect(
        try CanonicalTextTests.meaning(Array(once.utf8)) == CanonicalTextTests.meaning(bytes))
    }
  }

  @Test(
    "A scenario in any order, spacing and notation is formatted to the committed bytes",
    arguments: [1, 2, UInt64(Date().timeIntervalSince1970)])
  func backToTheCorpus(_ seed: UInt64) throws {
    print("seed \(seed) of scenarios written in another way")
    for (index, file) in CanonicalTextTests.corpus.enumerated() {
      let bytes = try Repository.bytes(file)
      let generator = SeededGenerator(seed: seed).forked(label: UInt64(index))
      var disguise = Disguise(generator: generator)
      disguise.write(try JSONReader.read(bytes).root, at: [])
      let disguised = Array(disguise.text.utf8)
      let back = try CanonicalTextTests.canonical(disguised)
      guard back == String(decoding: bytes, as: UTF8.self) else {
        Issue.record("seed \(seed), \(file.path):\n\(disguise.text)\nbecame\n\(back)")
        return
      }
      let meaning = try CanonicalTextTests.meaning(disguised)
      #expect(try meaning == CanonicalTextTests.meaning(bytes), "seed \(seed), \(file.path)")
    }
  }
}

/// Rewrites a scenario in a different notation with the same meaning.
private struct Disguise {
  var generator: SeededGenerator
  var text = ""

  mutating func write(_ value: JSONValue, at keys: [String]) {
    switch value.kind {
    case .null: text += "null"
    case .false: text += "false"
    case .true: text += "true"
    case .number:
      let number = String(decoding: value.notation, as: UTF8.self)
      let isRatio = keys.contains("backoff")
      text += isRatio && chance(2) ? "\(number)\(number.contains(".") ? "0" : ".0")" : number
    case .text:
      let content = value.text ?? ""
      writeText(Self.isTime(keys) ? disguised(time: content) : content)
    case .array:
      if keys.last == "flags" { return writeFlags(value.elements.map { $0.text ?? "" }) }
      text += "["
      for (index, element) in value.elements.enumerated() {
        if index > 0 { text += "," }
        space()
        write(element, at: keys)
      }
      space()
      text += "]"
    case .object:
      writeObject(value, at: keys)
    }
    space()
  }

  private mutating func writeObject(_ value: JSONValue, at keys: [String]) {
    var members = Array(value.members)
    // The order of hosts, networks and interceptors is the author's.
    if !["hosts", "networks", "links", "metadata", "trailers"].contains(keys.last) {
      for index in members.indices.dropFirst() { members.swapAt(index, draw(index)) }
    }
    text += "{"
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      space()
      let key = member.key.text ?? ""
      writeText(key)
      space()
      text += ":"
      space()
      write(member.value, at: keys + [key])
    }
    text += "}"
  }

  private mutating func writeText(_ content: String) {
    text += "\""
    for unit in content.utf16 {
      let escape = String(unit, radix: 16, uppercase: chance(2))
      let isPlain = unit >= 0x20 && unit < 0x7F && unit != 0x22 && unit != 0x5C
      if isPlain, !chance(12) {
        text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      } else if unit == 0x2F, chance(2) {
        text += "\\/"
      } else {
        text += "\\u" + String(repeating: "0", count: 4 - escape.count) + escape
      }
    }
    text += "\""
  }

  private mutating func writeFlags(_ names: [String]) {
    var flags: ReachabilityFlags = []
    for (name, flag) in ReachabilityFlags.names where names.contains(name) { flags.insert(flag) }
    switch draw(3) {
    case 0: text += String(flags.rawValue)
    case 1: writeText(flags.logText)
    case 2:
      let table = ReachabilityFlags.names.reversed().map { name, flag in
        "\"\(name)\": \(flags.contains(flag) ? "true" : "0")"
      }
      text += "{" + table.joined(separator: ", ") + "}"
    default:
      text += "[" + names.reversed().map { "\"\($0)\"" }.joined(separator: " ,\t") + "]"
    }
  }

  private mutating func disguised(time: String) -> String {
    let zeros = time.firstMatch(of: /^(\+?)(\d+)(s|ms)$/)
    guard let (_, sign, count, unit) = zeros?.output, let number = Int(count) else { return time }
    switch draw(3) {
    case 0: return "\(sign)0\(count).0\(unit)"
    case 1: return unit == "s" ? "\(sign)\(number)000ms" : "\(sign)\(number)000us"
    case 2 where unit == "ms" && number < 1_000:
      let digits = String(number)
      return "\(sign)0." + String(repeating: "0", count: 3 - digits.count) + digits + "s"
    default: return time
    }
  }

  private mutating func space() {
    for _ in 0..<draw(2) { text += [" ", "\n", "\r\n", "\t"][draw(3)] }
  }

  private static func isTime(_ keys: [String]) -> Bool {
    let times = [
      "at", "within", "before", "after", "connect", "takes", "every", "deadline", "by", "token",
      "idle", "tcpTimeout", "until", "latency", "time", "timeout", "max", "minConnectTimeout",
      "responds", "poll", "keepAlive", "begins", "collect",
    ]
    guard let key = keys.last else { return false }
    if key == "initial" { return keys.contains("backoff") }
    return times.contains(key) || key.hasPrefix("connectM") || key.hasPrefix("connectI")
      || key.hasPrefix("keepaliveI") || key.hasPrefix("keepaliveT")
  }

  private mutating func draw(_ bound: Int) -> Int {
    Int(generator.next(upToAndIncluding: UInt64(bound)))
  }

  private mutating func chance(_ count: Int) -> Bool { draw(count - 1) == 0 }
}
