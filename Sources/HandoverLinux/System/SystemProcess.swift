import CLinux
import Glibc

/// Calls of the system about processes.
enum SystemProcess {
  /// A program to start.
  struct Program: Sendable {
    /// The name of the program, which is looked up in `PATH`, and its arguments; at least the name.
    var arguments: [String]
    /// The environment, as entries of the form `NAME=value`.
    var environment: [String]
    /// The standard streams; those that are `nil` are inherited.
    var input: Int32?
    var output: Int32?
    var error: Int32?
  }

  /// Starts a program in the namespaces of the calling thread.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - ownGroup: Whether the program leads a new process group.
  /// - Returns: The process ID, or `-errno`.
  static func start(_ program: Program, ownGroup: Bool) -> pid_t {
    unsafe withC(program) { unsafe handover_spawn($0, ownGroup ? 1 : 0) }
  }

  /// Starts a program under a keeper process of a kind that `handover_start_tree` documents.
  static func startTree(_ program: Program, kind: Int32) -> handover_tree {
    unsafe withC(program) { unsafe handover_start_tree($0, kind) }
  }

  /// Replaces this process by a new instance of the same executable.
  ///
  /// - Returns: `-errno`; the call returns only if it fails.
  static func executeSelf(_ arguments: [String], environment: [String]) -> Int32 {
    unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        unsafe handover_execute_self(arguments, environment)
      }
    }
  }

  /// Waits for a child process, and returns its process ID with its status.
  ///
  /// - Parameters:
  ///   - process: The process ID.
  ///   - flags: The flags of `waitpid`.
  /// - Returns: The process ID is 0 if the process has not ended, and -1 for a failure, which has
  ///   its reason in `errno`.
  static func wait(for process: pid_t, flags: Int32) -> (process: pid_t, status: Int32) {
    var status: Int32 = 0
    let result = unsafe waitpid(process, &status, flags)
    return (result, status)
  }

  private static func withC<Result>(
    _ program: Program, _ body: (UnsafePointer<handover_program>) -> Result
  ) -> Result {
    unsafe withCStrings(program.arguments) { arguments in
      unsafe withCStrings(program.environment) { environment in
        var program = unsafe handover_program(
          arguments: arguments, environment: environment, input: program.input ?? -1,
          output: program.output ?? -1, error: program.error ?? -1)
        return unsafe body(&program)
      }
    }
  }

  /// Passes strings to C as a null-terminated array of null-terminated strings.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress.unsafelyUnwrapped) }
  }
}
