#if os(Linux)
  import ArgumentParser

  /// `handover backend new`.
  struct BackendNewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "new",
      abstract: "Write out a backend to start from.",
      discussion: """
        It passes `handover backend check` as it is, and says where your client comes
        in. It is written to standard output.

        Examples:
          handover backend new --language python >my_backend.py
          handover backend new --language go >main.go
        """)

    /// The languages that there is a template for.
    enum Language: String, ExpressibleByArgument, CaseIterable {
      case python
      case swift
      case go
    }

    @Option(
      name: .long,
      help: ArgumentHelp("The language of the template: python, swift or go.", valueName: "name"))
    var language = Language.python

    func run() {
      let template =
        switch language {
        case .python: BackendTemplates.python
        case .swift: BackendTemplates.swift
        case .go: BackendTemplates.go
        }
      StandardStream.output.write(template)
    }
  }
#endif
