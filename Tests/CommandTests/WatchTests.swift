import Foundation
import Synchronization
import Testing

/// A run of the command that goes on, with what it has written so far.
final class LongRun: Sendable {
  private struct State {
    var output = ""
    var seen = 0
  }

  private let process: Process
  private let state = Mutex(State())
  private let errors = Mutex("")

  init(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = CommandLineRun.command
    process.arguments = arguments
    process.currentDirectoryURL = packageRoot
    process.standardInput = FileHandle.nullDevice
    let (out, err) = (Pipe(), Pipe())
    process.standardOutput = out
    process.standardError = err
    self.process = process
    out.fileHandleForReading.readabilityHandler = { [self] handle in
      let text = String(decoding: handle.availableData, as: UTF8.self)
      if text.isEmpty { handle.readabilityHandler = nil }
      state.withLock { $0.output += text }
    }
    err.fileHandleForReading.readabilityHandler = { [self] handle in
      let text = String(decoding: handle.availableData, as: UTF8.self)
      if text.isEmpty { handle.readabilityHandler = nil }
      errors.withLock { $0 += text }
    }
    try process.run()
  }

  /// All that was written to standard error.
  var complaints: String { errors.withLock { $0 } }

  /// Waits until the output goes on with a text, and takes everything up to it.
  func expect(
    _ text: String, within limit: Duration = .seconds(20),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      let taken: String? = state.withLock { state in
        let rest = state.output.dropFirst(state.seen)
        guard let range = rest.range(of: text) else { return nil }
        let part = String(rest[..<range.upperBound])
        state.seen += part.count
        return part
      }
      if let taken { return taken }
      try await Task.sleep(for: .milliseconds(10))
    }
    let output = state.withLock { $0.output }
    Issue.record("no \"\(text)\" in \(output)\(complaints)", sourceLocation: sourceLocation)
    throw CancellationError()
  }

  /// Ends the run as Ctrl-C does, and answers its exit status.
  func interrupt(within limit: Duration = .seconds(20)) async throws -> Int32 {
    process.interrupt()
    let end = ContinuousClock.now + limit
    while process.isRunning, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(10))
    }
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    return process.terminationStatus
  }
}

@Suite("handover run --watch", .timeLimit(.minutes(30)))
struct WatchTests {
  private static let waiting = "Ctrl-C ends.\n"

  private static func sample(_ id: String) -> String {
    Sample.plain.replacing("\"good\"", with: "\"\(id)\"")
  }

  @Test("what a save touches is run again, whichever way it is saved, until Ctrl-C")
  func saves() async throws {
    let scratch = try ScratchDirectory()
    let first = try scratch.write(Self.sample("first"), to: "first.json")
    _ = try scratch.write(Self.sample("second"), to: "second.json")
    let run = try LongRun(["run", scratch.url.path, "--watch"])
    let all = try await run.expect(Self.waiting)
    #expect(all.contains("(2 scenarios, 8 cases)"))

    // In place, with what makes it fail.
    let broken = Self.sample("first").replacing("10ms", with: "11ms")
    try Data(broken.utf8).write(to: URL(fileURLWithPath: first))
    let inPlace = try await run.expect("(1 scenario, 4 cases)")
    #expect(inPlace.contains("-- 1 scenario again (1 changed: \(first)) --"))
    #expect(inPlace.contains("0 passed, 4 failed"))

    // As editors do it: another file that takes the name.
    let other = scratch.url.appending(path: ".first.json.swp")
    try Data(Self.sample("first").utf8).write(to: other)
    let isRenamed = unsafe rename(other.path, first) == 0
    #expect(isRenamed)
    let renamed = try await run.expect("(1 scenario, 4 cases)")
    #expect(renamed.contains("1 changed: \(first)"))
    #expect(renamed.contains("4 passed, 0 failed"))

    // New, in a directory that is new itself.
    let folder = scratch.url.appending(path: "folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    _ = try scratch.write(Self.sample("third"), to: "folder/third.json")
    let new = try await run.expect("(1 scenario, 4 cases)")
    #expect(new.contains("1 new: "))
    _ = try scratch.write(Self.sample("third"), to: "folder/third.json")
    #expect(try await run.expect("(1 scenario, 4 cases)").contains("1 changed: "))

    try FileManager.default.removeItem(atPath: first)
    _ = try await run.expect("-- 0 scenarios again (1 removed: \(first)) --")

    #expect(try await run.interrupt() == 130)
    let end = try await run.expect("(2 scenarios, 8 cases)")
    #expect(end.contains("Interrupted. Last state of 2 files: 8 passed, 0 failed"))
  }

  @Test("a file that is saved broken is told, and run again when it is mended")
  func brokenFile() async throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "good.json")
    let run = try LongRun(["run", file, "--watch"])
    _ = try await run.expect(Self.waiting)
    try Data("{".utf8).write(to: URL(fileURLWithPath: file))
    _ = try await run.expect("-- 0 scenarios again (1 changed: \(file)) --")
    _ = try scratch.write(Sample.plain, to: "good.json")
    _ = try await run.expect("(1 scenario, 4 cases)")
    #expect(try await run.interrupt() == 130)
    #expect(run.complaints.contains("\(file):1:"))
  }

  @Test("a report that is read by a program is not mixed with other words")
  func programs() async throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "good.json")
    let run = try LongRun(["run", file, "--watch", "-o", "jsonl=-"])
    let output = try await run.expect("\"kind\":\"summary\"")
    #expect(!output.contains("Ctrl-C"))
    #expect(try await run.interrupt() == 130)
  }

  @Test("a report to a file would be written over, and is refused")
  func files() throws {
    let run = try CommandLineRun("run", "--watch", "-o", "junit=r.xml")
    #expect(run.status == 2)
    #expect(run.errors.contains("With --watch"))
  }

  @Test("where there is nothing to watch, nothing is waited for")
  func nothing() throws {
    let run = try CommandLineRun("run", "--watch", "no/such/directory/x.json")
    #expect(run.status == 2)
    #expect(run.errors.contains("changes here are not noticed"))
  }
}
