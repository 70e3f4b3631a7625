import ArgumentParser
import HandoverCore
import HandoverScenario
import HandoverTrace

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a scenario to start from, with comments.",
    discussion: """
      What is written is complete and passes: WiFi appears while a call streams over
      cellular, with what each profile makes of it. Change it into your own. The id
      is taken from the name of the file; below a directory Scenarios, from its path.

      Examples:
        handover new my.json
        handover new Scenarios/stalls/my-stall.json --title 'A stall of my own'
        handover new my.json --profile sockets --profile cfstream
        handover new - > my.json

      Exit status: 0 written, 2 bad usage, or the file is there already.
      """)

  @Argument(help: "The file to write, or - for standard output.")
  var file = "scenario.json"

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only this profile; may be repeated. One of: "
        + Profile.all.map(\.name).joined(separator: ", ") + ".", valueName: "name"))
  var profile: [String] = []

  @Option(name: .long, help: ArgumentHelp("One line on what happens.", valueName: "text"))
  var title = "WiFi appears while a call streams over cellular"

  @Flag(name: .long, help: "Replace a file that is there already.")
  var force = false

  func validate() throws {
    for name in profile where Profile.named(name) == nil {
      throw ValidationError(
        "There is no profile \"\(name)\". Profiles: "
          + Profile.all.map(\.name).joined(separator: ", ") + ".")
    }
    guard !file.isEmpty else { throw ValidationError("The file needs a name.") }
    let template = ScenarioTemplate(file: file, title: title, profiles: Profile.all)
    guard template.isGood else {
      throw ValidationError(
        "--title takes one line of text that is not empty, without control characters.")
    }
  }

  func run() throws {
    let profiles = Profile.all.filter { profile.isEmpty || profile.contains($0.name) }
    let template = ScenarioTemplate(file: file, title: title, profiles: profiles)
    guard file != "-" else {
      StandardStream.output.write(String(decoding: template.bytes, as: UTF8.self))
      return
    }
    if let problem = NewFile.write(template.bytes, to: file, replacing: force) {
      printError("\(file): error: \(problem)")
      throw Leave(.badInput)
    }
    let word = ShellWord.quoted(file)
    print(
      """
      \(file) is written: the scenario "\(template.id)", with comments.
      Next:
        handover run \(word)        it passes; see on which profiles
        handover explain \(word)    what happens in it, in plain sentences
      Then change it, and look for mistakes with
        handover check \(word)
      """)
  }
}

/// Words as a shell takes them.
enum ShellWord {
  /// The word in quotes where it needs them.
  static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=@%+,".contains($0))
    }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}

/// The scenario that authors start from.
struct ScenarioTemplate {
  let id: String
  /// The file, in its canonical layout.
  let bytes: [UInt8]
  /// Whether it can be read; a title may be none.
  let isGood: Bool

  init(file: String, title: String, profiles: [Profile]) {
    let place = ScenarioPlace(file)
    id = place.id
    let names = profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let schema = place.schema.map { "\"$schema\": \(JSONText.quoted($0))," } ?? ""
    let text = """
      {\(schema) "format": 1, "id": \(JSONText.quoted(id)), "title": \(JSONText.quoted(title)),
      "profiles": [\(names)],
      "initial": \(Self.initial), "hosts": \(Self.hosts),
      "timeline": [\(Self.timeline.joined(separator: ","))],
      "expect": [\(Self.expectations(profiles).joined(separator: ","))],
      "comment": [\(Self.remarks.map(JSONText.quoted).joined(separator: ","))]}
      """
    let raw = Array(text.utf8)
    isGood = ScenarioReader.read(file: file, bytes: raw).scenario != nil
    bytes = (try? JSONReader.read(raw)).map(CanonicalText.of) ?? raw
  }

  // MARK: Parts

  private static let initial = """
    { "flags": ["Reachable", "IsWWAN"], "app": "foreground",
      "comment": "Reachable alone is WiFi, with IsWWAN it is Cellular, and [] is no network." }
    """

  private static let hosts = """
    { "api.example:443": { "connect": "50ms" },
      "comment": "Every host that is called stands here; connect is how long a connection takes." }
    """

  private static let timeline = [
    """
    { "at": "0s",
      "call": { "id": "stream", "host": "api.example:443", "kind": "streaming", "deadline": "20s" },
      "comment": "Kinds are unary, streaming, client-streaming and bidi. Give calls a deadline." }
    """,
    """
    { "at": "1s", "flags": ["Reachable"],
      "comment": "The device moves. path, app, server, names, transport and monitor go here too." }
    """,
    """
    { "at": "+1s",
      "call": { "id": "next", "host": "api.example:443", "kind": "unary", "takes": "10ms",
        "deadline": "5s" },
      "comment": "+1s is one second after the entry before. takes is the time of the server." }
    """,
  ]

  private static let remarks = [
    "JSON has no comments: comment, and keys that begin with x-, mean nothing and may be anywhere.",
    "Times have a unit: us, ms, s, min or h. They are virtual, so an expected time is exact.",
    "An expectation without profiles is for all of them. level should is a wish, must is the rule.",
    "To see the default numbers changed, add config: backoff, idle, keepalive, tcpTimeout, until.",
    "To keep the scenario with the others, add source: the items of the documents that it shows.",
  ]

  /// What each kind of profile makes of the story.
  private static func expectations(_ profiles: [Profile]) -> [String] {
    let silent = profiles.filter { $0.transport == .tcpSockets && !$0.policy.monitorsReachability }
    let watched = profiles.filter { $0.transport == .tcpSockets && $0.policy.monitorsReachability }
    let told = profiles.filter { $0.transport == .cfStream }
    return [
      (
        silent, #""call": "stream", "status": "DEADLINE_EXCEEDED", "at": "20s""#,
        "Sockets without a monitor stall, and only the deadline ends the call (D8a)."
      ),
      (
        watched,
        #""call": "stream", "status": "UNAVAILABLE", "message": "Connectivity lost.", "at": "1s""#,
        "The monitor notices the change and destroys the channel (D9)."
      ),
      (
        told, #""call": "stream", "status": "UNAVAILABLE", "at": "1s""#,
        "CFStream tells of the connection that was left (D3c, D10)."
      ),
      (
        silent,
        #""call": "next", "status": "DEADLINE_EXCEEDED", "channel": "same", "at": "7s""#,
        "The next call goes to the stalled connection too."
      ),
      (
        watched, #""call": "next", "status": "OK", "channel": "new", "at": "2.06s""#,
        "A new channel: 50ms to connect, 10ms for the server."
      ),
      (
        told, #""call": "next", "status": "OK", "channel": "same", "at": "2.06s""#,
        "The same channel with a new connection."
      ),
    ].compactMap { profiles, what, remark in
      guard !profiles.isEmpty else { return nil }
      let names = profiles.map { "\"\($0.name)\"" }.joined(separator: ", ")
      return "{ \"profiles\": [\(names)], \(what), \"comment\": \(JSONText.quoted(remark)) }"
    } + [
      """
      { "never": { "call": "stream", "status": "CANCELLED" },
        "comment": "What must not be seen at any time of the run." }
      """
    ]
  }
}
