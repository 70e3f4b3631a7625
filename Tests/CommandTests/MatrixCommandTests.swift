import Foundation
import Testing

@Suite("handover matrix")
struct MatrixCommandTests {
  private static let scenarios = "Scenarios/transitions"

  /// Returns the number of cases with each verdict, for each column of a matrix in JSON.
  private static func counts(_ run: CommandLineRun) throws -> [[String: Int]] {
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let columns = try #require(object["columns"] as? [[String: Any]])
    return columns.compactMap { $0["cases"] as? [String: Int] }
  }

  @Test("writes Markdown to standard output, and what it is about to standard error")
  func markdown() throws {
    let run = try CommandLineRun("matrix", Self.scenarios)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("# Handover matrix\n"))
    #expect(run.output.contains("| transitions/wifi-to-cellular "))
    #expect(run.errors.contains("simulated: "))
  }

  @Test("the same bytes come from every process and every number of jobs")
  func determinism() throws {
    let scratch = try ScratchDirectory()
    let texts = try ["1", "2"].map { jobs in
      let files = ["html", "markdown", "json"].map { format in
        (format, scratch.url.appending(path: "\(jobs).\(format)"))
      }
      let outputs = files.flatMap { ["-o", "\($0.0)=\($0.1.path)"] }
      let run = try CommandLineRun(["matrix", Self.scenarios, "--jobs", jobs] + outputs)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.isEmpty)
      return try files.map { try Data(contentsOf: $0.1) }
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0].allSatisfy { !$0.isEmpty })
  }

  @Test("a process has columns of its own beside the simulation, and the same verdicts")
  func processes() throws {
    let process = "exec:\(CommandLineRun.command.path) backend serve"
    let run = try CommandLineRun(
      "matrix", Self.scenarios, "--profile", "sockets-monitor", "--backend", "simulated",
      "--backend", process, "-o", "json=-")
    #expect(run.status == 0, "\(run.errors)")
    let counts = try Self.counts(run)
    #expect(counts.count == 2)
    #expect(counts.first == counts.last)
    #expect(counts[0]["OK"] ?? 0 > 0)
    // The command that repeats a case contains the backend as the user wrote it.
    #expect(run.output.contains("--backend 'exec:"))
  }

  @Test("a failure is exit status 1, one that is known is none, nothing is 4")
  func statuses() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.withThreeMistakes, to: "three.json")
    let failed = try CommandLineRun("matrix", file)
    #expect(failed.status == 1)
    #expect(failed.output.contains("✗ FAILED"))
    #expect(failed.output.contains("ended UNAVAILABLE"))
    let known = try scratch.write("mistakes/**\n", to: "known.txt")
    let expected = try CommandLineRun("matrix", file, "--known-failing", known)
    #expect(expected.status == 0)
    #expect(expected.output.contains("○ KNOWN"))
    #expect(try CommandLineRun("matrix", "--only", "no/such/*").status == 4)
  }

  @Test("what is known of one backend is not known of another")
  func knownOfOne() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.withThreeMistakes, to: "three.json")
    let known = try scratch.write("mistakes/**\n", to: "known.txt")
    let arguments = [
      "matrix", file, "--backend", "simulated", "--backend",
      "exec:\(CommandLineRun.command.path) backend serve", "--known-failing", "simulated=\(known)",
      "-o", "json=-",
    ]
    let one = try CommandLineRun(arguments)
    #expect(one.status == 1)
    #expect(try Self.counts(one).map { $0["KNOWN"] } == [1, 0])
    #expect(try Self.counts(one).map { $0["FAILED"] } == [0, 1])
    let both = try CommandLineRun(arguments + ["--known-failing", "handover-reference=\(known)"])
    #expect(both.status == 0, "\(both.errors)")
    #expect(try Self.counts(both).map { $0["KNOWN"] } == [1, 1])
    let nobody = try CommandLineRun(arguments + ["--known-failing", "nobody=\(known)"])
    #expect(nobody.status == 2)
    #expect(nobody.errors.contains("no backend calls itself \"nobody\""))
    #expect(nobody.errors.contains("hint: there are simulated, handover-reference"))
  }

  @Test(
    "a wrong command line is exit status 2 and says what is right",
    arguments: [
      ["matrix", "--profile", "socket"], ["matrix", "-o", "pdf=-"], ["matrix", "--jobs", "0"],
      ["matrix", "--backend", "simulated", "--backend", "simulated"],
      ["matrix", "-o", "html=-", "-o", "json=-"], ["matrix", "--items", "no/such/file"],
      ["matrix", "-o", "html=/no/such/directory/x"], ["matrix", "--backend", "nobody"],
    ])
  func wrongUsage(_ arguments: [String]) throws {
    let run = try CommandLineRun(arguments)
    #expect(run.status == 2)
    #expect(!run.errors.isEmpty)
    #expect(run.output.isEmpty)
  }
}
