import Foundation
import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux
import HandoverTry
import Testing

@testable import HandoverLab

/// The path of tshark, or `nil` if it is not installed.
private let tshark: URL? = {
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
  return folders.map { URL(filePath: String($0)).appending(path: "tshark") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}()

@Suite(
  "Captured frames, as tshark reads them",
  .enabled(if: namespacesAreMissing == nil),
  .enabled(if: tshark != nil, "tshark is not here; `make setup` installs it"))
struct CaptureTests {
  /// A capture file, and tshark's analysis of it.
  private struct Capture {
    let file = FileManager.default.temporaryDirectory.appending(path: "frames-\(UUID()).pcapng")

    /// Captures the frames that a closure causes.
    init(of lab: DeviceLab, _ body: () throws -> Void) throws {
      try self.init(of: lab) { (_: FrameCapture) in try body() }
    }

    /// Captures the frames that a closure causes, with its comments.
    init(of lab: DeviceLab, _ body: (FrameCapture) throws -> Void) throws {
      let number = unsafe open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      let target = Descriptor(owning: number)
      let frames = try FrameCapture(of: lab.device, to: target.number)
      try body(frames)
      frames.close()
      #expect(frames.problem == nil)
    }

    func remove() { try? FileManager.default.removeItem(at: file) }

    /// Returns a field of each frame that matches a tshark filter, by default its number.
    func frames(_ filter: String, _ field: String = "frame.number") throws -> [String] {
      let process = Process()
      process.executableURL = tshark
      process.arguments =
        ["ip", "tcp", "udp"].flatMap { ["-o", "\($0).check_checksum:TRUE"] }
        + ["-n", "-r", file.path, "-Y", filter, "-T", "fields", "-e", field]
      let (output, errors) = (Pipe(), Pipe())
      (process.standardOutput, process.standardError) = (output, errors)
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(said)")
      // tshark warns only about running as root.
      let complaints = said.split(separator: "\n").filter { !$0.contains("root") }
      #expect(complaints == [])
      return text.split(separator: "\n").map(String.init)
    }

    func expectNoComplaint() throws {
      let sums = ["ip", "tcp", "udp", "icmpv6", "icmp"].map { "\($0).checksum.status == 0" }
      // One call for each filter, so that a failure names the filter.
      for filter in ["_ws.malformed", "frame.cap_len < frame.len"] + sums {
        let bad = try frames(filter)
        #expect(bad == [], "\(filter)")
      }
    }
  }

  /// A quality of a network, and the tshark filter that detects it.
  struct Fault {
    var name: String
    var filter: String
    var isDown = false
    /// How often 50,000 bytes are sent: often enough that a loss of one frame in ten occurs.
    var rounds = 1
    var set: @Sendable (inout LinkQuality) -> Void
  }

  static let faults: [Fault] = [
    Fault(name: "mtu", filter: "icmp.type == 3 && icmp.code == 4 && icmp.mtu == 1300") {
      $0.mtu = 1_300
    },
    Fault(name: "loss", filter: "tcp.analysis.retransmission", rounds: 8) {
      // No bursts, because after several losses in a row the kernel waits longer than the test
      // does.
      $0.lossPerMillion = 100_000
    },
    Fault(
      name: "reordering",
      filter: "tcp.analysis.lost_segment || tcp.analysis.out_of_order || "
        + "tcp.analysis.retransmission", isDown: true
    ) {
      ($0.reorderPerMillion, $0.reorderBy) = (300_000, .milliseconds(8))
    },
    Fault(name: "delay", filter: "tcp.analysis.ack_rtt >= 0.07") { $0.delay = .milliseconds(40) },
  ]

  @Test("Frames show the requested quality, and tshark reports no error", arguments: faults.indices)
  func quality(_ position: Int) throws {
    let fault = Self.faults[position]
    let fixture = try LabFixture()
    let pair = try fixture.connect()
    var conditions = LinkConditions()
    fault.set(&conditions.quality)
    fixture.lab.setConditions(conditions, of: .wifi)
    let (from, to) = fault.isDown ? (pair.server, pair.device) : (pair.device, pair.server)
    let capture = try Capture(of: fixture.lab) {
      for _ in 0..<fault.rounds {
        #expect(from.writeAll(String(repeating: "x", count: 50_000)) == nil)
        var received = 0
        while received < 50_000, case .text(let text) = try to.read() {
          received += text.utf8.count
        }
        #expect(received == 50_000, "\(fault.name)")
      }
    }
    defer { capture.remove() }
    try capture.expectNoComplaint()
    #expect(try !capture.frames(fault.filter).isEmpty, "\(fault.name)")
  }

  @Test(
    "Frames are packets as on a wire, whatever the kernel hands over",
    arguments: IPAddress.Family.allCases
  )
  func packets(_ family: IPAddress.Family) throws {
    let fixture = try LabFixture(family: family)
    let capture = try Capture(of: fixture.lab) {
      let pair = try fixture.connect()
      #expect(pair.device.write(String(repeating: "x", count: 50_000)) == nil)
      var received = 0
      while received < 50_000, case .text(let text) = try pair.server.read() {
        received += text.utf8.count
      }
    }
    defer { capture.remove() }
    try capture.expectNoComplaint()
    #expect(try capture.frames("frame.len > 1514").isEmpty)
    #expect(try capture.frames("tcp.len == 1448 || tcp.len == 1428").count > 30)
  }

  @Test("Comments are on the next frame, or on the last one, and flows know their frames")
  func comments() throws {
    let fixture = try LabFixture(family: .v4)
    let comments = ["before, with é", "after", String(repeating: "é", count: 40_000)]
    var numbers: [Int] = []
    var table = FlowTable { address in
      IPAddress(address.bytes).map { DeviceLab.isDeviceAddress($0.unmapped) } ?? false
    }
    var index = FrameIndex()
    let capture = try Capture(of: fixture.lab) { frames in
      let watch = try PacketSocket(in: fixture.lab.device, .both, keepsSegments: false)
      numbers.append(frames.add(comment: comments[0]))
      let pair = try fixture.connect()
      #expect(pair.device.write("ping") == nil)
      #expect(try pair.server.read() == .text("ping"))
      frames.add(keys: Array("CLIENT_RANDOM 00 00\n".utf8))
      numbers += comments.dropFirst().map(frames.add(comment:))
      var room = [UInt8](repeating: 0, count: PacketSocket.maximumFrameLength)
      while let frame = try watch.receive(into: &room) {
        guard let packet = ObservedPacket(frame: room[..<frame.length]) else { continue }
        table.handle(packet, at: .zero)
      }
      index = frames.index
    }
    defer { capture.remove() }
    try capture.expectNoComplaint()
    let all = try capture.frames("frame", "frame.comment")
    var wanted = all.map { _ in [String]() }
    for (number, comment) in zip(numbers, comments) {
      wanted[min(number, all.count) - 1].append(String(comment.prefix(1_000)))
    }
    // tshark joins the comments of a frame. A late frame can separate the last two comments.
    #expect(all == wanted.map { $0.joined(separator: ",") })
    #expect(numbers[0] == 1 && numbers[1] > 3 && numbers[1] <= numbers[2])
    let flow = try #require(table.flows.first { $0.transport == .tcp })
    let packets = try capture.frames("tcp.port == \(flow.local.port)").compactMap(Int.init)
    let seen = try #require(index.frames(of: flow))
    #expect(seen.lowerBound == packets.first && packets.contains(seen.upperBound))
    #expect(seen.count > 3)
  }

  @Test("A second lab replaces the frames of the first one in the same file")
  func again() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "frames-\(UUID()).pcapng")
    defer { try? FileManager.default.removeItem(at: file) }
    let number = unsafe open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let target = Descriptor(owning: number)
    let fixture = try LabFixture(family: .v4)
    func capturedCount() throws -> Int {
      let frames = try FrameCapture(of: fixture.lab.device, to: target.number)
      frames.close()
      return try Data(contentsOf: file).count
    }
    _ = try FileHandle(forWritingTo: file).write(contentsOf: Data(repeating: 1, count: 100_000))
    // Only the header of a file, and perhaps some frames of the kernel.
    #expect(try capturedCount() < 10_000)
    #expect(try capturedCount() < 10_000)
    #expect(try Data(contentsOf: file).prefix(4) == Data([0x0A, 0x0D, 0x0D, 0x0A]))
  }

  @Test("Frames are valid IPv6 if a network translates")
  func translation() throws {
    let fixture = try AddressFixture()
    try fixture.go(to: AddressFixture.lte)
    let listener = try fixture.listen(at: "192.0.2.7")
    let capture = try Capture(of: fixture.lab) {
      let near = try fixture.connect(to: "64:ff9b::c000:207")
      let far = try listener.accept()
      for (from, to) in [(near, far), (far, near)] {
        #expect(from.writeAll(String(repeating: "x", count: 50_000)) == nil)
        var received = 0
        while received < 50_000, case .text(let text) = try to.read() {
          received += text.utf8.count
        }
      }
    }
    defer { capture.remove() }
    try capture.expectNoComplaint()
    #expect(try capture.frames("ip || frame.len > 1514").isEmpty)
    #expect(try capture.frames("ipv6.dst == 64:ff9b::c000:207 && tcp.len == 1428").count > 30)
    #expect(try capture.frames("ipv6.src == 64:ff9b::c000:207 && tcp.len == 1428").count > 30)
  }

  @Test("Frames show the answers of routers and portals")
  func answers() throws {
    let fixture = try LabFixture()
    let pair = try fixture.connect()
    let capture = try Capture(of: fixture.lab) {
      #expect(pair.device.write("ping") == nil)
      #expect(try pair.server.read() == .text("ping"))
      fixture.lab.translate(.forget, unknown: .reset, on: LabFixture.wifi)
      #expect(pair.device.write("ping") == nil)
      #expect(try pair.device.read() == .error(ECONNRESET))
      try fixture.lab.perform(.obstruct(LabFixture.wifi, .portal))
      let address = fixture.lab.address(of: 0).address
      let client = try fixture.lab.device.run { () throws(LinuxError) in
        try LiveSocket.connected(to: .init(address, port: 80))
      }
      #expect(client.write("GET / HTTP/1.1\r\n\r\n") == nil)
      guard case .text = try client.read() else { return }
    }
    defer { capture.remove() }
    try capture.expectNoComplaint()
    #expect(try !capture.frames("tcp.flags.reset == 1").isEmpty)
    #expect(try capture.frames("http.response.code == 511").count == 1)
  }
}

@Suite("Frames are held until the keys of their connections are known")
struct HeldFrameTests {
  @Test("A frame is held for a second, and the last one until the end")
  func time() {
    var held = HeldFrames()
    for time in [0, 400_000, 5_000_000] as [Int64] { held.append(.init(time: time, bytes: [1])) }
    #expect(held.take(before: 999_999) == nil)
    #expect(held.take(before: 1_000_000)?.time == 0)
    #expect(held.take(before: 1_000_000) == nil)
    #expect(held.take(before: 60_000_000)?.time == 400_000)
    #expect(held.take(before: 60_000_000) == nil)
    held.addToLast(["a", "b"])
    #expect(held.take()?.comments == ["a", "b"])
    #expect(held.take() == nil)
    held.addToLast(["c"])
  }

  @Test("The number of held bytes has a limit")
  func limit() {
    var held = HeldFrames()
    let bytes = [UInt8](repeating: 0, count: 1_000)
    var taken = 0
    for _ in 0..<5_000 {
      held.append(.init(time: 0, bytes: bytes))
      while held.take(before: 0) != nil { taken += 1 }
    }
    #expect(taken == 5_000 - HeldFrames.maximumLength / 1_000)
  }
}
