import ArgumentParser
import HandoverLinux
import HandoverReport

/// The shard of this process as given on the command line, such as `2/7` or `auto`.
///
/// With `auto`, environment variables of the engine that starts the processes determine the shard.
enum ShardChoice: ExpressibleByArgument, Equatable {
  case named(RunDescription.Shard)
  /// The shard from the engine's variables; `count` is used if the engine does not report one.
  case auto(count: Int?)

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1 where parts[0] == "auto":
      self = .auto(count: nil)
    case 2:
      guard let count = Self.number(parts[1]),
        (1...RunDescription.Shard.maximumCount).contains(count)
      else { return nil }
      if parts[0] == "auto" {
        self = .auto(count: count)
        return
      }
      guard let index = Self.number(parts[0]), (1...count).contains(index) else { return nil }
      self = .named(.init(index: index, count: count))
    default:
      return nil
    }
  }

  /// Returns a number that consists of digits only.
  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  /// Returns the shard, and confirms it to an engine that requires a confirmation.
  ///
  /// - Throws: ``ExitError`` if the shard is unknown, after an error message.
  func resolved() throws -> RunDescription.Shard {
    do throws(ShardProblem) {
      switch self {
      case .named(let shard):
        return shard
      case .auto(let count):
        let shard = try ShardEngine.shard(of: count) { Environment.variable($0) }
        try Self.confirm()
        return shard
      }
    } catch {
      throw ExitError(printing: "--shard: error: \(error.message)\n    hint: \(error.hint)")
    }
  }

  /// Confirms to the engine that the process supports sharding.
  ///
  /// Without this, Bazel treats every shard as the whole run and fails it.
  private static func confirm() throws(ShardProblem) {
    for name in ["TEST_SHARD_STATUS_FILE", "GTEST_SHARD_STATUS_FILE"] {
      let file = Environment.variable(name)
      guard !file.isEmpty else { continue }
      do throws(OutputFailure) {
        var status = try OutputFile(file)
        status.finish()
        if let failure = status.failure { throw failure }
      } catch {
        throw ShardProblem(
          "cannot create the file of \(name): \(file): \(systemErrorText(error.reason))",
          hint:
            "check the path: without this file the engine assumes that sharding is not supported")
      }
    }
  }
}

extension RunDescription.Shard {
  /// The shard in a sentence, such as `Shard 2 of 7`.
  var words: String { "Shard \(index) of \(count)" }
}

/// The reason why the shard of a process is unknown, with a hint.
struct ShardProblem: Error, Equatable {
  var message: String
  var hint: String

  init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}
