/// Generates random changes of the device and of hosts.
enum DrawnFaults {
  /// Returns a network change of the device, or a change of its flags only.
  static func device(_ draw: inout Draw) -> String {
    guard draw.chance(80) else { return "\"path\": \"\(draw.pick("wifi-B", "wifi"))\"" }
    let flags = draw.pick(
      #"["Reachable"]"#, #"["Reachable", "IsWWAN"]"#, "[]", #"["Reachable", "TransientConnection"]"#
    )
    let states = [#""wifi": "up""#, #""cellular": "up""#, #""wifi": "down", "cellular": "down""#]
    let links = draw.chance(15) ? ", \"links\": { \(draw.pick(states)) }" : ""
    guard flags != "[]", draw.chance(25) else { return "\"flags\": \(flags)\(links)" }
    let path = draw.pick("wifi-B", "cellular", "wifi")
    return "\"flags\": \(flags), \"path\": \"\(path)\"\(links)"
  }

  /// Returns a fault of a server, of names, of transports or of callbacks.
  static func draw(hosts: [String], hasMonitor: Bool, _ draw: inout Draw) -> String {
    let host = draw.pick(hosts)
    switch draw.below(hasMonitor ? 4 : 3) {
    case 0:
      let word = draw.pick("close", "reset", "silent", "refuse", "goaway", "accept", "accept")
      return "\"server\": { \"host\": \"\(host)\", \"do\": \"\(word)\" }"
    case 1:
      let word = draw.pick(
        "stall", "stall-acked", "blackhole-connect", "reset", "fin", "half-close", "kill",
        "resume", "resume")
      let target = draw.chance(30) ? "*" : host
      return "\"transport\": { \"host\": \"\(target)\", \"become\": \"\(word)\" }"
    case 2:
      let word = draw.pick("fail", "hang", "resolve", "resolve")
      return "\"names\": { \"host\": \"\(host)\", \"do\": \"\(word)\" }"
    default:
      let word = draw.pick("duplicate", "miss", "overrun", "delay")
      let by = word == "delay" ? #", "by": "3s""# : ""
      return "\"monitor\": { \"do\": \"\(word)\"\(by) }"
    }
  }
}
