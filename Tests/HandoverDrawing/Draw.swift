import HandoverCore

/// A source of random choices.
///
/// The same seed gives the same choices forever.
struct Draw {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// Creates an independent source for a part, which does not influence the other choices.
  init(seed: UInt64, part: UInt64) {
    generator = SeededGenerator(seed: seed).forked(label: part)
  }

  /// Returns a number from zero up to, but not including, a count.
  mutating func below(_ count: Int) -> Int {
    Int(generator.next(upToAndIncluding: UInt64(count - 1)))
  }

  /// Returns a number in a range, both ends included.
  mutating func between(_ low: Int, _ high: Int) -> Int { low + below(high - low + 1) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Returns one of the elements.
  ///
  /// An element that is listed more often is chosen more often.
  mutating func pick<Element>(_ elements: Element...) -> Element { pick(elements) }

  mutating func seed() -> UInt64 { generator.next() }
}

/// Returns a time in microseconds, as a scenario writes it.
func time(_ microseconds: Int) -> String {
  switch microseconds {
  case let whole where whole % 1_000_000 == 0: "\"\(whole / 1_000_000)s\""
  case let part where part % 1_000 == 0: "\"\(part / 1_000)ms\""
  default: "\"\(microseconds)us\""
  }
}

func seconds(_ count: Int) -> Int { count * 1_000_000 }
func milliseconds(_ count: Int) -> Int { count * 1_000 }
