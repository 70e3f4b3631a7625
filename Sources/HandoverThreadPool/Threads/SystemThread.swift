#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Threads of the system, which nobody waits for: they end by themselves.
///
/// Threads of Foundation would do as well, but bring all of Foundation to whoever links the pool.
enum SystemThread {
  /// Starts a thread.
  ///
  /// - Returns: zero, or the errno that tells why there is none.
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
        // The type of the argument differs between platforms, its meaning does not.
        let argument: UnsafeMutableRawPointer? = unsafe argument
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    if result != 0 { unsafe box.release() }
    return result
  }

  /// Lets other threads have the processor, if they want it.
  static func yield() { _ = sched_yield() }

  /// What tells the thread that asks from all others that live.
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

  /// Names the calling thread, for debuggers and `top`; where that fails it goes without.
  private static func setName(_ name: String) {
    #if canImport(Darwin)
      _ = unsafe pthread_setname_np(name)
    #else
      // `pthread_setname_np` is an extension of GNU that Swift's overlay leaves out.
      let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = unsafe write(file, name, name.utf8.count)
      _ = close(file)
    #endif
  }
}
