/// An object whose reference count is the number of state machines that share their tables.
///
/// Tables do not check whether they are shared. Instead, a state machine checks once per step for
/// all its tables, and copies them before the first write. The object is not part of the state, so
/// all instances are equal.
@usableFromInline
package final class Sharing: Hashable, Sendable {
  @usableFromInline
  package init() {}

  @usableFromInline
  package static func == (left: Sharing, right: Sharing) -> Bool { true }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {}
}
