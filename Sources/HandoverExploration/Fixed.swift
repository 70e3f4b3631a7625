/// A value at a place of its own.
///
/// A large value that is a property is copied whole where it is passed on while its owner changes;
/// this one never is. What makes the unsafe memory sound: the value is there as long as its owner,
/// and nobody else has the pointer.
@safe
struct Fixed<Value: ~Copyable>: ~Copyable {
  private let place: UnsafeMutablePointer<Value>

  init(_ value: consuming Value) {
    unsafe place = .allocate(capacity: 1)
    unsafe place.initialize(to: value)
  }

  deinit {
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
  }

  var value: Value {
    @inline(__always) _read { yield unsafe place.pointee }
    @inline(__always) nonmutating _modify { yield unsafe &place.pointee }
  }
}
