/// The status messages that external clients report, if they differ from the messages in the
/// specifications.
public struct EndTexts: Hashable, Sendable {
  /// The maximum number of characters kept of a text.
  public static let maximumLength = 1_000

  /// The 1-based positions in `texts`, indexed by the row of the call; 0 means no text.
  private var positions: ContiguousArray<UInt32> = []
  private var texts: ContiguousArray<String> = []

  /// Creates an empty collection.
  public init() {}

  /// Whether no call has a text.
  package var isEmpty: Bool { texts.isEmpty }

  /// Stores the text of a call.
  public mutating func store(_ text: String, of call: CallID) {
    texts.append(String(text.prefix(Self.maximumLength)))
    let row = Int(call.index)
    while positions.count <= row { positions.append(0) }
    positions[row] = UInt32(truncatingIfNeeded: texts.count)
  }

  /// Returns the stored text of a call, or the text of the end if none is stored.
  public func text(of call: CallID, _ end: CallEnd) -> String {
    let row = Int(call.index)
    guard end.text == .empty, row < positions.count, positions[row] > 0 else {
      return end.text.text
    }
    return texts[Int(positions[row]) - 1]
  }

  /// Removes all texts and keeps the allocated capacity.
  mutating func removeAll() {
    positions.empty()
    texts.empty()
  }
}
