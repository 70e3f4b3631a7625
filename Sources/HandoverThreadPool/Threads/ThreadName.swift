/// The system name of a thread: the truncated pool name and the thread's number (U67).
struct ThreadName: Hashable, Sendable {
  /// The maximum length; Linux rejects longer names.
  static let mostBytes = 15

  let text: String

  init(pool: String, number: Int) {
    let suffix = " \(number)"
    var text = ""
    var room = Self.mostBytes - suffix.utf8.count
    for character in pool {
      room -= character.utf8.count
      guard room >= 0 else { break }
      text.append(character)
    }
    self.text = text + suffix
  }
}
