import ArgumentParser
import HandoverCore
import HandoverReport

struct ProfilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "List the client profiles.",
    discussion: """
      A profile is the model of one client on one transport, such as gRPC-iOS on TCP
      sockets. A scenario runs on each profile that it names.

      Examples:
        handover profiles
        handover run my.json --profile sockets-monitor
      """)

  func run() throws {
    let width = StandardStream.output.columnCount
    StandardStream.output.show(Lookup.text(of: Profile.known, width: width))
  }
}

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of scenarios, for editors.",
    discussion: """
      An editor with this schema completes keys and marks mistakes while you write.
      Name the schema in the scenario: "$schema": "./scenario-1.schema.json".

      Examples:
        handover schema >scenario-1.schema.json
      """)

  func run() throws {
    guard let bytes = BundledFiles.bytes(of: BundledFiles.schema) else {
      throw ExitError(
        .breakdown,
        printing:
          "error: this command was built without its files\n    hint: build it with `make run`")
    }
    StandardStream.output.write(String(decoding: bytes, as: UTF8.self))
  }
}
