/// What is referred to as often as there are copies of a machine that share their tables.
///
/// Tables ask nobody whether they are shared: a machine asks once for each step, for all of them,
/// and gives itself tables of its own before the first write after it was copied. This says nothing
/// of the machine, so that all are equal.
@usableFromInline
package final class Sharing: Hashable, Sendable {
  @usableFromInline
  package init() {}

  @usableFromInline
  package static func == (left: Sharing, right: Sharing) -> Bool { true }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {}
}
