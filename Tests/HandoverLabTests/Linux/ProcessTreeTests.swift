import Foundation
import Glibc
import HandoverLinux
import Synchronization
import Testing

@Suite("A program with all its descendants")
struct ProcessTreeTests {
  @Test("The exit status of the program is returned once")
  func ends() throws {
    let tree = try ProcessTree.start(["sh", "-c", "exit 7"])
    #expect(tree.wait(atMost: 60_000_000) == .exited(7))
    #expect(tree.checkForEnd() == .exited(7))
    let killed = try ProcessTree.start(["sh", "-c", "kill -9 $$"])
    #expect(killed.wait(atMost: 60_000_000) == .signalled(9))
    tree.end()
    tree.end()
    #expect(tree.checkForEnd() == .exited(7))
  }

  @Test("A program that cannot be started is reported with the reason")
  func missing() throws {
    do throws(LinuxError) {
      _ = try ProcessTree.start(["/nonexistent/program"])
      Issue.record("there is no such program")
    } catch {
      #expect(error.code == .notFound && error.call == "exec(/nonexistent/program)")
    }
  }

  @Test("A program starts even if its parent receives signals")
  func interrupted() throws {
    _ = signal(SIGURG) { _ in }
    // Threads of a pool block signals.
    var taken = sigset_t()
    unsafe sigemptyset(&taken)
    unsafe sigaddset(&taken, SIGURG)
    unsafe pthread_sigmask(SIG_UNBLOCK, &taken, nil)
    defer { unsafe pthread_sigmask(SIG_BLOCK, &taken, nil) }
    let starter = pthread_self()
    // The /proc entry of this thread.
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    for _ in 0..<10 {
      let isOver = Atomic(false)
      let looks = Atomic(0)
      // Signals arrive while the parent waits, and never while it creates the child.
      let sender = try OSThread.start {
        while !isOver.load(ordering: .relaxed) {
          let state = try? String(contentsOfFile: "/proc/\(link)/stat", encoding: .utf8)
          if state?.contains(") S ") == true { pthread_kill(starter, SIGURG) }
          looks.add(1, ordering: .relaxed)
        }
      }
      while looks.load(ordering: .relaxed) < 3 {}
      let tree = try? ProcessTree.start(["true"])
      isOver.store(true, ordering: .relaxed)
      sender.join()
      #expect(tree?.wait(atMost: 60_000_000) == .exited(0))
    }
  }

  @Test("Processes that left the session end with the program, and none keeps its output open")
  func sessions() throws {
    let output = try BlockingPipe()
    let number = output.writeEnd.number
    let tree = try ProcessTree.start(
      ["sh", "-c", "setsid sleep 600 & setsid sh -c 'setsid sleep 600 & echo; sleep 600'"],
      output: number)
    let readEnd = output.takeReadEnd()
    var byte: UInt8 = 0
    #expect(unsafe read(readEnd.number, &byte, 1) == 1)
    #expect(tree.checkForEnd() == nil)
    tree.end()
    // The output ends when the last process that could write to it has ended.
    #expect(try waitReadable([readEnd.number], atMost: 60_000_000) == [true])
    #expect(unsafe read(readEnd.number, &byte, 1) == 0)
  }

  @Test("Signals reach the process group, and the whole tree")
  func signals() throws {
    let output = try BlockingPipe()
    let tree = try ProcessTree.start(
      ["sh", "-c", "trap 'exit 3' TERM; echo; while :; do sleep 0.01; done"],
      output: output.writeEnd.number)
    #expect(try waitReadable([output.readEnd.number], atMost: 60_000_000) == [true])
    tree.signal(SIGSTOP, to: .all)
    tree.signal(SIGTERM, to: .group)
    #expect(tree.checkForEnd() == nil)
    tree.signal(SIGCONT, to: .all)
    #expect(tree.wait(atMost: 60_000_000) == .exited(3))
  }
}
