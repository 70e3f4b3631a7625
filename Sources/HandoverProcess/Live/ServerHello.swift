import HandoverBackend
import HandoverCore

/// The handshake of a program that runs the servers.
struct ServerHello {
  /// The keywords of the faults that the program supports.
  private let keywords: Set<String>  // lookup only

  /// Creates a handshake from the answer to `start`.
  ///
  /// - Throws: ``AnswerError`` if the line is not a handshake with this version, role and kind of
  ///   time.
  init(_ line: [UInt8]) throws(AnswerError) {
    let fields = try AnswerFields(line: line)
    // A handshake needs a name, although no message shows it.
    _ = try BackendHello.name(fields)
    for (member, wanted) in [("role", "server"), ("time", "real")] {
      let text = try fields.text(member)
      guard text == wanted else {
        throw AnswerError(
          "its \(member) is \"\(text)\"; the program of --server must send \"\(wanted)\"")
      }
    }
    keywords = Set(
      try (fields.elements("capabilities") ?? []).map { value throws(AnswerError) in
        guard let text = value.text else { throw AnswerError("a capability must be a string") }
        return text
      })
  }

  /// Returns why these servers cannot run a script, as they declared, or `nil` if they can.
  func obstacle(_ script: Script) -> String? {
    Self.keywordsNeeded(by: script).first { !keywords.contains($0) }.map {
      "the server does not declare \"\($0)\", which the scenario needs"
    }
  }

  private static func keywordsNeeded(by script: Script) -> [String] {
    var needed = script.hosts.map(\.server).filter { $0 != .accept }.map(\.rawValue)
    for entry in script.entries {
      switch entry.action {
      case .server(_, let keyword): needed.append(keyword.rawValue)
      case .transport(_, let keyword) where keyword.isPerformedByServer:
        needed.append(keyword.rawValue)
      default: continue
      }
    }
    return needed
  }
}

extension ConnectionFault {
  /// Whether the server performs the fault, rather than the network or the device's kernel.
  var isPerformedByServer: Bool {
    switch self {
    case .stallAcked, .reset, .fin, .halfClose: true
    case .stall, .blackholeConnect, .kill, .resume: false
    }
  }
}
