import HandoverCore
import HandoverLab
import HandoverReport
import HandoverScenario

/// The requested network changes: built-in ones by name, and scenario files.
struct TryMoves {
  /// The arguments, in order.
  private let named: [String]

  init(_ named: [String]) {
    self.named = named
  }

  /// Returns whether an argument is the path of a file instead of a name.
  static func isFile(_ text: String) -> Bool { text.hasSuffix(".json") || text.contains("/") }

  /// The first unknown name, or `nil` if all names are known.
  var unknown: String? {
    named.first { name in
      !Self.isFile(name) && !TryMove.all.contains { $0.name == name }
    }
  }

  /// The scenario files, as given.
  var files: [String] { named.filter(Self.isFile) }

  /// Returns all requested changes, with the built-in ones first; without arguments, all built-in
  /// changes.
  ///
  /// - Throws: ``ExitError`` if a file is not a valid network change, after an error message.
  func read() throws -> [TryMove] {
    var moves = TryMove.all.filter { named.isEmpty || named.contains($0.name) }
    let reading = Reading(files, tellsOrigin: !LabEntry.isAhead)
    reading.showComplaints()
    var complaints: [String] = []
    for scenario in reading.scenarios {
      do throws(TryMove.UnsupportedScript) {
        let move = try TryMove(
          name: scenario.id, title: scenario.title ?? scenario.id, scenario.script)
        if moves.contains(where: { $0.name == move.name }) {
          complaints.append(
            "\(SafeText.line(scenario.file)): error: the name \"\(move.name)\" is already a "
              + "move\n"
              + "    hint: change the id of the scenario")
        }
        moves.append(move)
        noteLeftOut(move, scenario)
      } catch {
        complaints.append(Self.complaint(error, scenario))
      }
    }
    for complaint in complaints { printError(complaint) }
    guard complaints.isEmpty, reading.complaints.isEmpty else { throw ExitError(.badInput) }
    return moves
  }

  private func noteLeftOut(_ move: TryMove, _ scenario: Scenario) {
    guard move.leftOut > 0, !LabEntry.isAhead else { return }
    let entries = move.leftOut == 1 ? "entry is" : "entries are"
    printError(
      "\(SafeText.line(scenario.file)): note: \(move.leftOut) \(entries) ignored, because the "
        + "program "
        + "makes its own calls")
  }

  private static func complaint(_ error: TryMove.UnsupportedScript, _ scenario: Scenario) -> String
  {
    let position = error.entry.map { scenario.entryPositions[$0] }
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(SafeText.line(scenario.file))\(place): error: \(error.reason)\n"
      + "    hint: \(error.hint)"
  }
}
