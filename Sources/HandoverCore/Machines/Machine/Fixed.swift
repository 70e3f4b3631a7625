/// A value with its own heap allocation.
///
/// A large stored property is copied whole if it is passed on while its owner changes. This value
/// is never copied. The unsafe memory is sound because the value lives as long as its owner, and no
/// other code has the pointer.
@safe
@frozen
@usableFromInline
package struct Fixed<Value: ~Copyable>: ~Copyable {
  @usableFromInline let position: UnsafeMutablePointer<Value>

  @inlinable
  package init(_ value: consuming Value) {
    unsafe position = .allocate(capacity: 1)
    unsafe position.initialize(to: value)
  }

  @inlinable
  deinit {
    unsafe position.deinitialize(count: 1)
    unsafe position.deallocate()
  }

  @inlinable package var value: Value {
    _read { yield unsafe position.pointee }
    nonmutating _modify { yield unsafe &position.pointee }
  }
}
