public import HandoverCore

/// The result of reading a scenario.
public struct ScenarioReading: Hashable, Sendable {
  /// The scenario, or `nil` if there is an error.
  public var scenario: Scenario?
  /// The problems of the file, in the order of the file.
  public var diagnostics: [Diagnostic]

  /// Creates a result.
  public init(scenario: Scenario?, diagnostics: [Diagnostic]) {
    self.scenario = scenario
    self.diagnostics = diagnostics
  }
}

/// Reads scenario files of format 1.
///
/// For any input, the result is a scenario or an error with its location and reason. Invalid JSON
/// has one error, at the first invalid byte. All other problems are reported in one run.
public enum ScenarioReader {
  /// The format that the reader supports.
  public static let format = 1

  /// Returns the recording in a file that a scenario names, or `nil` if the file cannot be read.
  ///
  /// It throws if the file is not a recording. The reader calls it for each mention of a file.
  public typealias TraceSource = (String) throws(LinkTrace.Problem) -> LinkTrace?

  /// Returns whether a string has the path-like form of scenario IDs.
  package static func isPathLike(_ id: String) -> Bool {
    id.utf8.split(separator: .slash, omittingEmptySubsequences: false).allSatisfy { segment in
      let dots = segment.count { $0 == .dot }
      return dots < segment.count
        && segment.allSatisfy {
          $0.isLetter || $0.isDigit || $0 == .minus || $0 == .dot || $0 == UInt8(ascii: "_")
        }
    }
  }

  /// Reads a scenario without reading its traces, which only keep their names.
  ///
  /// - Parameters:
  ///   - file: the name of the file for reports.
  ///   - bytes: the contents of the file.
  /// - Returns: the scenario, and the problems of the file.
  public static func read(file: String, bytes: [UInt8]) -> ScenarioReading {
    read(file: file, bytes: bytes, traces: nil)
  }

  /// Reads a scenario and its traces.
  ///
  /// - Parameters:
  ///   - file: the name of the file for reports.
  ///   - bytes: the contents of the file.
  ///   - traces: returns the trace of a name, or `nil` to read no traces.
  /// - Returns: the scenario, and the problems of the file.
  public static func read(
    file: String, bytes: [UInt8], traces: TraceSource?
  ) -> ScenarioReading {
    let document: JSONDocument
    do throws(JSONSyntaxError) {
      document = try JSONReader.read(bytes)
    } catch {
      return ScenarioReading(scenario: nil, diagnostics: [diagnostic(error, file)])
    }
    var builder = ScenarioBuilder(document, traces: traces)
    for key in document.duplicateKeys {
      builder.report(
        .duplicateKey, at: key,
        "the key \(Excerpt.quoted(key.text ?? "")) occurs twice in one object",
        hint: "remove one of the two keys")
    }
    let scenario = builder.scenario(document.root, file: file)
    return ScenarioReading(
      scenario: builder.collector.errorCount == 0 ? scenario : nil,
      diagnostics: builder.collector.diagnostics(file: file, document: document))
  }

  /// Returns the diagnostic for a file that is too long to be read.
  ///
  /// - Parameters:
  ///   - file: the name of the file for reports.
  ///   - byteCount: the size of the file; more than ``JSONReader/maximumByteCount``.
  /// - Returns: the error, positioned at the beginning of the file.
  public static func refusal(ofFile file: String, byteCount: Int) -> Diagnostic {
    diagnostic(JSONReader.tooLarge(byteCount: byteCount), file)
  }

  private static func diagnostic(_ error: JSONSyntaxError, _ file: String) -> Diagnostic {
    Diagnostic(
      code: error.code, message: error.message, hint: error.hint, file: file,
      position: error.position, pointer: "")
  }
}

