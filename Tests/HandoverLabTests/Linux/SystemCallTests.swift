import Glibc
import HandoverLinux
import Testing

@Suite("Calls of the system")
struct SystemCallTests {
  @Test("A temporary file is new, and programs do not inherit it")
  func temporaryFile() throws {
    let file = try #require(SystemFile.makeTemporaryFile(in: "/tmp"))
    defer { SystemFile.remove(file.path) }
    let owner = Descriptor(owning: file.descriptor)
    #expect(file.path.hasPrefix("/tmp/handover-") && !file.path.hasSuffix("XXXXXX"))
    #expect(fcntl(owner.number, F_GETFD) & FD_CLOEXEC != 0)
    #expect(FileStatus(file.path)?.byteCount == 0)
  }

  @Test("A temporary file in a missing folder is an error")
  func missingFolder() {
    #expect(SystemFile.makeTemporaryFile(in: "/nowhere") == nil)
    #expect(errno == ENOENT)
  }

  @Test("Bytes are written and read at an offset or at the current position")
  func offsets() throws {
    let file = try #require(SystemFile.makeTemporaryFile(in: "/tmp"))
    SystemFile.remove(file.path)
    let owner = Descriptor(owning: file.descriptor)
    let bytes: [UInt8] = [1, 2, 3, 4]
    #expect(SystemFile.write(bytes.span, to: owner.number) == 4)
    #expect(SystemFile.write(bytes.span.extracting(0..<2), to: owner.number, at: 2) == 2)
    var room: [UInt8] = [9, 9, 9]
    #expect(SystemFile.read(owner.number, into: &room, at: 1) == 3)
    #expect(room == [2, 1, 2])
    #expect(SystemFile.read(owner.number, into: &room) == 0)
    #expect(SystemFile.readAll(owner.number, atMost: 9, at: 0) == [1, 2, 1, 2])
  }

  @Test("A replaced file keeps its permissions")
  func permissions() throws {
    let file = try #require(SystemFile.makeTemporaryFile(in: "/tmp"))
    defer { SystemFile.remove(file.path) }
    let owner = Descriptor(owning: file.descriptor)
    let old = try #require(FileStatus("/bin/sh"))
    #expect(SystemFile.preserveAccess(of: old, on: owner.number))
    #expect(FileStatus(owner.number)?.permissions == old.permissions)
  }

  @Test("A write to a closed socket fails and raises no signal")
  func closedSocket() throws {
    let own = try SocketPair().takeOwnEnd()
    #expect(SystemSocket.send([1 as UInt8].span, to: own.number) == -1)
    #expect(errno == EPIPE)
  }

  @Test("A wait for descriptors ends at its limit, or when a descriptor is ready")
  func poll() throws {
    let pipe = try BlockingPipe()
    var polled = [pollfd(fd: pipe.readEnd.number, events: Int16(POLLIN), revents: 0)]
    // short wait: nothing is written yet, so the wait always expires
    #expect(SystemFile.poll(&polled, atMost: 0) == 0)
    #expect(SystemFile.write([7 as UInt8].span, to: pipe.writeEnd.number) == 1)
    #expect(SystemFile.poll(&polled, atMost: nil) == 1)
    #expect(polled[0].revents == Int16(POLLIN))
    var room: [UInt8] = [0, 0]
    #expect(SystemFile.read(pipe.readEnd.number, into: &room) == 1)
    #expect(room == [7, 0])
  }

  @Test("Texts of the system end before the first zero")
  func texts() throws {
    #expect(SystemText.error(ENOENT) == "No such file or directory")
    #expect(SystemText.variable("HANDOVER_NO_SUCH_VARIABLE") == nil)
    #expect(try #require(SystemText.kernel).hasPrefix("Linux "))
    #expect(try #require(SystemText.hostName).utf8.allSatisfy { $0 != 0 })
    #expect(SystemText.localTime(0, as: "%S") == "00")
  }

  @Test("Threads that were joined release their work")
  func threads() throws {
    final class Resource: Sendable {}
    weak var observed: Resource?
    do {
      let resource = Resource()
      observed = resource
      let thread = try OSThread.start { withExtendedLifetime(resource) {} }
      let guarded = try GuardedThread.start(wakeup: -1) { withExtendedLifetime(resource) {} }
      thread.join()
      guarded.join()
      #expect(guarded.fault == nil)
    }
    #expect(observed == nil)
  }
}
