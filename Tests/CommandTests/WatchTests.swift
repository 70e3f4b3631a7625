import Foundation
import Testing

/// A long-running run of the command, with its output so far.
///
/// Waiting blocks the thread. An earlier version used `await`, and resumed only when property tests
/// of other suites freed a thread, long after the time limit.
final class LongRun: @unchecked Sendable {
  private let process: Process
  /// Guards the properties below, and is signaled when they change.
  private let changed = NSCondition()
  private var output = ""
  private var seen = 0
  private var errors = ""
  private var isEnded = false

  init(_ arguments: [String], in folder: URL = packageRoot) throws {
    let process = Process()
    process.executableURL = CommandLineRun.command
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    let (out, err) = (Pipe(), Pipe())
    process.standardOutput = out
    process.standardError = err
    self.process = process
    out.fileHandleForReading.readabilityHandler = { [self] handle in
      let text = String(decoding: handle.availableData, as: UTF8.self)
      if text.isEmpty { handle.readabilityHandler = nil }
      change { output += text }
    }
    err.fileHandleForReading.readabilityHandler = { [self] handle in
      let text = String(decoding: handle.availableData, as: UTF8.self)
      if text.isEmpty { handle.readabilityHandler = nil }
      change { errors += text }
    }
    process.terminationHandler = { [self] _ in change { isEnded = true } }
    try process.run()
  }

  /// Everything written to standard error.
  var complaints: String { changed.withLock { errors } }

  /// Waits until the output continues with a string, and consumes everything up to it.
  func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let taken: String? = wait {
      let rest = output.dropFirst(seen)
      guard let range = rest.range(of: text) else { return nil }
      let part = String(rest[..<range.upperBound])
      seen += part.count
      return part
    }
    if let taken { return taken }
    let said = changed.withLock { output + errors }
    Issue.record("no \"\(text)\" in \(said)", sourceLocation: sourceLocation)
    throw CancellationError()
  }

  /// Ends the run as Ctrl-C does, and returns its exit status.
  func interrupt() -> Int32 {
    process.interrupt()
    let isOver: Void? = wait { isEnded ? () : nil }
    if isOver == nil { process.terminate() }
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func change(_ body: () -> Void) {
    changed.withLock {
      body()
      changed.broadcast()
    }
  }

  /// Waits up to two minutes for a value, and checks once more after that.
  private func wait<Value>(for value: () -> Value?) -> Value? {
    let end = Date(timeIntervalSinceNow: 120)
    return changed.withLock {
      while true {
        if let found = value() { return found }
        guard changed.wait(until: end) else { return value() }
      }
    }
  }
}

@Suite("handover run --watch")
struct WatchTests {
  private static let waiting = "Press Ctrl-C to stop.\n"

  private static func sample(_ id: String) -> String {
    Sample.plain.replacing("\"good\"", with: "\"\(id)\"")
  }

  @Test("A saved file is run again, however it is saved, until Ctrl-C")
  func saves() throws {
    let scratch = try ScratchDirectory()
    let first = try scratch.write(Self.sample("first"), to: "first.json")
    _ = try scratch.write(Self.sample("second"), to: "second.json")
    let run = try LongRun(["run", scratch.url.path, "--watch"])
    let all = try run.expect(Self.waiting)
    #expect(all.contains("(2 scenarios, 8 cases)"))

    // Saved in place, with a change that makes it fail.
    let broken = Self.sample("first").replacing("10ms", with: "11ms")
    try Data(broken.utf8).write(to: URL(fileURLWithPath: first))
    let inPlace = try run.expect("(1 scenario, 4 cases)")
    #expect(inPlace.contains("-- 1 scenario again (1 changed: \(first)) --"))
    #expect(inPlace.contains("0 passed, 4 failed"))

    // Saved as many editors do it: another file is renamed.
    let other = scratch.url.appending(path: ".first.json.swp")
    try Data(Self.sample("first").utf8).write(to: other)
    let isRenamed = unsafe rename(other.path, first) == 0
    #expect(isRenamed)
    let renamed = try run.expect("(1 scenario, 4 cases)")
    #expect(renamed.contains("1 changed: \(first)"))
    #expect(renamed.contains("4 passed, 0 failed"))

    // A new file in a new directory.
    let folder = scratch.url.appending(path: "folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    _ = try scratch.write(Self.sample("third"), to: "folder/third.json")
    let new = try run.expect("(1 scenario, 4 cases)")
    #expect(new.contains("1 new: "))
    _ = try scratch.write(Self.sample("third"), to: "folder/third.json")
    #expect(try run.expect("(1 scenario, 4 cases)").contains("1 changed: "))

    try FileManager.default.removeItem(atPath: first)
    _ = try run.expect("-- 0 scenarios again (1 removed: \(first)) --")

    #expect(run.interrupt() == 130)
    let end = try run.expect("(2 scenarios, 8 cases)")
    #expect(end.contains("Interrupted. Last results of 2 files: 8 passed, 0 failed"))
  }

  @Test("A file that is saved with an error is reported, and run again when it is fixed")
  func brokenFile() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "good.json")
    let run = try LongRun(["run", file, "--watch"])
    _ = try run.expect(Self.waiting)
    try Data("{".utf8).write(to: URL(fileURLWithPath: file))
    _ = try run.expect("-- 0 scenarios again (1 changed: \(file)) --")
    _ = try scratch.write(Sample.plain, to: "good.json")
    _ = try run.expect("(1 scenario, 4 cases)")
    #expect(run.interrupt() == 130)
    #expect(run.complaints.contains("\(file):1:"))
  }

  @Test("A scenario that is named by its id is run again when its file is saved")
  func ids() throws {
    let scratch = try ScratchDirectory()
    let folder = scratch.url.appending(path: "Scenarios/group")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = Self.sample("group/first")
    _ = try scratch.write(text, to: "Scenarios/group/first.json")
    for id in ["group", "group/first"] {
      let run = try LongRun(["run", id, "--watch"], in: scratch.url)
      _ = try run.expect(Self.waiting)
      // A new time of the status change is enough.
      _ = try scratch.write(text, to: "Scenarios/group/first.json")
      _ = try run.expect("-- 1 scenario again (1 changed: Scenarios/group/first.json) --")
      #expect(run.interrupt() == 130)
      #expect(!run.complaints.contains("are not detected"), "\(run.complaints)")
    }
  }

  @Test("A report for programs is not mixed with other text")
  func programs() throws {
    let scratch = try ScratchDirectory()
    let file = try scratch.write(Sample.plain, to: "good.json")
    let run = try LongRun(["run", file, "--watch", "-o", "jsonl=-"])
    let output = try run.expect("\"kind\":\"summary\"")
    #expect(!output.contains("Ctrl-C"))
    #expect(run.interrupt() == 130)
  }

  @Test("A report to a file would be overwritten by the next run, and is refused")
  func files() throws {
    let run = try CommandLineRun("run", "--watch", "-o", "junit=r.xml")
    #expect(run.status == 2)
    #expect(run.errors.contains("With --watch"))
  }

  @Test("If there is nothing to watch, the command does not wait")
  func nothing() throws {
    let run = try CommandLineRun("run", "--watch", "no/such/directory/x.json")
    #expect(run.status == 2)
    #expect(run.errors.contains("changes here are not detected"))
  }
}
