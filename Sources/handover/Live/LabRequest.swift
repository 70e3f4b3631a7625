import HandoverCore
import HandoverLab

/// A request to `handover lab serve`: one JSON object on one line.
enum LabRequest {
  /// Start a program, with changed environment variables in the form `NAME=value`.
  case start([String], environment: [String])
  /// Stop the program with this number.
  case stop(Int)
  /// Change the network.
  case move(LabChange)
  /// Change the quality of a medium.
  case quality(ConditionArgument)
  /// Report what happened so far.
  case observe

  /// The reason why a line is not a request.
  struct Problem: Error, Hashable {
    /// The problem.
    var message: String
    /// The remedy.
    var hint: String
  }

  /// The maximum length of a line in bytes.
  static let maximumLength = 65_536

  private static let names = ["start", "stop", "move", "quality", "observe"]

  /// Reads a request.
  init(_ line: [UInt8]) throws(Problem) {
    let members = try Members(line)
    switch try members.text("cmd", example: #"{"cmd": "observe"}"#) {
    case "start":
      try members.allow(["program", "environment"])
      self = .start(try members.program(), environment: try members.environment())
    case "stop":
      try members.allow(["program"])
      self = .stop(try members.number("program"))
    case "move":
      try members.allow(["to"])
      let name = try members.text("to", example: #"{"cmd": "move", "to": "cellular"}"#)
      let known = LabChange.all.map(\.name)
      guard let change = LabChange.named(name) else {
        throw Problem(
          message: "unknown move \"\(name)\"",
          hint: "use one of \(known.joined(separator: ", "))" + didYouMean(name, among: known))
      }
      self = .move(change)
    case "quality":
      try members.allow(["condition"])
      let example = #"{"cmd": "quality", "condition": "wifi:delay=80ms"}"#
      let text = try members.text("condition", example: example)
      let condition = ConditionArgument(argument: text)
      if let problem = condition.problem {
        throw Problem(
          message: "invalid condition \"\(text)\": \(problem)", hint: "write \(example)")
      }
      self = .quality(condition)
    case "observe":
      try members.allow([])
      self = .observe
    case let name:
      throw Problem(
        message: "unknown request \"\(name)\"",
        hint: "use one of \(Self.names.joined(separator: ", "))"
          + didYouMean(name, among: Self.names))
    }
  }

  /// The members of the object on a line.
  private struct Members {
    private var values: [String: JSONValue] = [:]

    init(_ line: [UInt8]) throws(Problem) {
      let document: JSONDocument
      do throws(JSONSyntaxError) {
        document = try JSONReader.read(line)
      } catch {
        throw Problem(message: "invalid JSON: \(error.message)", hint: error.hint)
      }
      guard document.root.kind == .object else {
        throw Problem(
          message: "the line is \(document.root.kind.description), not an object",
          hint: #"write an object, such as {"cmd": "observe"}"#)
      }
      if let key = document.duplicateKeys.first?.text {
        throw Problem(message: "the key \"\(key)\" appears twice", hint: "remove one of them")
      }
      for member in document.root.members { values[member.key.text ?? ""] = member.value }
    }

    /// Checks that there is no key in addition to `cmd` and the given ones.
    func allow(_ keys: [String]) throws(Problem) {
      let known = ["cmd"] + keys
      guard let key = values.keys.sorted().first(where: { !known.contains($0) }) else { return }
      throw Problem(
        message: "unknown key \"\(key)\"", hint: "use only \(known.joined(separator: ", "))")
    }

    func text(_ key: String, example: String) throws(Problem) -> String {
      guard let text = values[key]?.text else {
        throw Problem(
          message: "\"\(key)\" must be a string, not \(kind(of: key))", hint: "write \(example)")
      }
      return text
    }

    func number(_ key: String) throws(Problem) -> Int {
      guard let number = values[key]?.wholeNumber, let number = Int(exactly: number) else {
        throw Problem(
          message: "\"\(key)\" must be an integer, not \(kind(of: key))",
          hint:
            #"write the number that "started" reported, such as {"cmd": "stop", "program": 1}"#
        )
      }
      return number
    }

    func program() throws(Problem) -> [String] {
      let example = #"write {"cmd": "start", "program": ["curl", "-sN", "http://api.example/"]}"#
      guard let list = values["program"], list.kind == .array else {
        throw Problem(
          message: "\"program\" must be an array of strings, not \(kind(of: "program"))",
          hint: example)
      }
      let arguments = list.elements.map(\.text)
      guard let name = arguments.first ?? nil, !name.isEmpty,
        arguments.allSatisfy({ $0.map(Self.isUsable) ?? false })
      else {
        throw Problem(
          message: "\"program\" must contain a name and arguments, all strings without NUL",
          hint: example)
      }
      return arguments.compactMap(\.self)
    }

    func environment() throws(Problem) -> [String] {
      guard let object = values["environment"] else { return [] }
      let example = #"write "environment": {"LANG": "C"}"#
      guard object.kind == .object else {
        throw Problem(
          message: "\"environment\" must be an object, not \(object.kind.description)",
          hint: example)
      }
      var entries: [String] = []
      for member in object.members {
        guard let name = member.key.text, let value = member.value.text, !name.isEmpty,
          !name.contains("="), Self.isUsable(name), Self.isUsable(value)
        else {
          throw Problem(
            message: "\"environment\" must contain names with strings, without NUL",
            hint: example)
        }
        entries.append("\(name)=\(value)")
      }
      return entries
    }

    private func kind(of key: String) -> String { values[key]?.kind.description ?? "missing" }

    /// Returns whether a program can receive a string, which ends at its first NUL.
    private static func isUsable(_ text: String) -> Bool { !text.utf8.contains(0) }
  }
}
