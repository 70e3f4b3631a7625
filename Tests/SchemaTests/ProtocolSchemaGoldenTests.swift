import Foundation
import HandoverCore
import HandoverTrace
import Testing

/// The words in the schemas of the protocol are those of the code; `make golden` writes them.
@Suite("The words in the schemas of the protocol, Golden")
struct ProtocolSchemaGoldenTests {
  /// A list of words, and what stands before it in the schema.
  struct List: Sendable, CustomTestStringConvertible {
    var file: String
    var anchor: String
    var words: [String]

    var testDescription: String { "\(file): \(anchor)" }

    init(_ file: String, _ anchor: String, _ words: [String]) {
      (self.file, self.anchor, self.words) = (file, anchor, words)
    }
  }

  static let lists: [List] = {
    let status = StatusCode.allCases.map(\.name)
    let failures = ConnectionFailure.allCases.map(\.traceName)
    let flags = ReachabilityFlags.names.map(\.name)
    let kinds = CallKind.allCases.map(\.rawValue)
    return [
      List("answers-1", #""state": {"#, ChannelState.allCases.map(\.name)),
      List("answers-1", "Why it was destroyed.", DestroyReason.allCases.map(\.traceName)),
      List("answers-1", #""category": {"#, NetworkCategory.allCases.map(\.description)),
      List("answers-1", "How a call ends.", status),
      List("commands-1", "The names of the flags", flags),
      List("commands-1", #""kind": {"#, kinds),
      List("commands-1", "Why a connection was not made", failures),
      List("commands-1", "How a call ends.", status),
      List("transport-answers-1", "Why a connection was not made", failures),
      List("transport-answers-1", "How a call ends.", status),
      List("transport-commands-1", "The names of the flags", flags),
      List("transport-commands-1", "The generation", CFStreamGeneration.allCases.map(\.rawValue)),
      List("transport-commands-1", "server does at first", ServerFault.first.map(\.rawValue)),
      List("transport-commands-1", "of the name at first", DNSFault.allCases.map(\.rawValue)),
      List("transport-commands-1", #""kind": {"#, kinds),
      List("transport-commands-1", #""fact-server": {"#, ServerFault.allCases.map(\.rawValue)),
      List("transport-commands-1", #""fact-names": {"#, DNSFault.allCases.map(\.rawValue)),
      List(
        "transport-commands-1", #""fact-transport": {"#, TransportWord.allCases.map(\.rawValue)),
    ]
  }()

  @Test("are those of the code, in the same order")
  func words() throws {
    for file in Set(Self.lists.map(\.file)).sorted() {
      let place = Repository.root.appending(path: "Fixtures/Protocol/\(file).schema.json")
      let text = try Repository.text(place)
      var made = text
      for list in Self.lists where list.file == file { made = try Self.put(list, into: made) }
      if ProcessInfo.processInfo.environment["HANDOVER_GOLDEN"] == "1" {
        try Data(made.utf8).write(to: place)
      } else {
        let lines = { (text: String) in text.split(separator: "\n").map(String.init) }
        let difference = lines(made).difference(from: lines(text))
        #expect(difference.isEmpty, "\(file): \(difference); run make golden")
      }
    }
  }

  /// A list keeps its layout: a long one has a line for each word.
  private static func put(_ list: List, into text: String) throws -> String {
    let anchor = try #require(text.firstRange(of: list.anchor), "\(list.testDescription)")
    let head = try #require(text[anchor.upperBound...].firstRange(of: "\"enum\": ["))
    let end = try #require(text[head.upperBound...].firstIndex(of: "]"))
    let kept = text[head.upperBound..<end]
    let words = list.words.map { "\"\($0)\"" }
    guard kept.first == "\n", let tail = kept.lastIndex(of: "\n") else {
      return text[..<head.upperBound] + words.joined(separator: ", ") + text[end...]
    }
    let indent = kept.dropFirst().prefix { $0 == " " }
    let lines = words.map { "\n\(indent)\($0)" }.joined(separator: ",")
    return text[..<head.upperBound] + lines + kept[tail...] + text[end...]
  }
}
