import HandoverCore
import HandoverJSON
import HandoverTrace

// What a transport is told at the beginning of a run.
extension CommandWriter {
  /// Opens a run; in real time with the addresses of the hosts, which somebody else plays.
  mutating func openTransport(
    _ script: Script, _ profile: Profile, at hosts: HostAddresses? = nil, seq: Int
  ) -> [UInt8] {
    open(script, profile, seq: seq) { json in
      json.key("config")
      json.beginObject()
      json.member("tcpTimeout", script.configuration.tcpTimeout.microseconds)
      json.member("sendBuffer", script.configuration.sendBuffer)
      json.member("cfstream", script.configuration.cfstream.rawValue)
      json.endObject()
      if let hosts { hosts.write(to: &json) } else { json.hosts(script.hosts) }
      json.key("initial")
      json.beginObject()
      json.device(Device(script.initial), paths: script.paths)
      json.endObject()
    }
  }
}

extension ScriptHost {
  /// The host as others are told of it: normalised where a channel can be made for it (P1).
  var spoken: String { name?.text ?? written }
}

extension JSONText {
  /// Writes the hosts as whoever plays them must know them.
  fileprivate mutating func hosts(_ hosts: [ScriptHost]) {
    key("hosts")
    beginArray()
    for host in hosts {
      beginObject()
      member("host", host.spoken)
      member("connect", host.connect.microseconds)
      member("server", host.server.rawValue)
      member("names", host.names.rawValue)
      endObject()
    }
    endArray()
  }

  /// Writes the members that say where a device is.
  mutating func device(_ device: Device, paths: [String]) {
    flags(device.flags)
    member("path", device.path.map { paths[Int($0.index)] })
    key("alive")
    beginArray()
    for index in paths.indices
    where device.keptAlive.contains(PathIndex(UInt8(truncatingIfNeeded: index))) {
      value(paths[index])
    }
    endArray()
    member("app", device.app.index)
  }
}
