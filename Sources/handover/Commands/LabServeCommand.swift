import ArgumentParser
import Glibc
import HandoverCore
import HandoverLab
import HandoverLabServers
import HandoverLinux

struct LabServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Keep one lab, and change it on request (JSON lines).",
    usage: "handover lab serve [<options>]",
    discussion: """
      For test frameworks: the caller writes one JSON object per line to standard
      input, and reads one answer per line from standard output. The requests are
      start, stop, move, quality and observe. The first line is written when the lab
      exists. The servers and names are those of `handover try`. The session ends
      when standard input is closed, and all programs in the lab end with it.

      Exit status: 0 standard input was closed, or the time of --until is over; 2 bad
      usage, or the answers are not read; 3 no lab is possible on this machine, or
      the lab failed; 129, 130 or 143 interrupted.

      Examples:
        handover lab serve
        handover lab serve --network cellular --condition wifi:delay=80ms
        echo '{"cmd": "observe"}' | handover lab serve
      """)

  @Option(
    help: ArgumentHelp(
      "The first network: \(LabChange.networks.map(\.name).joined(separator: ", ")).",
      valueName: "name"))
  var network = NetworkArgument()

  @Option(help: ArgumentHelp("End the session at this time, up to 1h.", valueName: "time"))
  var until = TimeLength(.minutes(10))

  @OptionGroup var deviceOptions: LabDeviceOptions

  func validate() throws {
    guard until.interval <= .minutes(60) else {
      throw ValidationError("--until must be a time up to 1h, such as --until 10min.")
    }
  }

  func run() throws {
    if let problem = LabEntry.enter() { throw Self.ended(.noLab, problem) }
    let interruption = Interruption()
    try interruption.listen()
    if let problem = ResolverFiles.problem(covering: [LabServers.nameServer]) {
      throw Self.ended(.noLab, problem)
    }
    let trust = try deviceOptions.makeTrust()
    defer { trust.remove() }
    let session: LabSession
    let wakeup: WakeupPipe
    do {
      wakeup = try WakeupPipe()
      interruption.whenReceived { wakeup.signal() }
      let run = deviceOptions.makeRun(.nothing, [], watch: .zero, trust)
      session = try LabSession(run, on: network.change, interruption: wakeup)
    } catch let error as LabSession.CreationError where error.isOfServer {
      throw Self.ended(.serverFailed, "A server failed: \(error.cause)")
    } catch let error as LabSession.CreationError {
      throw Self.ended(.noLab, "The lab failed: \(error.cause)")
    } catch {
      throw Self.ended(.noLab, "The lab failed: \(error)")
    }
    defer { session.close() }
    do throws(LinuxError) {
      try serve(session, wakeup)
    } catch {
      throw Self.ended(.labFailed, "The lab failed: \(error)")
    }
    if let status = interruption.exitStatus { throw ExitError(status) }
  }

  /// Reports why the session ends, to the caller and to people, and returns the error to throw.
  private static func ended(_ reason: LabAnswer.EndReason, _ message: String) -> ExitError {
    printError(message)
    StandardStream.output.write(LabAnswer.ended(reason, message), until: monotonicMicroseconds())
    return ExitError(.breakdown)
  }

  /// Answers requests until the input or the time ends, or a signal arrives.
  private func serve(_ session: LabSession, _ wakeup: WakeupPipe) throws(LinuxError) {
    // A caller that stops reading must not extend the session.
    let deadline = monotonicMicroseconds() + until.interval.microseconds
    func write(_ answer: String) -> Bool {
      StandardStream.output.write(answer, until: deadline)
    }
    guard write(LabAnswer.ready(network.change)) else { return }
    var lines = BoundedLines()
    while true {
      while let line = lines.next() {
        guard write(Self.answer(to: line, session)) else { return }
      }
      guard !lines.isOver else { return }
      let rest = deadline - monotonicMicroseconds()
      guard rest > 0 else {
        _ = write(LabAnswer.ended(.timeOver, "the time of --until is over: \(until)"))
        return
      }
      let ready = try waitReadable([STDIN_FILENO, wakeup.descriptor], atMost: rest)
      if ready[1] { return }
      if ready[0] { lines.read(STDIN_FILENO) }
    }
  }

  private static func answer(to line: BoundedLines.Line, _ session: LabSession) -> String {
    do throws(LabRequest.Problem) {
      switch line {
      case .tooLong:
        throw LabRequest.Problem(
          message: "the line has more than \(LabRequest.maximumLength) bytes",
          hint: "write shorter lines; use a file for long arguments")
      case .text(let bytes): return try answer(to: try LabRequest(bytes), session)
      }
    } catch {
      return LabAnswer.error(error)
    }
  }

  private static func answer(
    to request: LabRequest, _ session: LabSession
  ) throws(LabRequest.Problem) -> String {
    if case .start = request, !session.isAwake {
      throw LabRequest.Problem(
        message: "the programs on the device are stopped",
        hint: #"make the move "awake" first"#)
    }
    do throws(LinuxError) {
      switch request {
      case .start(let command, let environment):
        let number = try session.start(command, environment: environment)
        PIDNamespaceWarning.show()
        return LabAnswer.started(number, at: session.now.microseconds)
      case .move(let change):
        let affected = try session.make(change)
        return LabAnswer.moved(change, affected: affected, at: session.now.microseconds)
      case .quality(let condition):
        session.setConditions(condition.conditions, of: condition.medium, condition.text)
        return LabAnswer.changed(condition, at: session.now.microseconds)
      case .observe: return LabAnswer.observed(session.observe())
      case .stop(let number):
        if let end = session.stop(number) {
          return LabAnswer.stopped(number, end, at: session.now.microseconds)
        }
      }
    } catch {
      guard case .start(let command, _) = request, error.concernsProgram else {
        throw LabRequest.Problem(message: error.description, hint: "start another session")
      }
      let name = command.first ?? ""
      let complaint =
        ProgramName.complaint(about: name) ?? ProgramName.complaint(about: error, of: name)
      throw LabRequest.Problem(
        message: complaint ?? error.description,
        hint: "name a program that exists and is executable")
    }
    throw LabRequest.Problem(
      message: "there is no program with this number",
      hint: "use the number that \"started\" reported")
  }
}

