import HandoverCore
import HandoverTrace

// What a transport is told at the beginning of a run.
extension CommandWriter {
  mutating func openTransport(_ script: Script, _ profile: Profile, seq: Int) -> [UInt8] {
    open(script, profile, seq: seq) { json in
      json.key("config")
      json.beginObject()
      json.member("tcpTimeout", script.configuration.tcpTimeout.microseconds)
      json.member("sendBuffer", script.configuration.sendBuffer)
      json.member("cfstream", script.configuration.cfstream.rawValue)
      json.endObject()
      json.key("hosts")
      json.beginArray()
      for host in script.hosts {
        json.beginObject()
        json.member("host", host.spoken)
        json.member("connect", host.connect.microseconds)
        json.member("server", host.server.rawValue)
        json.member("names", host.names.rawValue)
        json.endObject()
      }
      json.endArray()
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
  /// Writes the members that say where a device is.
  mutating func device(_ device: Device, paths: [String]) {
    flags(device.flags)
    member("path", device.path.map { paths[Int($0.index)] })
    key("alive")
    beginArray()
    for place in paths.indices
    where device.keptAlive.contains(PathIndex(UInt8(truncatingIfNeeded: place))) {
      value(paths[place])
    }
    endArray()
    member("app", device.app.rawValue)
  }
}
