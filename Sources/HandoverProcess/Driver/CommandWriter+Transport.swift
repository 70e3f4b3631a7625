import HandoverCore

// Writes the commands that begin a run of a transport.
extension CommandWriter {
  /// Returns the command that opens a run.
  ///
  /// In real time, the command contains the addresses of the hosts, which other programs serve.
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
  /// The host as other programs receive it, normalized if a channel can be created for it (P1).
  var spoken: String { name?.text ?? written }
}

extension JSONText {
  /// Writes the hosts with the settings that a program needs to simulate them.
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

  /// Writes the members that describe the state of a device.
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
