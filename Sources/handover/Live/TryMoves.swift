import HandoverCore
import HandoverLab
import HandoverReport
import HandoverScenario

/// The requested network changes: built-in ones by name, and scenario files.
struct TryMoves {
  /// The folder of the bundled scenarios that are further network changes.
  private static let folder = "\(BundledFiles.scenarios)/moves"
  /// The names of the network changes that are made only if they are requested.
  static let further = BundledFiles.files(at: folder).map {
    String($0.dropFirst(folder.count + 1).dropLast(".json".count))
  }.sorted()
  /// The names of all built-in network changes.
  static let names = TryMove.all.map(\.name) + further

  /// A list of the built-in network changes for people.
  static func list(width: Int?) -> String {
    let rows = further.map { ($0, scenario(of: $0).title ?? "") }
    return Lookup.text(
      of: TryMove.all.map { ($0.name, $0.title) } + rows, width: width)
  }

  /// Returns the bundled scenario of a further network change.
  private static func scenario(of name: String) -> Scenario {
    let file = "\(folder)/\(name).json"
    guard let bytes = BundledFiles.bytes(of: file),
      let scenario = ScenarioReader.read(file: file, bytes: bytes).scenario
    else { preconditionFailure("a bundled scenario is not valid") }
    return scenario
  }

  /// Returns a further network change.
  private static func move(_ name: String) -> TryMove {
    do throws(TryMove.UnsupportedScript) {
      return try TryMove(name: name, title: name, scenario(of: name).script)
    } catch {
      preconditionFailure("the built-in network change \(name) is not valid: \(error.reason)")
    }
  }

  /// The arguments, in order.
  private let named: [String]

  init(_ named: [String]) {
    self.named = named
  }

  /// Returns whether an argument is the path of a file instead of a name.
  static func isFile(_ text: String) -> Bool { text.hasSuffix(".json") || text.contains("/") }

  /// The first unknown name, or `nil` if all names are known.
  var unknown: String? {
    named.first { !Self.isFile($0) && !Self.names.contains($0) }
  }

  /// The scenario files, as given.
  var files: [String] { named.filter(Self.isFile) }

  /// Returns all requested changes, with the built-in ones first; without arguments, the standard
  /// changes.
  ///
  /// - Throws: ``ExitError`` if a file is not a valid network change, after an error message.
  func read() throws -> [TryMove] {
    var moves = TryMove.all.filter { named.isEmpty || named.contains($0.name) }
    moves += Self.further.filter(named.contains).map(Self.move)
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
              + "move\n    hint: change the id of the scenario")
        }
        moves.append(move)
        noteOmittedEntries(move, scenario)
      } catch {
        complaints.append(Self.complaint(error, scenario))
      }
    }
    for complaint in complaints { printError(complaint) }
    guard complaints.isEmpty, reading.complaints.isEmpty else { throw ExitError(.badInput) }
    return moves
  }

  private func noteOmittedEntries(_ move: TryMove, _ scenario: Scenario) {
    guard move.omittedEntryCount > 0, !LabEntry.isAhead else { return }
    let entries = move.omittedEntryCount == 1 ? "entry is" : "entries are"
    printError(
      "\(SafeText.line(scenario.file)): note: \(move.omittedEntryCount) \(entries) "
        + "ignored, because the program makes its own calls")
  }

  private static func complaint(_ error: TryMove.UnsupportedScript, _ scenario: Scenario) -> String
  {
    let position = error.entry.flatMap { scenario.position(ofEntry: $0) }
    let location = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(SafeText.line(scenario.file))\(location): error: \(error.reason)\n"
      + "    hint: \(error.hint)"
  }
}