extension ScenarioBuilder {
  /// Reads the whole file; returns `nil` only if an error has been reported.
  fileprivate mutating func scenario(_ value: JSONValue, file: String) -> Scenario? {
    guard has(value, .object, ScenarioKey.object.owner), isSupported(value),
      let fields = fields(value, ScenarioKey.self)
    else { return nil }
    let id = fields[.id].flatMap { self.scenarioID($0) }
    let title = fields[.title].flatMap { self.title($0) }
    // The sources are read first, because expectations refer to them.
    sources = fields[.source].map { self.itemReferences($0) } ?? []
    if let profiles = fields[.profiles] {
      self.profiles = profileList(profiles, "\"profiles\"", among: Profile.known) ?? Profile.all
    }
    // Sections are read in the order of their dependencies, whatever their order in the file. The
    // timeline refers to the hosts, the initial state and the end of the run. The expectations
    // refer to the timeline.
    if let hosts = fields[.hosts] { readHosts(hosts) }
    if let configuration = fields[.config] { readConfiguration(configuration) }
    if let networks = fields[.networks] { readNetworks(networks) }
    resolveLiterals()
    if let initial = fields[.initial] { readInitial(initial) }
    beginNetworks()
    if let timeline = fields[.timeline] { readTimeline(timeline) }
    if let expectations = fields[.expect] { readExpectations(expectations) }
    script.paths = paths.names
    script.pools = pools.names
    guard let id else { return nil }
    script.name = id
    return Scenario(
      file: file, id: id, title: title, sources: sources, profiles: profiles, script: script,
      expectations: expectations, entryPositions: entryPositions)
  }

  /// Returns whether the format of the file is known; the rest of an unknown format is not checked.
  private mutating func isSupported(_ value: JSONValue) -> Bool {
    guard let format = value.members.first(where: { $0.key.text == "format" })?.value else {
      return true
    }
    guard case .number = format.kind, format.integer == .success(Int128(ScenarioReader.format))
    else {
      report(
        .unsupportedFormat, at: format, "the file has an unknown format version",
        hint: "write \"format\": \(ScenarioReader.format)")
      return false
    }
    return true
  }

  private mutating func scenarioID(_ value: JSONValue) -> String? {
    guard let id = name(value, "the scenario's id") else { return nil }
    guard ScenarioReader.isPathLike(id) else {
      report(
        .invalidID, at: value, "the scenario's id \(Excerpt.quoted(id)) is not a valid id",
        hint: "write names of ASCII letters, digits, - . and _, separated by /, as in a/b-c")
      return nil
    }
    return id
  }

  private mutating func title(_ value: JSONValue) -> String? {
    guard let title = text(value, "the title"), isPrintable(title, value, "the title") else {
      return nil
    }
    return title
  }

  private mutating func itemReferences(_ value: JSONValue) -> [ItemReference] {
    guard has(value, .array, "\"source\"") else { return [] }
    var references: [ItemReference] = []
    for (index, element) in value.elements.enumerated() {
      guard index < ScenarioLimits.sources else {
        report(
          .tooManySources, at: element, "there are more than \(ScenarioLimits.sources) sources",
          hint: "keep only requirements that the scenario verifies")
        break
      }
      guard var reference = read(element, ScenarioFormat.source) else { continue }
      reference.position = cursor.position(at: element.offset)
      references.append(reference)
    }
    return references
  }
}

// MARK: - Profiles

extension ScenarioBuilder {
  /// Reads a list of profiles, and sorts it in the order of ``Profile/known``.
  ///
  /// The list can contain only profiles in `available`: all known profiles, or those of the
  /// scenario.
  mutating func profileList(_ value: JSONValue, _ owner: String, among available: [Profile])
    -> [Profile]?
  {
    guard has(value, .array, owner) else { return nil }
    var named: [Profile] = []
    var isEmpty = true
    for element in value.elements {
      isEmpty = false
      guard has(element, .text, "a profile") else { continue }
      let name = element.text ?? ""
      guard let profile = Profile.named(name) else {
        reportUnknown(
          .unknownProfile, at: element, "unknown profile \(Excerpt.quoted(name))", name,
          names: Profile.known.map(\.name))
        continue
      }
      if named.contains(profile) {
        report(
          .duplicateProfile, at: element, "the profile \"\(profile.name)\" is named twice",
          hint: "remove one of the two")
      } else if !available.contains(profile) {
        report(
          .profileNotInScenario, at: element,
          "the scenario does not name the profile \"\(profile.name)\"",
          hint: "add the profile to the scenario's \"profiles\", or remove it here")
      }
      named.append(profile)
    }
    guard !isEmpty else {
      report(
        .emptyList, at: value, "\(owner) is empty",
        hint: "add a profile, or remove the key to mean all profiles")
      return nil
    }
    return Profile.known.filter(named.contains)
  }
}
