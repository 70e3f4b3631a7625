import Foundation
import HandoverLinux
import Testing

/// The reason why this machine cannot create namespaces, or `nil` if it can.
private let namespacesAreMissing: LinuxError? = {
  do throws(LinuxError) {
    try NetworkNamespace.probe()
    return nil
  } catch {
    return error
  }
}()

/// A device that the command runs on, with a WiFi and a cellular interface.
private struct Device {
  let network: NetworkController
  private let far: NetworkController

  init() throws {
    network = try NetworkController(in: NetworkNamespace(name: "device"))
    far = try NetworkController(in: NetworkNamespace(name: "far"))
    for (name, position) in [("wlan0", UInt8(1)), ("wwan0", 2)] {
      try network.addPair(name, peer: "far-\(name)", in: far.namespace)
      try far.setLink("far-\(name)", up: true)
      try join(name, position)
    }
  }

  private func join(_ name: String, _ position: UInt8) throws {
    try network.setLink(name, up: true)
    try network.addAddress(IPNetwork(IPAddress(10, 0, position, 2), prefixLength: 24), to: name)
    try network.addRoute(
      .init(
        to: .allAddresses(of: .v4), by: name, via: IPAddress(10, 0, position, 1),
        metric: UInt32(position)
      ))
  }

  /// Starts the command on the device with standard output in a pipe, and standard error too if
  /// requested.
  func start(
    _ arguments: [String], pipesErrors: Bool = false
  ) throws -> (process: ChildProcess, output: FileHandle) {
    let pipe = Foundation.Pipe()
    let process = try ChildProcess.start(
      [CommandLineRun.command.path] + arguments, in: network.namespace,
      output: pipe.fileHandleForWriting.fileDescriptor,
      error: (pipesErrors ? pipe.fileHandleForWriting : .nullDevice).fileDescriptor)
    try pipe.fileHandleForWriting.close()
    return (process, pipe.fileHandleForReading)
  }
}

extension FileHandle {
  /// Reads until a string has arrived, or returns `nil` if it does not arrive.
  fileprivate func text(upTo end: String) throws -> String? {
    var text = ""
    let deadline = monotonicMicroseconds() + 60_000_000
    while !text.contains(end) {
      let rest = deadline - monotonicMicroseconds()
      guard rest > 0, try waitReadable([fileDescriptor], atMost: rest) == [true] else {
        return nil
      }
      let data = availableData
      if data.isEmpty { return nil }
      text += String(decoding: data, as: UTF8.self)
    }
    return text
  }
}

@Suite("handover watch", .enabled(if: namespacesAreMissing == nil))
struct WatchCommandTests {
  @Test("Each change is printed when it happens, until Ctrl-C")
  func changes() throws {
    let device = try Device()
    let (process, output) = try device.start(["watch"])
    let begin = try #require(try output.text(upTo: "begin with WiFi\n"))
    #expect(begin.contains("-R -------  WiFi      wlan0      10.0.1.1"))
    try device.network.setLink("wlan0", up: false)
    let lost = try #require(
      try output.text(upTo: "notify (WiFi to Cellular), which destroys every channel\n"))
    #expect(lost.contains("WR -------  Cellular  wwan0      10.0.2.1"))
    process.signal(SIGINT)
    #expect(try process.wait() == .exited(130))
  }

  @Test("Programs get one JSON line per change, and the requested end")
  func lines() throws {
    let device = try Device()
    let (process, output) = try device.start(
      ["watch", "-o", "jsonl", "--count", "1", "--cellular", "wlan*"])
    let line = try #require(try output.text(upTo: "\n"))
    #expect(try process.wait() == .exited(0))
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(json["category"] as? String == "Cellular")
    #expect(json["gateway"] as? String == "10.0.1.1")
    #expect(json["notifies"] as? Bool == false)
  }

  @Test("The command ends after the given time")
  func time() throws {
    let (process, output) = try Device().start(["watch", "--for", "10ms"])
    _ = try output.readToEnd()
    #expect(try process.wait() == .exited(0))
  }
}

@Suite("Command lines of watch and record")
struct LiveCommandLineTests {
  @Test(
    "Wrong arguments are reported before anything is done",
    arguments: [
      (["watch", "--target", "api.example"], "--target must be an address"),
      (["watch", "--for", "soon"], "--for must be a time"),
      (["watch", "--count", "0"], "--count must be an integer from 1"),
      (["record", "--import", "x"], "--import and --from must be used together"),
      (["record", "--import", "x", "--from", "y"], "--from must be ip-monitor, rtmon, log, ping"),
      (
        ["record", "--import", "x", "--from", "log", "--for", "1s"],
        "--for cannot be combined with --import"
      ),
      (["record", "-o", "Package.swift"], "the file exists"),
      (["record", "-o", "no/such/directory/x.json"], "its directory does not exist"),
    ])
  func badLines(arguments: [String], complaint: String) throws {
    let run = try CommandLineRun(arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(complaint), "\(run.errors)")
  }
}

@Suite("handover record")
struct RecordCommandTests {
  @Test(
    "A live recording is a scenario that passes",
    .enabled(if: namespacesAreMissing == nil))
  func live() throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "commute.json").path
    let device = try Device()
    let (process, output) = try device.start(["record", "-o", file], pipesErrors: true)
    #expect(try output.text(upTo: "begin with WiFi\n") != nil)
    try device.network.setLink("wlan0", up: false)
    #expect(try output.text(upTo: "notify (WiFi to Cellular)") != nil)
    process.signal(SIGINT)
    _ = try output.readToEnd()
    #expect(try process.wait() == .exited(130))
    let check = try CommandLineRun("check", file)
    #expect(check.output.contains("1 file read, 0 errors, 0 warnings"), "\(check.errors)")
    #expect(try CommandLineRun("run", file).status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("\"id\": \"commute\""))
    #expect(text.contains("wwan0 via 10.0.2.1"))
  }

  @Test(
    "Recordings of other tools are imported",
    arguments: [("monitor.txt", "ip-monitor"), ("monitor.rtmon", "rtmon"), ("device.log", "log")])
  func imports(name: String, format: String) throws {
    let scratch = try ScratchDirectory()
    let file = scratch.url.appending(path: "field.json").path
    let run = try CommandLineRun(
      "record", "-o", file, "--import", "Fixtures/Recordings/\(name)", "--from", format,
      "--anonymize")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("handover run \(file)"))
    #expect(try CommandLineRun("run", file).status == 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!text.contains("wlan0") && !text.contains("192.168"))
  }

  @Test("A file that cannot be imported is reported with the position")
  func badImports() throws {
    let run = try CommandLineRun(
      "record", "-o", "-", "--import", "Package.swift", "--from", "ip-monitor")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("Package.swift:"), "\(run.errors)")
    #expect(run.errors.contains("hint: use the output of `ip -ts monitor`"))
  }
}
