import HandoverBackend
import HandoverCore
import HandoverJSON

/// What a program that plays the servers says of itself.
struct ServerHello {
  /// Its name, in messages.
  let name: String
  /// The words of faults that it can play.
  private let words: Set<String>  // lookup only

  /// Reads the answer to `start`.
  ///
  /// - Throws: ``AnswerError`` where it is no hello of this version, role and time.
  init(_ line: [UInt8]) throws(AnswerError) {
    let fields = try AnswerFields(line: line)
    name = try BackendHello.name(fields)
    for (member, wanted) in [("role", "server"), ("time", "real")] {
      let text = try fields.text(member)
      guard text == wanted else {
        throw AnswerError(
          "its \(member) is \"\(text)\"; what --server names must say \"\(wanted)\"")
      }
    }
    words = Set(
      try (fields.elements("capabilities") ?? []).map { value throws(AnswerError) in
        guard let text = value.text else { throw AnswerError("a capability must be a text") }
        return text
      })
  }

  /// Why a script cannot be played with these servers, as they declared; nil where it can.
  func obstacle(_ script: Script) -> String? {
    Self.wordsNeeded(by: script).first { !words.contains($0) }.map {
      "the server does not declare \"\($0)\", which the scenario needs"
    }
  }

  private static func wordsNeeded(by script: Script) -> [String] {
    var needed = script.hosts.map(\.server).filter { $0 != .accept }.map(\.rawValue)
    for entry in script.entries {
      switch entry.action {
      case .server(_, let word): needed.append(word.rawValue)
      case .transport(_, let word) where word.isOfTheServer: needed.append(word.rawValue)
      case .transport, .flags, .path, .app, .makeCall, .startCall, .cancel, .finish, .send,
        .disconnect,
        .names, .monitor, .receive, .interceptor, .request, .cancelRequest, .ask, .dispatcher,
        .network, .signal, .power:
        continue
      }
    }
    return needed
  }
}

extension TransportWord {
  /// Whether the far side does it, and not the network or the device's own kernel.
  var isOfTheServer: Bool {
    switch self {
    case .stallAcked, .reset, .fin, .halfClose: true
    case .stall, .blackholeConnect, .kill, .resume: false
    }
  }
}
