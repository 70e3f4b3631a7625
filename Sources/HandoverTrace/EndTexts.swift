public import HandoverCore

/// The texts of clients elsewhere beside the statuses of their calls' ends, where they are none of
/// the documents' own.
public struct EndTexts: Hashable, Sendable {
  /// How many characters of a text are kept.
  public static let maximumLength = 1_000

  /// The places of the texts by the rows of the calls, counted from 1; 0 stands for none.
  private var places: ContiguousArray<UInt32> = []
  private var texts: ContiguousArray<String> = []

  /// Texts of no call yet.
  public init() {}

  /// Whether no call has one.
  @inline(__always)
  package var isEmpty: Bool { texts.isEmpty }

  /// Keeps a call's text.
  public mutating func keep(_ text: String, of call: CallID) {
    texts.append(String(text.prefix(Self.maximumLength)))
    let row = Int(call.index)
    while places.count <= row { places.append(0) }
    places[row] = UInt32(truncatingIfNeeded: texts.count)
  }

  /// The text beside the end of a call: its own, or else that of the end.
  public func text(of call: CallID, _ end: CallEnd) -> String {
    let row = Int(call.index)
    guard end.text == .empty, row < places.count, places[row] > 0 else { return end.text.text }
    return texts[Int(places[row]) - 1]
  }

  /// Forgets all of them and keeps the room.
  mutating func removeAll() {
    places.empty()
    texts.empty()
  }
}