/// The first network of a session, as a command-line argument.
struct NetworkArgument: ExpressibleByArgument {
  var change = LabChange.networks[0]

  init() {}

  init?(argument: String) {
    guard let change = LabChange.networks.first(where: { $0.name == argument }) else {
      return nil
    }
    self.change = change
  }

  var defaultValueDescription: String { change.name }
  static var allValueStrings: [String] { LabChange.networks.map(\.name) }
}

/// Lines of limited length, read from a descriptor.
///
/// At most one line and the data of one read stay in memory.
struct BoundedLines {
  /// A complete line.
  enum Line: Hashable {
    /// The line without its end.
    case text([UInt8])
    /// A line that exceeds the maximum length; its content is discarded.
    case tooLong
  }

  private var lines: [Line] = []
  private var rest: [UInt8] = []
  private var isTooLong = false
  /// Whether the input has ended; a last line without an end is discarded.
  private(set) var isOver = false

  /// Reads once from a descriptor that is readable.
  mutating func read(_ descriptor: Int32) {
    guard let bytes = InputChunk.read(descriptor) else {
      isOver = true
      return
    }
    append(bytes)
  }

  /// Adds data.
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      if byte == 0x0A {
        if isTooLong || !rest.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
          lines.append(isTooLong ? .tooLong : .text(rest))
        }
        (rest, isTooLong) = ([], false)
      } else if rest.count < LabRequest.maximumLength {
        rest.append(byte)
      } else {
        (rest, isTooLong) = ([], true)
      }
    }
  }

  /// Removes the next complete line, and returns it, or `nil` if there is none.
  ///
  /// Blank lines are skipped.
  mutating func next() -> Line? { lines.isEmpty ? nil : lines.removeFirst() }
}

/// The data that one read returns.
enum InputChunk {
  /// Reads once; the data is empty if the read was interrupted, and `nil` at the end of the input.
  ///
  /// If the input does not block and has no data, this function waits for data and returns none.
  static func read(_ descriptor: Int32) -> ArraySlice<UInt8>? {
    guard let bytes = SystemFile.read(descriptor, atMost: 65_536) else {
      if errno == EAGAIN {
        _ = try? waitReadable([descriptor], atMost: nil)
        return []
      }
      return errno == EINTR ? [] : nil
    }
    return bytes.isEmpty ? nil : bytes[...]
  }
}
