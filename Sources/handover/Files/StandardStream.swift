import Glibc

/// Standard output, standard error, or a file that is written from its beginning.
struct StandardStream: Sendable {
  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Makes or empties a file; nil where that is not possible, with the reason in `errno`.
  init?(creating file: String) {
    descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 { return nil }
  }

  /// Makes or empties the file of a report, so that one that cannot be written is told before the
  /// run; `-` is standard output.
  static func opened(_ file: String) throws -> StandardStream {
    if file == "-" { return .output }
    guard let stream = StandardStream(creating: file) else {
      printError(
        "\(file): error: the report cannot be written: "
          + "\(unsafe String(cString: strerror(errno)))\n"
          + "    hint: name a file in a directory that exists and that you may write to")
      throw Leave(.badInput)
    }
    return stream
  }

  /// Whether a person looks at it.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes all of a text; a reader that went away is no error of ours.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while unsafe !rest.isEmpty {
        let written = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return }
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
    }
  }
}
