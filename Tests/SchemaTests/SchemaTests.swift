import Foundation
import HandoverCore
import HandoverJSON
import HandoverScenario
import Testing

@Suite("The schema of scenarios")
struct SchemaTests {
  @Test("The schema is a valid draft-07 schema")
  func draft() throws {
    let judge = try Judge([])
    #expect(judge.schema.verdict == .accepted, "\(judge.schema.errors)")
  }

  @Test("The schema accepts every scenario of the repository, its documentation and its tests")
  func good() throws {
    let (bundled, documented) = (try GoodSamples.bundled(), try GoodSamples.documented())
    let samples = bundled + documented + (try GoodSamples.ofTests())
    #expect(bundled.count > 100 && documented.count > 3)
    #expect(samples.count - bundled.count - documented.count > 5)
    let judge = try Judge(
      samples.map { Judge.Request(name: $0.name, text: $0.text, errors: true) })
    for answer in judge.answers where answer.verdict != .accepted {
      Issue.record("\(answer.name): \(answer.errors.map(\.description))")
    }
  }

  @Test("The schema is at the location that the bundled scenarios name")
  func reference() throws {
    for file in try Repository.files(under: "Scenarios", kind: "json") {
      let document = try JSONReader.read(try Repository.bytes(file))
      let named = document.root.members.first { $0.key.text == "$schema" }?.value.text
      let place = URL(filePath: try #require(named), relativeTo: file).standardizedFileURL
      #expect(place.path == Repository.schema.path, "\(file.path)")
    }
  }

  @Test("The schema has the keywords of the reader, in the same order", arguments: Self.vocabulary)
  func words(definition: String, words: [String]) throws {
    let value = try Self.definition(definition)
    let known = value["enum"] as? [String]
    #expect(known == words)
    if let descriptions = value["enumDescriptions"] as? [String] {
      #expect(descriptions.count == words.count)
    }
  }

  static let vocabulary: [(definition: String, words: [String])] = [
    ("profile", Profile.known.map(\.name)),
    ("flag", ReachabilityFlags.names.map(\.name)),
    ("appState", AppState.allCases.map(\.rawValue)),
    ("callKind", CallKind.allCases.map(\.rawValue)),
    ("serverWord", ServerFault.allCases.map(\.rawValue)),
    ("firstServerWord", ServerFault.first.map(\.rawValue)),
    ("namesWord", DNSFault.allCases.map(\.rawValue)),
    ("transportWord", ConnectionFault.allCases.map(\.rawValue)),
    ("networkKind", NetworkKind.allCases.map(\.rawValue)),
    ("firstNetworkState", FirstNetworkState.allCases.map(\.rawValue)),
    ("networkWord", NetworkTransition.allCases.map(\.rawValue)),
    ("networkEnding", NetworkEnding.allCases.map(\.rawValue)),
    ("natWord", NATChange.allCases.map(\.rawValue)),
    ("roamWord", RoamChange.allCases.map(\.rawValue)),
    ("unknownFlows", UnknownFlows.allCases.map(\.rawValue)),
    ("lossWord", DirectionalLoss.allCases.map(\.rawValue)),
    ("overduePing", OverduePing.allCases.map(\.rawValue)),
    ("timerClock", TimerClock.allCases.map(\.rawValue)),
    ("monitorWatch", MonitorWatch.allCases.map(\.rawValue)),
    ("monitorWord", MonitorFault.allCases.map(\.rawValue)),
    ("repeatableCalls", RepeatableCalls.allCases.map(\.rawValue)),
    ("callSafety", CallSafety.allCases.map(\.rawValue)),
    ("linkQueues", LinkQueues.allCases.map(\.rawValue)),
    ("marshaller", MarshallerKind.allCases.map(\.rawValue)),
    ("interceptorWord", GateAction.allCases.map(\.rawValue)),
    ("chainStep", ChainStep.allCases.map(\.rawValue)),
    ("interceptorBreach", InterceptorViolation.allCases.map(\.rawValue)),
    ("limitsPreset", ConnectionLimitsPreset.allCases.map(\.rawValue)),
    ("requestOutcome", RequestOutcome.allCases.map(\.rawValue)),
    ("admission", AdmissionKind.allCases.map(\.rawValue)),
    ("status", StatusCode.allCases.map(\.name)),
    ("channelState", ChannelState.allCases.map(\.name)),
    ("channelRelation", HandoverScenario.Expectation.ChannelRelation.allCases.map(\.rawValue)),
    ("level", HandoverScenario.Expectation.Level.allCases.map(\.rawValue)),
  ]

  @Test("The schema has the flags by name in both notations, and every option of a call")
  func keys() throws {
    let flags = try #require(try Self.definition("flags")["properties"] as? [String: Any])
    #expect(Set(flags.keys) == Set(ReachabilityFlags.names.map(\.name) + ["comment"]))
    let options = try #require(try Self.definition("callOptions")["properties"] as? [String: Any])
    #expect(options.keys.contains("token"))
    for name in ChannelOptions.otherNames { #expect(options[name] != nil, "\(name)") }
  }

  @Test("The schema has the limits of the reader")
  func limits() throws {
    let root = try #require(try Self.schema()["properties"] as? [String: [String: Any]])
    #expect(root["timeline"]?["maxItems"] as? Int == ScenarioLimits.entries)
    #expect(root["expect"]?["maxItems"] as? Int == ScenarioLimits.expectations)
    #expect(root["source"]?["maxItems"] as? Int == ScenarioLimits.sources)
    #expect(root["title"]?["maxLength"] as? Int == ScenarioLimits.textByteCount)
    #expect(try Self.definition("name")["maxLength"] as? Int == ScenarioLimits.nameByteCount)
    #expect(try Self.definition("message")["maxLength"] as? Int == ScenarioLimits.textByteCount)
    #expect(try Self.definition("count")["maximum"] as? Int == ScenarioLimits.count)
    #expect(
      try Self.definition("messageTexts")["maxItems"] as? Int == ScenarioLimits.headers)
    #expect(
      try Self.definition("shortText")["maxLength"] as? Int == ScenarioLimits.nameByteCount)
    let config = try #require(try Self.definition("config")["properties"] as? [String: Any])
    let interceptors = try #require(config["interceptors"] as? [String: Any])
    #expect(interceptors["maxItems"] as? Int == ScenarioLimits.links)
    for name in ["connectionCount", "longLimit"] {
      #expect(try Self.definition(name)["maximum"] as? Int == ScenarioLimits.connections)
    }
    #expect(try Self.definition("holders")["maxItems"] as? Int == ScenarioLimits.connections)
    #expect(try Self.definition("position")["maximum"] as? Int == ScenarioLimits.count)
    let host = try #require(try Self.definition("host")["properties"] as? [String: Any])
    let streams = try #require(host["streams"] as? [String: Any])
    #expect(streams["maximum"] as? Int == ScenarioLimits.streams)
    #expect(
      try Self.definition("byteCount")["maximum"] as? Int == ScenarioLimits.messageByteCount)
  }

  @Test("The sample editor settings select the schema for every scenario")
  func editor() throws {
    let object = try JSONSerialization.jsonObject(
      with: try Data(contentsOf: Repository.editorSettings))
    let settings = try #require(object as? [String: Any])
    let schemas = try #require(settings["json.schemas"] as? [[String: Any]])
    let entry = try #require(schemas.first)
    #expect(entry["fileMatch"] as? [String] == ["Scenarios/**/*.json"])
    let place = try #require(entry["url"] as? String)
    let file = Repository.root.appending(path: place).standardizedFileURL
    #expect(file.path == Repository.schema.path)
  }

  private static func schema() throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: try Data(contentsOf: Repository.schema))
    return try #require(object as? [String: Any])
  }

  private static func definition(_ name: String) throws -> [String: Any] {
    let definitions = try #require(try schema()["definitions"] as? [String: [String: Any]])
    return try #require(definitions[name])
  }
}

extension Judge.Complaint: CustomStringConvertible {
  var description: String { "\(pointer.isEmpty ? "/" : pointer): \(message)" }
}
