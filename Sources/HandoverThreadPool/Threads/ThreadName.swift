/// The name that the system shows for a thread: what fits of the pool's, and its number (U67).
struct ThreadName: Hashable, Sendable {
  /// Linux takes no more, and refuses longer names whole.
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
