extension BackendTemplates {
  /// The template for Swift, which uses only Foundation.
  static let swift = #"""
    // A backend for Handover with a toy client.
    //
    // The loop at the end implements the protocol, and can stay as it is. Replace the toy client by
    // your client, one TODO at a time. Declare a capability as soon as your client has it.
    //
    // Your client runs in virtual time here, without sockets. If it keeps its own sockets, begin with
    // `handover backend new --real-time`. For an unmodified program, use `handover try -- PROGRAM`.
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

    /// A toy client with one connection per call.
    final class Client {
      struct Call {
        var id: String
        var host: String
        var deadline: Int?
        var connection: Int
      }

      /// The effects of the client, in order.
      var out: [Object] = []
      var now = 0
      private var calls: [Call] = []
      private var lastConnection = 0
      private var category: String

      init(config: Object, initial: Object) {
        // TODO: create your client. `config` has the backoff, `idle`, the keepalive and the seed.
        let isReadable = initial["monitor"] as? String != "unreadable"
        category = isReadable ? Client.category(initial["flags"]) : "Unknown"
      }

      /// Handles an event; returns false if it is unknown.
      func handle(_ event: Object) -> Bool {
        if let flags = event["flags"] {
          // TODO: pass the flags to your client's monitor.
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
          // TODO: notify your transport. The toy client ends the call, and does not close the lost
          // connection.
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
          // TODO: start no new calls on this connection. The toy client never does.
        } else {
          return false
        }
        return true
      }

      private func start(_ call: Object) {
        // TODO: start a call. Your client may already have a channel for the host, and may have to
        // wait for a backoff.
        guard let id = call["id"] as? String, let host = call["host"] as? String else { return }
        lastConnection += 1
        calls.append(
          Call(id: id, host: host, deadline: call["deadline"] as? Int, connection: lastConnection))
        send("connect", ["connection": lastConnection, "host": host])
      }

      /// Handles the deadlines that have passed.
      func advance() {
        // TODO: abandon attempts, end backoffs, destroy unused channels.
        for call in calls {
          if let deadline = call.deadline, deadline <= now {
            end(call.id, "DEADLINE_EXCEEDED", "Deadline Exceeded")
          }
        }
      }

      /// The time of the next deadline, or nil.
      var deadline: Int? {
        // TODO: the earliest of all your client's timers.
        calls.compactMap(\.deadline).min()
      }

      func endAll(_ status: String, _ message: String) {
        for call in calls { end(call.id, status, message) }
      }

      /// Ends a call, unless it has already ended.
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
        // Flags without a name are numbers.
        let names = (flags as? [Any] ?? []).compactMap { $0 as? String }
        if !names.contains("Reachable") || names.contains("ConnectionRequired") { return "None" }
        return names.contains("IsWWAN") ? "Cellular" : "WiFi"
      }
    }

    /// The loop of the protocol: one command per line, and one answer to each.
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
