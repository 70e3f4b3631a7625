import ArgumentParser
import HandoverCore

/// The profiles to which a command is limited.
struct ProfileOptions: ParsableArguments {
  @Option(
    name: .customLong("profile"),
    help: ArgumentHelp(
      "Only this profile; may be repeated. One of: \(listOfNames).", valueName: "name"),
    completion: .list(knownNames))
  var names: [String] = []

  /// The names of all profiles.
  static let knownNames = Profile.known.map(\.name)
  /// The names of all profiles, for a message.
  static let listOfNames = knownNames.joined(separator: ", ")

  func validate() throws { try Self.validate(names) }

  /// Checks that all names are names of profiles.
  static func validate(_ names: [String]) throws {
    for name in names where Profile.named(name) == nil {
      throw ValidationError(
        "Unknown profile \"\(name)\"." + didYouMean(name, among: knownNames)
          + " Profiles: \(listOfNames).")
    }
  }
}
