import ArgumentParser
import HandoverCore
import HandoverExploration

/// The bugs that are injected into the built-in client.
struct DefectOptions: ParsableArguments {
  @Option(
    name: .customLong("defect"),
    help: ArgumentHelp(
      "Inject a bug into the client; may be repeated. One of: "
        + KnownDefects.names.joined(separator: ", ")
        + ", or another name from `handover selftest --list`.", valueName: "name"),
    completion: .list(Mutant.names))
  var names: [String] = []

  /// The bugs.
  var mutants: [Mutant] { names.compactMap(Mutant.named) }

  /// The options, as they are given on a command line.
  var arguments: [String] { names.flatMap { ["--defect", $0] } }

  func validate() throws {
    for name in names where Mutant.named(name) == nil {
      throw ValidationError(
        "Unknown bug \"\(name)\"." + didYouMean(name, among: Mutant.names)
          + " Known bugs: " + KnownDefects.names.joined(separator: ", ") + ".")
    }
  }

  /// Checks that the client is the built-in one if a bug is injected.
  func validate(for backend: BackendChoice) throws {
    if !backend.isBuiltIn, !names.isEmpty {
      throw ValidationError("--defect requires the built-in client. Remove --backend.")
    }
  }
}
