import ArgumentParser
import Glibc
import HandoverCore
import HandoverEngine
import HandoverLinux
import HandoverScenario
import HandoverSimulation

struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Support scenario files in an editor (Language Server Protocol).",
    discussion: """
      The editor starts this command, and exchanges messages with it over standard
      input and output. The command reports problems while you type, explains keys
      and requirements, completes keys and values, and runs the scenario in
      simulation. It opens no port. The page EditorSupport shows the settings for
      several editors.

      Exit status: 0 the editor sent shutdown and exit; 1 exit without shutdown, or
      the input ended; 2 the messages are not separated by valid headers, or are not
      read.

      Examples:
        handover lsp     what a client for language servers starts
      """)

  func run() throws {
    let interruption = Interruption()
    try interruption.listen()
    var server = LanguageServer(
      items: try Documents.items(BundledFiles.items),
      traces: { file in
        { name throws(LinkTrace.Problem) in try TraceFiles.trace(name, of: file) }
      },
      run: { Self.simulate($0, interruption) })
    var frames = MessageFrames()
    while !server.isOver {
      interruption.leaveWhenReceived()
      guard let bytes = InputChunk.read(STDIN_FILENO) else { break }
      frames.append(bytes)
      while !server.isOver, let frame = frames.next() {
        for message in server.receive(frame) {
          guard StandardStream.output.write(MessageFrames.text(of: message.line)) else {
            throw ExitError(.badInput)
          }
        }
      }
      if frames.isBroken {
        throw ExitError(
          printing: "error: the input has a header without an end\n    hint: use an editor's client"
        )
      }
    }
    if !server.isShutDown || !server.isOver { throw ExitError(.failure) }
  }

  /// Runs a scenario; a crash of a case is its result, and does not end the session.
  static func simulate(
    _ scenario: Scenario, _ interruption: Interruption
  ) -> ScenarioResult? {
    var result: ScenarioResult?
    let run = ParallelRun(
      backend: SimulatedBackend(), retainedData: [], jobs: 1, repeatCount: 1, failsFast: false,
      interruption: interruption, progress: .never)
    _ = run([PlannedScenario(scenario: scenario, profiles: scenario.profiles)]) {
      result = $0
      return true
    }
    // The trace is not shown, and a long one would stay in memory as long as the document.
    result?.cases.indices.forEach { result?.cases[$0].trace = nil }
    return result
  }
}
