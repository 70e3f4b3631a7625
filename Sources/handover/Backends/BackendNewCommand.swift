import ArgumentParser
import HandoverReport

/// The command `handover backend new`.
struct BackendNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Print an adapter to start from.",
    discussion: """
      The adapter goes to standard output and passes `handover backend check`. A
      TODO marks each place at which your client must be connected.

      With --real-time the client has its own sockets and runs in the device lab.
      Most clients need this form. Without --real-time the client runs in virtual
      time, and Handover makes its connections. To test a program without changing
      it, use `handover try`.

      Examples:
        handover backend new --real-time --language java >MyClient.java
        handover backend new --real-time >my_client.py
        handover backend check 'lab:python3 my_client.py' \\
            --server 'handover backend serve --role server'
        handover backend new --language go >main.go
      """)

  /// The languages for which there is a template.
  enum Language: String, ExpressibleByArgument, CaseIterable {
    case python
    case go
    case java
    case cpp
    case node
    case swift

    /// The template of a client in virtual time, or `nil` if there is none.
    var virtualTime: String? {
      switch self {
      case .python: EmbeddedFile.text(PackageResources.virtual_client_py_txt)
      case .swift: EmbeddedFile.text(PackageResources.VirtualClient_swift_txt)
      case .go: EmbeddedFile.text(PackageResources.virtual_client_go_txt)
      case .java, .cpp, .node: nil
      }
    }

    /// The template of a client with its own sockets.
    var realTime: String {
      switch self {
      case .python: EmbeddedFile.text(PackageResources.my_client_py_txt)
      case .go: EmbeddedFile.text(PackageResources.main_go_txt)
      case .java: EmbeddedFile.text(PackageResources.MyClient_java_txt)
      case .cpp: EmbeddedFile.text(PackageResources.my_client_cpp_txt)
      case .node: EmbeddedFile.text(PackageResources.my_client_mjs_txt)
      case .swift: EmbeddedFile.text(PackageResources.MyClient_swift_txt)
      }
    }
  }

  @Option(
    name: .long,
    help: ArgumentHelp("The language of the template.", valueName: "name"))
  var language = Language.python

  @Flag(name: .long, help: "A client with its own sockets, for the device lab in real time.")
  var realTime = false

  func validate() throws {
    guard !realTime, language.virtualTime == nil else { return }
    let known = Language.allCases.filter { $0.virtualTime != nil }.map(\.rawValue)
    throw ValidationError(
      "Templates in virtual time exist in \(known.joined(separator: ", ")). Add "
        + "--real-time for a template in \(language.rawValue).")
  }

  func run() {
    StandardStream.output.write(realTime ? language.realTime : language.virtualTime ?? "")
  }
}
