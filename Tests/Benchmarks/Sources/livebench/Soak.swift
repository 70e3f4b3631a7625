import CMalloc
import Glibc
import HandoverBackend
import HandoverCore
import HandoverLinux

/// Changes the network of a device with a monitor very often, with occasional calls.
///
/// No resource may grow with the number of changes.
struct Soak {
  var flips: Int

  /// A run keeps all its records, so the changes are split over many runs, each with its own lab.
  private static let flipsOfRun = 250
  /// A multiple of the number of stays, so that no call starts without a network.
  private static let flipsOfCall = 20
  /// The maximum growth of the heap in the second half, whatever its length.
  ///
  /// An event loop that ends leaves work items to the system's dispatch library, which caches up to
  /// a thousand of them for each of its threads. One leaked block per network change would exceed
  /// the limit by far.
  private static let toleratedBytes = 64 << 10

  func run() throws {
    // The first run creates everything that is created once and kept, before anything is counted.
    try play(Self.flipsOfRun)
    let before = try Census.settled(atMost: nil)
    print("before                \(before)")
    try playAll(flips / 2)
    let middle = try Census.settled(atMost: before)
    print("after \(padded(flips / 2)) flips   \(middle)")
    try playAll(flips - flips / 2)
    let after = try Census.settled(atMost: before)
    print("after \(padded(flips)) flips   \(after)")
    var leaks: [String] = []
    if after.descriptors > before.descriptors { leaks.append("file descriptors") }
    if after.threads > before.threads { leaks.append("threads") }
    if after.heapBytes - middle.heapBytes > Self.toleratedBytes { leaks.append("memory") }
    guard leaks.isEmpty else { throw Failed("there is a leak: \(leaks.joined(separator: ", "))") }
    print("nothing is left behind")
  }

  private func padded(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: " ", count: max(0, 7 - text.count)) + text
  }

  private func playAll(_ count: Int) throws {
    var left = count
    while left > 0 {
      try play(min(left, Self.flipsOfRun))
      left -= Self.flipsOfRun
    }
  }

  private func play(_ count: Int) throws {
    var script = Script(beginning: .cellular, hostCount: 1)
    let stays: [(ReachabilityFlags, PathIndex?)] = [
      (.wifi, nil), ([], nil), (.wifi, Script.otherWifiPath), (.cellular, nil),
    ]
    for flip in 0..<count {
      if flip % Self.flipsOfCall == 0 { script.startCall(to: 0) }
      let (flags, path) = stays[flip % stays.count]
      script.move(flags, path: path)
    }
    var play = try Play(script)
    while !play.isOver { _ = try play.playThroughMove() }
    try play.close()
  }
}

/// The resources of the process.
struct Census: CustomStringConvertible {
  var descriptors: Int
  var threads: Int
  /// The number of allocated heap bytes.
  var heapBytes: Int
  var residentBytes: Int

  var description: String {
    "\(descriptors) file descriptors, \(threads) threads, \(heapBytes / 1_024) KiB of heap in use, "
      + "\(residentBytes / 1_024) KiB resident"
  }

  /// Counts the resources, and repeats while a joined thread is still visible.
  static func settled(atMost limit: Census?) throws -> Census {
    let deadline = monotonicMicroseconds() + 2_000_000
    while true {
      let census = try Census()
      guard let limit, monotonicMicroseconds() < deadline,
        census.threads > limit.threads || census.descriptors > limit.descriptors
      else { return census }
      _ = try waitReadable([], atMost: 1_000)
    }
  }

  private init() throws {
    descriptors = try Self.entries(of: "/proc/self/fd")
    threads = try Self.entries(of: "/proc/self/task")
    malloc_trim(0)
    let heap = mallinfo2()
    heapBytes = Int(heap.uordblks + heap.hblkhd)
    residentBytes = try Self.residentPages() * sysconf(Int32(_SC_PAGESIZE))
  }

  private static func entries(of path: String) throws -> Int {
    guard let directory = opendir(path) else { throw Failed("\(path) cannot be read") }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // Excludes `.` and `..`.
    return count - 2
  }

  private static func residentPages() throws -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { throw Failed("no /proc/self/statm") }
    defer { fclose(file) }
    var room = [UInt8](repeating: 0, count: 128)
    let count = fread(&room, 1, room.count, file)
    let words = String(decoding: room[..<count], as: UTF8.self).split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { throw Failed("no resident pages") }
    return pages
  }
}
