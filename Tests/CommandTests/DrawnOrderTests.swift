import Foundation
import Testing

/// The behavior of `"order": "drawn"` for external backends, as the page about the format
/// documents it.
@Suite("Random order for external backends")
struct DrawnOrderTests {
  private let scratch: ScratchDirectory
  private let file: String

  init() throws {
    scratch = try ScratchDirectory()
    // Each answer arrives at the deadline of its call.
    let calls = (1...3).map { second in
      """
      { "at": "0s", "call": { "id": "c\(second)", "host": "a:1", "kind": "unary",
        "takes": "\(second)s", "deadline": "\(second).05s" } }
      """
    }
    file = try scratch.write(
      """
      { "format": 1, "id": "drawn", "profiles": ["sockets", "sockets-monitor"],
        "initial": { "flags": ["Reachable"] }, "hosts": { "a:1": { "connect": "50ms" } },
        "config": { "order": "drawn" },
        "timeline": [\(calls.joined(separator: ",\n"))],
        "expect": [{ "call": "c1", "within": ["0s", "2s"] }] }
      """, to: "drawn.json")
  }

  /// Returns how the calls end on each profile.
  private func ends(_ backend: String, seed: Int) throws -> [String] {
    let run = try CommandLineRun(
      "run", file, "--seed", "\(seed)", "--backend", backend, "-o", "jsonl=-")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let ends = run.output.matches(of: /"calls":(\[.*?\]),"change/).map { String($0.output.1) }
    #expect(ends.count == 2, "\(run.output)")
    return ends
  }

  @Test("An external client has the built-in order, and a transport its own, the same each time")
  func drawn() throws {
    let client = "exec:\(CommandLineRun.command.path) backend serve"
    var differing = 0
    for seed in 1...6 {
      let builtIn = try ends("simulated", seed: seed)
      #expect(try ends(client, seed: seed) == builtIn, "seed \(seed)")
      let transport = try ends("\(client) --role transport", seed: seed)
      #expect(try ends("\(client) --role transport", seed: seed) == transport, "seed \(seed)")
      if transport != builtIn { differing += 1 }
    }
    #expect(differing > 0)
  }
}
