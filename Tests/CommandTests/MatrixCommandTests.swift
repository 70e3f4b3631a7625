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

  @Test("Markdown goes to standard output, and progress goes to standard error")
  func markdown() throws {
    let run = try CommandLineRun("matrix", Self.scenarios)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("# Handover matrix\n"))
    #expect(run.output.contains("| transitions/wifi-to-cellular "))
    #expect(run.errors.contains("simulated: "))
  }

  @Test("The output is the same in every process and with any number of jobs")
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

  @Test("An external client has its own columns next to the simulation, with the same verdicts")
  func processes() throws {
    let process = "exec:\(CommandLineRun.command.path) backend serve"
    let run = try CommandLineRun(
      "matrix", Self.scenarios, "--profile", "sockets-monitor", "--backend", "simulated",
      "--backend", process, "-o", "json=-")
    #expect(run.status == 0, "\(run.errors)")
    let counts = try Self.counts(run)
    #expect(counts.count == 2)
    #expect(counts.first == counts.last)
    #expect(counts[0]["PASSED"] ?? 0 > 0)
    // The command that repeats a case contains the backend as the user wrote it.
    #expect(run.output.contains("--backend 'exec:"))
  }

  @Test("A failure exits with status 1, a known failure with 0, and no cases with 4")
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
    // A pipe can be read once only.
    let piped = try CommandLineRun(
      command: URL(filePath: "/bin/sh"),
      [
        "-c",
        "cat '\(known)' | '\(CommandLineRun.command.path)' matrix '\(file)' "
          + "--known-failing /dev/stdin",
      ])
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(piped.output.contains("○ KNOWN"))
    #expect(try CommandLineRun("matrix", "--only", "no/such/*").status == 4)
  }

  @Test("Commands that repeat a case or the matrix contain the settings of the backend")
  func settings() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.withThreeMistakes, to: "three.json")
    let settings = [
      "--backend", "exec:\(CommandLineRun.command.path) backend serve", "--timeout", "61s",
      "--tolerance", "9s",
    ]
    let run = try CommandLineRun(["run", file] + settings)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.output.contains(/repeat +handover run .* --backend 'exec:.*serve' --timeout 61s\n/))
    let items = packageRoot.appending(path: "Fixtures/Documents/items.json").path
    let matrix = try CommandLineRun(
      ["matrix", file, "--items", items, "-o", "html=-"] + settings)
    #expect(matrix.status == 1, "\(matrix.errors)")
    #expect(matrix.output.contains(" --timeout 61s --items \(items)</code>"), "\(matrix.errors)")
    // The tolerance is for real time.
    #expect(!matrix.output.contains("--tolerance"))
  }

  @Test("A failure that is known for one backend is not known for another")
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
    #expect(nobody.errors.contains("no backend has the name \"nobody\""))
    #expect(nobody.errors.contains("hint: write one of simulated, handover-reference"))
  }

  @Test(
    "Options that have no effect on reports of try are refused",
    arguments: [
      ["--seed", "1"], ["--max-hang", "5s"], ["--strict"], ["--condition", "wifi:delay=1s"],
      ["--jobs", "4"], ["--date", "today"], ["--items", "items.json"], ["--tolerance", "9s"],
      ["--require-lab"],
    ])
  func tryReports(_ options: [String]) throws {
    let run = try CommandLineRun(["matrix", "no-such.jsonl"] + options)
    #expect(run.status == 2)
    #expect(run.errors.contains("Reports of `handover try` accept only --output."))
  }

  @Test(
    "A wrong command line exits with status 2 and shows the right one",
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
