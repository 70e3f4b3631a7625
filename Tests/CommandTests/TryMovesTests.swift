import Foundation
import HandoverLab
import Testing

@testable import handover

@Suite("The moves of handover try")
struct TryMovesTests {
  private static let further = [
    "dhcp-renewal", "ipv6-dies", "lift", "proxy", "train", "vpn-down", "vpn-up", "walk-out",
  ]

  @Test("Further moves are scenarios that a lab can run, and only --move selects them")
  func further() throws {
    #expect(TryMoves.further == Self.further)
    #expect(Set(TryMoves.names).count == TryMoves.names.count)
    #expect(try TryMoves([]).read().map(\.name) == TryMove.all.map(\.name))
    let moves = try TryMoves(Self.further + ["nat"]).read()
    #expect(moves.map(\.name) == ["nat"] + Self.further)
    let returning = moves.filter(\.restoresConnections).map(\.name)
    #expect(returning == ["dhcp-renewal", "lift", "proxy", "train"])
    let forgetting = moves.filter(\.forgetsConnections).map(\.name)
    #expect(forgetting == ["nat", "dhcp-renewal", "proxy"])
  }

  @Test("Each lab has its own file for packets, whatever the moves are called")
  func captureFiles() throws {
    let scratch = try ScratchDirectory()
    let lift = try String(
      contentsOf: packageRoot.appending(path: "Scenarios/moves/lift.json"), encoding: .utf8)
    let ids = ["a/b", "a-b", "a-b-2"]
    let files = try ids.enumerated().map { number, id in
      try scratch.write(lift.replacing("\"moves/lift\"", with: "\"\(id)\""), to: "\(number).json")
    }
    let moves = try TryMoves(files).read()
    var folder = try FrameFolder(scratch.url.appending(path: "frames").path)
    var names: [String] = []
    for round in 0..<2 {
      for move in moves {
        let file = try folder.file(move, round)
        close(file.descriptor)
        names.append(URL(filePath: file.name).lastPathComponent)
      }
    }
    #expect(
      names == [
        "a-b.pcapng", "a-b-2.pcapng", "a-b-2-2.pcapng", "a-b-3.pcapng", "a-b-4.pcapng",
        "a-b-2-3.pcapng",
      ])
  }

  @Test("--list-moves lists every move, and the page describes each")
  func list() throws {
    let run = try CommandLineRun("try", "--list-moves")
    #expect(run.status == 0, "\(run.errors)")
    let page = try String(
      contentsOf: packageRoot.appending(
        path: "Sources/handover/Handover.docc/TryingAProgram.md"), encoding: .utf8)
    for name in TryMoves.names {
      #expect(run.output.contains("\(name)  "), "\(run.output)")
      #expect(page.contains("\n| `\(name)` | "), "\(name)")
    }
  }
}
