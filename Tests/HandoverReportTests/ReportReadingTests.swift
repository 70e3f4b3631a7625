import HandoverCore
import HandoverReport
import Testing

@Suite("Reports with impossible numbers are refused with a position")
struct ReportReadingTests {
  /// A report of a run without cases, in which every count that the cases do not determine is
  /// unique.
  private static let run = """
    {"v":1,"kind":"header","backend":"simulated"}
    {"v":1,"kind":"summary","scenarios":0,"cases":0,"passed":0,"failed":0,"failed_as_expected":0,\
    "non_strict":0,"unsupported":0,"errors":0,"unnamed":11,"interrupted":false,"unfinished":12,\
    "change_to_end":[{"profile":"sockets","median_us":0,"worst_us":0,"calls":13,"never_ended":14}],\
    "hangs":{"max_us":0,"calls":15,"worst_us":0,"never_ended":16}}

    """

  @Test("Counts of a run that would overflow a sum are refused", arguments: 11...16)
  func countsOfRun(_ count: Int) throws {
    _ = try RunReport.read(file: "run", bytes: Array(Self.run.utf8))
    let text = Self.run.replacing(":\(count)", with: ":\(Int.max)")
    let error = #expect(throws: InputError.self) {
      try RunReport.read(file: "run", bytes: Array(text.utf8))
    }
    #expect(error?.position.line == 2)
    #expect(error?.message.contains("must be an integer from 0 to ") == true, "\(text)")
  }

  private static let harness = #""harness":{"version":"1","commit":null,"kernel":null}"#
  private static let client =
    #""profile":"sockets","hosts":1,"calls":1,"acts":"plain","defects":[]"#

  private static func exploration(levels: [Int], states: Int) -> String {
    #"{"v":1,"kind":"exploration",\#(harness),\#(client),"verdict":"complete","#
      + "\"states\":\(states),\"transitions\":0,\"levels\":\(levels)}\n"
  }

  @Test("Levels of an exploration that would overflow their sum are refused")
  func levels() throws {
    func read(_ levels: [Int], states: Int) throws -> ExplorationReport {
      let text = Self.exploration(levels: levels, states: states)
      return try ExplorationReport.read(file: "exploration", bytes: Array(text.utf8))
    }
    #expect(try read([1, 2], states: 3).seen.states == 3)
    for size in [1 << 42, 1 << 52] {
      let error = #expect(throws: InputError.self) {
        try read(Array(repeating: size, count: 3_000), states: 3)
      }
      #expect(error?.position.line == 1)
    }
  }

  private static let swarm = """
    {"v":1,"kind":"swarm",\(harness),\(client),"first_seed":1,"runs":1,"length":1}
    {"kind":"run","run":1,"entries":11,"calls":12}
    {"kind":"swarmEnded","played":1,"stopped":false}

    """

  @Test(
    "Counts of a run of a swarm that would overflow a sum are refused", arguments: [11, 12])
  func countsOfSwarm(_ count: Int) throws {
    let text = Self.swarm
    #expect(try SwarmReport.read(file: "swarm", bytes: Array(text.utf8)).runs.count == 1)
    let changed = text.replacing(":\(count)", with: ":\(Int.max >> 20)")
    let error = #expect(throws: InputError.self) {
      try SwarmReport.read(file: "swarm", bytes: Array(changed.utf8))
    }
    #expect(error?.position.line == 2)
  }

  @Test("A report of a later version is refused, even if it has unknown keys", arguments: 0..<3)
  func laterVersion(_ kind: Int) {
    let text = [Self.run, Self.exploration(levels: [1], states: 1), Self.swarm][kind]
    let bytes = Array(text.replacing(#"{"v":1,"#, with: #"{"v":2,"later":0,"#).utf8)
    let error = #expect(throws: InputError.self) {
      switch kind {
      case 0: _ = try RunReport.read(file: "x", bytes: bytes)
      case 1: _ = try ExplorationReport.read(file: "x", bytes: bytes)
      default: _ = try SwarmReport.read(file: "x", bytes: bytes)
      }
    }
    #expect(
      error?.description.hasPrefix(
        "x:1:6: error: the report has version 2, and this command reads version 1") == true,
      "\(error?.description ?? "")")
  }
}
