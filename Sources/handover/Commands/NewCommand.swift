import ArgumentParser
import HandoverCore

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a commented scenario to start from.",
    discussion: """
      The scenario is complete and passes. WiFi appears while a call streams over
      cellular, and the expectations state what each profile does. With a profile of
      requests, streams fill an endpoint, and a short request arrives. Change the
      scenario as you need. The id comes from the file name or, below a folder
      Scenarios, from the path.

      Examples:
        handover new my.json
        handover new Scenarios/stalls/my-stall.json --title 'My own stall'
        handover new my.json --profile sockets --profile cfstream
        handover new my.json --profile url-loading --profile url-dispatcher
        handover new - > my.json

      Exit status: 0 written; 2 bad usage, or the file exists.
      """)

  @Argument(help: "The file to write, or - for standard output.")
  var file = "scenario.json"

  @OptionGroup var profiles: ProfileOptions

  @Option(
    name: .long,
    help: ArgumentHelp("The title: one line that describes what happens.", valueName: "text"))
  var title: String?

  @Flag(name: .long, help: "Replace an existing file.")
  var force = false

  func validate() throws {
    let profiles = usedProfiles
    if let first = profiles.first,
      let other = profiles.first(where: { $0.client.work != first.client.work })
    {
      throw ValidationError(
        "A scenario cannot combine the profiles \(other.name) (\(other.client.work)) and "
          + "\(first.name) (\(first.client.work)). Write one scenario for each.")
    }
    guard !file.isEmpty else { throw ValidationError("The file name is empty.") }
    guard template.isGood else {
      throw ValidationError(
        "--title must be one line, not empty, without control characters.")
    }
  }

  /// The requested profiles; the default is all profiles with calls.
  private var usedProfiles: [Profile] {
    let names = profiles.names
    return names.isEmpty ? Profile.all : Profile.known.filter { names.contains($0.name) }
  }

  private var template: ScenarioTemplate {
    ScenarioTemplate(file: file, title: title, profiles: usedProfiles)
  }

  func run() throws {
    let template = template
    guard file != "-" else {
      StandardStream.output.write(String(decoding: template.bytes, as: UTF8.self))
      return
    }
    try Interruption.leaveAtSignals()
    try FileCreation.create(file, with: template.bytes, replacing: force)
    let word = ShellWord.quoted(file)
    say(
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

/// Quoting of words for a shell.
enum ShellWord {
  /// Returns the word, in quotes if necessary.
  static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=@%+,".contains($0))
    }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
