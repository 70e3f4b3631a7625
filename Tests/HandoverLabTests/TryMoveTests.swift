import HandoverCore
import Testing

@testable import HandoverLab

@Suite("Scripts as moves")
struct TryMoveTests {
  private static let cellular = ScriptAction.flags(
    [.reachable, .isWWAN], path: nil, linksUp: [], linksDown: [])
  private static let wifi = ScriptAction.flags([.reachable], path: nil, linksUp: [], linksDown: [])
  private static let nothing = ScriptAction.flags([], path: nil, linksUp: [], linksDown: [])

  /// A device on WiFi, and entries a second apart, the first at 1 s.
  private static func script(_ actions: [ScriptAction]) -> Script {
    var script = Script()
    script.paths = ["wifi", "cellular", "cafe"]
    script.hosts = [ScriptHost(written: "a.example:443")]
    script.entries = ContiguousArray(
      actions.enumerated().map { place, action in
        ScriptEntry(at: .zero + .seconds(Int64(place + 1)), action: action)
      })
    return script
  }

  private static func move(_ actions: [ScriptAction]) throws -> TryMove {
    try TryMove(name: "m", title: "M", script(actions))
  }

  @Test("entries of the device are the move, at their times; those of calls are left out")
  func entries() throws {
    let move = try Self.move([.startCall(0), Self.cellular, .cancel(0), .path(PathIndex(2))])
    #expect(move.steps.map(\.after) == [.seconds(2), .seconds(4)])
    #expect(
      move.steps.map(\.act) == [.flags([.reachable, .isWWAN]), .path(PathIndex(2))])
    #expect(move.leftOut == 2)
    #expect(move.paths == ["wifi", "cellular", "cafe"])
    #expect(!move.restoresConnections && !move.forgetsConnections)
  }

  @Test("connections of before can go on where the device is back, or its network is kept alive")
  func back() throws {
    #expect(try Self.move([Self.cellular, Self.wifi]).restoresConnections)
    #expect(try Self.move([Self.nothing, Self.wifi]).restoresConnections)
    let kept = ScriptAction.flags(
      [.reachable, .isWWAN], path: nil, linksUp: PathSet(PathIndex(0)), linksDown: [])
    #expect(try Self.move([kept]).restoresConnections)
  }

  @Test("connections that stall for good are forgotten")
  func stalls() throws {
    #expect(try Self.move([.transport(.all, .stall)]).forgetsConnections)
    let resumed = try Self.move([.transport(.one(0), .stall), .transport(.all, .resume)])
    #expect(!resumed.forgetsConnections && resumed.restoresConnections)
  }

  /// Scripts that are no moves: the entry that is told, and a word of why.
  static let noMoves: [(actions: [ScriptAction], entry: Int?, reason: String)] = [
    ([], nil, "nothing in the timeline"),
    ([.startCall(0), .cancel(0)], nil, "nothing in the timeline"),
    ([cellular, nothing], 1, "no network"),
    ([.app(.background), cellular], 0, "stopped"),
    ([.transport(.all, .blackholeConnect)], 0, "no new connection"),
    ([.names(0, .fail), .names(0, .hang)], 1, "no name"),
    ([cellular, .transport(.all, .stallAcked)], 1, "`stall-acked`"),
    ([.transport(.all, .fin)], 0, "`fin`"), ([.transport(.all, .halfClose)], 0, "`half-close`"),
    ([.server(0, .silent)], 0, "`silent`"), ([.monitor(.miss, by: .zero)], 0, "no monitor"),
  ]

  @Test("what a lab cannot do, or nothing could come back from, is told", arguments: noMoves)
  func impossible(_ actions: [ScriptAction], _ entry: Int?, _ reason: String) throws {
    let error = #expect(throws: TryMove.Impossible.self) { try Self.move(actions) }
    #expect(error?.entry == entry)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test("one of several hosts cannot be told, and all of them can")
  func hosts() throws {
    var script = Self.script([.transport(.one(0), .stall)])
    script.hosts.append(ScriptHost(written: "b.example:443"))
    #expect(throws: TryMove.Impossible.self) { try TryMove(name: "m", title: "M", script) }
    script.entries[0].action = .transport(.all, .stall)
    #expect(try TryMove(name: "m", title: "M", script).steps.count == 1)
  }

  @Test("a program must get under way, and a move has an end")
  func beginning() throws {
    var script = Self.script([Self.wifi])
    script.initial.flags = []
    #expect(throws: TryMove.Impossible.self) { try TryMove(name: "m", title: "M", script) }
    script = Self.script([Self.cellular])
    script.hosts[0].server = .refuse
    #expect(throws: TryMove.Impossible.self) { try TryMove(name: "m", title: "M", script) }
    script = Self.script([Self.cellular])
    script.entries[0].at = .zero + .minutes(21)
    #expect(throws: TryMove.Impossible.self) { try TryMove(name: "m", title: "M", script) }
  }
}
