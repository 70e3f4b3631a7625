/// The program that wrote some lines of a case's log.
package struct LogSource: Hashable, Sendable {
  /// The program that runs the servers of a lab.
  package static let server = LogSource("the server")

  /// The start of each line of this program.
  package let prefix: String

  /// Creates a source with a title, such as "the client".
  package init(_ title: String) {
    prefix = "\(title): "
  }

  /// Returns lines with the prefix.
  package func label(_ lines: String) -> String {
    lines.split(whereSeparator: \.isNewline).map { "\(prefix)\($0)\n" }.joined()
  }
}
