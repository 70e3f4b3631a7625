import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Finds the processes that a test started by a unique environment variable.
///
/// Children inherit the variable, whatever group or session they are in. Processes are only found
/// by it, never killed.
struct ProcessMarker {
  private static let name = "HANDOVER_TEST_MARKER"
  private let value = UUID().uuidString

  /// The environment for the first process.
  var environment: [String: String] { [Self.name: value] }

  /// The running processes with the marker, without zombies.
  var processes: [Int32] {
    let wanted = Data("\(Self.name)=\(value)".utf8)
    return Self.all.filter { process in
      let environment = try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ"))
      return environment?.split(separator: 0).contains { $0 == wanted } == true
    }
  }

  /// All processes.
  static var all: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }
  }

  /// Waits up to a minute until no process is left, and returns the remaining ones.
  func processesLeft() -> [Int32] {
    Self.left { processes }
  }

  /// Repeats a scan for up to a minute until it finds no process, and returns the remaining ones.
  static func left(_ look: () -> [Int32]) -> [Int32] {
    var left: [Int32] = []
    _ = comesTrue(within: .seconds(60)) {
      left = look()
      return left.isEmpty
    }
    return left
  }
}

extension CommandLineRun {
  /// Whether a user namespace can be created here.
  static let mayMakeNamespaces: Bool = {
    let unshare = URL(filePath: "/usr/bin/env")
    return (try? CommandLineRun(command: unshare, ["unshare", "-Ur", "true"]).status) == 0
  }()
}

#if canImport(Glibc)
  /// A Unix socket with a listener at a path.
  final class PathSocket {
    private let descriptor: Int32

    init(_ path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = Array(path.utf8)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
        unsafe room.copyBytes(from: bytes.prefix(room.count - 1))
      }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = unsafe withUnsafePointer(to: address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(descriptor, $0, size)
        }
      }
      guard result == 0, listen(descriptor, 1) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    }

    deinit { _ = close(descriptor) }
  }
#endif
