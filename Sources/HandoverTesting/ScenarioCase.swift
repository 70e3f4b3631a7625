public import HandoverBackend
import HandoverCore
public import HandoverEngine
import HandoverReport
import HandoverScenario
public import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A scenario on one client profile, for use as a test argument.
///
///     @Test(arguments: try ScenarioCase.all(in: "Scenarios", profiles: ["sockets-monitor"]))
///     func transport(_ scenario: ScenarioCase) {
///       scenario.expectToPass(on: MyBackend())
///     }
public struct ScenarioCase: Sendable, CustomTestStringConvertible {
  private let scenario: Scenario
  private let profile: Profile

  /// The stable, path-like name of the scenario.
  public var id: String { scenario.id }

  /// The name of the profile.
  public var profileName: String { profile.name }

  /// The ID of the scenario, followed by the profile in brackets.
  public var testDescription: String { "\(id) [\(profileName)]" }

  // MARK: Finding cases

  /// Returns the cases of all scenarios in a directory, in the order of their files and profiles.
  ///
  /// - Parameters:
  ///   - directory: The directory to search for `*.json`. A relative path is resolved from the
  ///     directory of the calling file, and then from each of its parent directories.
  ///   - profiles: The names of the selected profiles, or `nil` for all profiles of each scenario.
  ///   - glob: A pattern for the selected IDs: `*` matches anything but a slash, `**` matches
  ///     anything.
  ///   - file: The calling file.
  /// - Throws: ``ScenarioCaseError`` if the directory does not exist, a file is not a valid
  ///   scenario, or no case is selected.
  /// - Returns: One case for each scenario and profile; never an empty array.
  public static func all(
    in directory: String, profiles: [String]? = nil, only glob: String = "**",
    file: String = #filePath
  ) throws(ScenarioCaseError) -> [ScenarioCase] {
    let root = try found(directory, kind: "directory", from: file)
    var cases: [ScenarioCase] = []
    var complaints: [String] = []
    let pattern = Glob(glob)
    for path in files(under: root) {
      let scenario: Scenario
      do throws(ScenarioCaseError) {
        scenario = try read(path)
      } catch {
        complaints.append(error.description)
        continue
      }
      guard pattern.matches(scenario.id) else { continue }
      for profile in scenario.profiles where profiles?.contains(profile.name) ?? true {
        cases.append(ScenarioCase(scenario: scenario, profile: profile))
      }
    }
    guard complaints.isEmpty else { throw ScenarioCaseError(complaints.joined(separator: "\n")) }
    guard !cases.isEmpty else {
      throw ScenarioCaseError("no scenario under \(root) matches; check the glob and the profiles")
    }
    return cases
  }

  /// Returns the script of one scenario.
  ///
  /// - Parameters:
  ///   - scenario: The path of the file, resolved like the directory of
  ///     ``all(in:profiles:only:file:)``.
  ///   - file: The calling file.
  /// - Throws: ``ScenarioCaseError`` if the file does not exist or is not a valid scenario.
  /// - Returns: The script, without the expectations.
  static func script(of scenario: String, from file: String) throws(ScenarioCaseError) -> Script {
    try read(try found(scenario, kind: "file", from: file)).script
  }

  /// Reads a scenario file; the error names all mistakes in it.
  private static func read(_ path: String) throws(ScenarioCaseError) -> Scenario {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ScenarioCaseError("\(path): cannot be read")
    }
    let reading = ScenarioReader.read(file: path, bytes: Array(data))
    guard let scenario = reading.scenario else {
      throw ScenarioCaseError(reading.diagnostics.map(\.description).joined(separator: "\n"))
    }
    return scenario
  }

  private static func found(
    _ name: String, kind: String, from file: String
  ) throws(ScenarioCaseError) -> String {
    if name.hasPrefix("/") {
      guard FileManager.default.fileExists(atPath: name) else {
        throw ScenarioCaseError("there is no \(kind) \"\(name)\"")
      }
      return name
    }
    var folder = file
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      let candidate = "\(folder)/\(name)"
      if FileManager.default.fileExists(atPath: candidate) { return candidate }
    }
    throw ScenarioCaseError(
      "there is no \(kind) \"\(name)\" next to \(file) or above; write its full path")
  }

  private static func files(under root: String) -> [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    // Sort by ID, which is the path without its extension.
    return names.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }
      .map { String($0.dropLast(5)) }.sorted().map { "\(root)/\($0).json" }
  }

  // MARK: Running cases

  /// Runs the case on a backend, and records an issue for every failure.
  ///
  /// An issue about an expectation is recorded at its line in the scenario, together with the
  /// timeline, which is attached to the test as well. Any other issue is recorded at the caller's
  /// line. Failed recommendations, and expectations that the backend declares as not observable,
  /// are not issues.
  ///
  /// - Parameters:
  ///   - backend: The backend under test.
  ///   - sourceLocation: The line of the caller.
  /// - Returns: The verdict of the case.
  @discardableResult
  public func expectToPass(
    on backend: any Backend, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Verdict {
    var worker = Worker(backend, retaining: .traces)
    guard let result = worker.run(scenario, on: [profile]).cases.first else { return .passed }
    var timeline = CaseText.timeline(of: result, scenario)
    if result.verdict >= .failed, !timeline.isEmpty {
      Attachment.record(timeline, named: "\(testDescription.replacing("/", with: "-")).txt")
    }
    for finding in result.findings where finding.verdict >= .failed {
      var text = "\(testDescription)\n\(CaseText.phrase(finding))"
      if !timeline.isEmpty { text += "\n\n\(timeline)" }
      // Show the timeline only in the first issue.
      timeline = ""
      Issue.record(Comment(rawValue: text), sourceLocation: position(of: finding) ?? sourceLocation)
    }
    return result.verdict
  }

  private func position(of finding: Finding) -> SourceLocation? {
    guard let position = finding.position else { return nil }
    let name = scenario.file.split(separator: "/").last.map(String.init) ?? scenario.file
    return SourceLocation(
      fileID: "Scenarios/\(name)", filePath: scenario.file, line: position.line,
      column: position.column)
  }
}

/// An error that explains why no cases were found.
public struct ScenarioCaseError: Error, Hashable, CustomStringConvertible {
  /// A description of the problem, with a hint.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
