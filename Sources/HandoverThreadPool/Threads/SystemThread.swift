#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Detached system threads, which end by themselves.
///
/// Foundation's threads would work as well, but every user of the pool would have to link
/// Foundation.
enum SystemThread {
  /// Starts a thread.
  ///
  /// - Returns: Zero, or the errno if the thread cannot be started.
  static func start(_ name: ThreadName, _ work: @escaping @Sendable () -> Void) -> Int32 {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { unsafe pthread_attr_destroy(&attributes) }
    let box = unsafe Unmanaged.passRetained(Work(name: name.text, body: work))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let result = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        // The argument's type differs between platforms, but its meaning is the same.
        let argument: UnsafeMutableRawPointer? = unsafe argument
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if result != 0 { unsafe box.release() }
    return result
  }

  /// Yields the processor to other threads.
  static func yield() { _ = sched_yield() }

  /// An identifier of the calling thread that is unique among live threads.
  static var current: ID { ID() }

  struct ID: Hashable {
    private let number: UInt

    fileprivate init() {
      #if canImport(Glibc)
        number = pthread_self()
      #else
        number = unsafe UInt(bitPattern: pthread_self())
      #endif
    }
  }

  private final class Work: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }

    func run() {
      SystemThread.setName(name)
      body()
    }
  }

  /// Sets the name of the calling thread for debuggers and `top`, and ignores errors.
  private static func setName(_ name: String) {
    #if canImport(Darwin)
      _ = unsafe pthread_setname_np(name)
    #else
      // Swift's overlay does not include the GNU extension `pthread_setname_np`.
      let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = unsafe write(file, name, name.utf8.count)
      _ = close(file)
    #endif
  }
}
