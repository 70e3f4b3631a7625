extension BackendTemplates {
  /// The template for Swift, which uses only Foundation.
  static let swift = #"""
    // A backend for Handover, with a toy in the place of your client.
    //
    // The loop at the end speaks the protocol and can stay as it is. Replace the toy, TODO by TODO, and
    // declare a capability as soon as your client has it.
    //
    // Your client lives in virtual time here, without sockets. One that shall keep its own begins with
    // `handover backend new --real-time`; a program is tried as it is by `handover try -- PROGRAM`.
    //
    //     swiftc -O my_backend.swift -o my_backend
    import Foundation

    typealias Object = [String: Any]

    enum Hello {
      // TODO: the name of your client in reports.
      static let name = "my-client"
      // TODO: streaming, background, tokens, keepalive, options, channels, monitor, batch.
      static let capabilities: [String] = []
      // TODO: the profiles that your client follows.
      static let profiles = ["sockets-monitor"]
    }

    /// A toy with one connection for each call.
    final class Client {
      struct Call {
        var id: String
        var host: String
        var deadline: Int?
        var connection: Int
      }

      /// What the client does, in its order.
      var out: [Object] = []
      var now = 0
      private var calls: [Call] = []
      private var lastConnection = 0
      private var category: String

      init(config: Object, initial: Object) {
        // TODO: make your client. `config` has the backoff, `idle`, the keepalive and the seed.
        let isReadable = initial["monitor"] as? String != "unreadable"
        category = isReadable ? Client.category(initial["flags"]) : "Unknown"
      }

      /// Takes a fact; false where it is not known.
      func handle(_ event: Object) -> Bool {
        if let flags = event["flags"] {
          // TODO: hand the flags to your client's monitor.
          let before = category
          category = Client.category(flags)
          if before != category { endAll("UNAVAILABLE", "Connectivity lost.") }
        } else if let call = event["call"] as? Object {
          start(call)
        } else if let id = event["cancel"] as? String {
          end(id, "CANCELLED", "Canceled by app")
        } else if let about = event["connected"] as? Object {
          for call in calls where call.connection == about["connection"] as? Int {
            send("send", ["connection": call.connection, "call": call.id])
            send("finish", ["connection": call.connection, "call": call.id])
          }
        } else if let about = (event["connectFailed"] ?? event["broken"]) as? Object {
          // TODO: tell your transport. The toy takes it for the end of the call, and does not close
          // what is gone.
          let status = about["status"] as? String ?? "UNAVAILABLE"
          for call in calls where call.connection == about["connection"] as? Int {
            end(call.id, status, about["message"] as? String ?? "", closes: false)
          }
        } else if let about = event["received"] as? Object {
          if let status = about["status"] as? String, let id = about["call"] as? String {
            end(id, status, "")
          }
        } else if let host = event["disconnect"] as? String {
          // TODO: disconnect the channels of the host.
          for call in calls where host == "*" || host == call.host {
            end(call.id, "UNAVAILABLE", "Channel disconnected.")
          }
        } else if event["draining"] != nil {
          // TODO: take no new calls to this connection. The toy never does.
        } else {
          return false
        }
        return true
      }

      private func start(_ call: Object) {
        // TODO: start a call. Your client may have a channel for its host already, and a backoff to
        // wait for.
        guard let id = call["id"] as? String, let host = call["host"] as? String else { return }
        lastConnection += 1
        calls.append(
          Call(id: id, host: host, deadline: call["deadline"] as? Int, connection: lastConnection))
        send("connect", ["connection": lastConnection, "host": host])
      }

      /// Does what is due.
      func advance() {
        // TODO: give up attempts, wait out backoffs, forget unused channels.
        for call in calls {
          if let deadline = call.deadline, deadline <= now {
            end(call.id, "DEADLINE_EXCEEDED", "Deadline Exceeded")
          }
        }
      }

      /// When it wants to be told that time has passed; nil for never.
      var deadline: Int? {
        // TODO: the earliest of all your client's timers.
        calls.compactMap(\.deadline).min()
      }

      func endAll(_ status: String, _ message: String) {
        for call in calls { end(call.id, status, message) }
      }

      /// Ends a call; one that has ended is left alone.
      private func end(_ id: String, _ status: String, _ message: String, closes: Bool = true) {
        guard let place = calls.firstIndex(where: { $0.id == id }) else { return }
        let call = calls.remove(at: place)
        if closes { send("close", ["connection": call.connection]) }
        send("ended", ["call": id, "status": status, "message": message])
      }

      private func send(_ what: String, _ how: Object) {
        out.append([what: how])
      }

      private static func category(_ flags: Any?) -> String {
        // Bits without a name stand there as a number.
        let names = (flags as? [Any] ?? []).compactMap { $0 as? String }
        if !names.contains("Reachable") || names.contains("ConnectionRequired") { return "None" }
        return names.contains("IsWWAN") ? "Cellular" : "WiFi"
      }
    }

    /// The loop of the protocol: a command a line, and an answer to each.
    ///
    /// Nothing else may be printed to standard output; use standard error for your log.
    func serve() throws {
      var client: Client?
      while let line = readLine() {
        guard let command = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object else {
          fatalError("a command is an object")
        }
        let word = command["cmd"] as? String ?? ""
        if word == "stop" { return }
        var answer: Object = [:]
        if let seq = command["seq"] as? Int { answer["seq"] = seq }
        switch word {
        case "start":
          answer = [
            "version": 1, "name": Hello.name, "role": "client", "time": "virtual",
            "capabilities": Hello.capabilities, "profiles": Hello.profiles,
          ]
        case "open":
          client = Client(
            config: command["config"] as? Object ?? [:], initial: command["initial"] as? Object ?? [:])
          answer["out"] = [Object]()
        case "event", "advance", "close":
          carryOut(word, command, client, &answer)
        default:
          answer["error"] = "there is no command \"\(word)\""
        }
        // Sorted, so that each process writes the same bytes.
        var bytes = try JSONSerialization.data(withJSONObject: answer, options: [.sortedKeys])
        bytes.append(0x0A)
        FileHandle.standardOutput.write(bytes)
      }
    }

    func carryOut(_ word: String, _ command: Object, _ client: Client?, _ answer: inout Object) {
      guard let client else {
        answer["error"] = "no run is open"
        return
      }
      client.out = []
      client.now = command["now"] as? Int ?? 0
      switch word {
      case "event":
        guard client.handle(command["event"] as? Object ?? [:]) else {
          answer["error"] = "there is no such event"
          return
        }
      case "advance": client.advance()
      default: client.endAll("CANCELLED", "Client closed.")
      }
      answer["out"] = client.out
      if let deadline = client.deadline {
        answer["deadline"] = deadline
      } else {
        answer["deadline"] = NSNull()
      }
    }

    try serve()

    """#
}
