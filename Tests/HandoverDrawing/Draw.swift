import HandoverCore

/// Draws from one seed; the same seed gives the same draws for ever.
struct Draw {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// Draws of their own for a part, which move none of the others.
  init(seed: UInt64, part: UInt64) {
    generator = SeededGenerator(seed: seed).forked(label: part)
  }

  /// A number from zero to below a count.
  mutating func below(_ count: Int) -> Int {
    Int(generator.next(upToAndIncluding: UInt64(count - 1)))
  }

  /// A number of a range, both ends included.
  mutating func between(_ low: Int, _ high: Int) -> Int { low + below(high - low + 1) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// One of some, so that those that are named more often come more often.
  mutating func pick<Element>(_ elements: Element...) -> Element { pick(elements) }

  mutating func seed() -> UInt64 { generator.next() }
}

/// A time in microseconds, as a scenario writes it.
func time(_ microseconds: Int) -> String {
  switch microseconds {
  case let whole where whole % 1_000_000 == 0: "\"\(whole / 1_000_000)s\""
  case let part where part % 1_000 == 0: "\"\(part / 1_000)ms\""
  default: "\"\(microseconds)us\""
  }
}

func seconds(_ count: Int) -> Int { count * 1_000_000 }
func milliseconds(_ count: Int) -> Int { count * 1_000 }
