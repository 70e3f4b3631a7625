import HandoverBackend
import HandoverCore
import HandoverJSON
import HandoverTrace

/// Where the hosts of a script are found, by the names that calls know them by.
struct HostAddresses {
  /// The name of each host, by its place in the script; normalised where a channel can be made.
  let names: [String]
  /// Whether a channel can be made for it (C13); nobody is found where none can.
  private let canBeCalled: [Bool]
  private let addresses: [LiveAddress]

  init(_ script: Script, in network: any LiveNetwork) {
    names = script.hosts.map { $0.name?.text ?? $0.written }
    canBeCalled = script.hosts.map { $0.name != nil }
    addresses = script.hosts.indices.map { network.address(of: $0) }
  }

  func write(to json: inout JSONText) {
    json.key("hosts")
    json.beginObject()
    // Two ways to write one host are one host to whoever calls it.
    for (index, name) in names.enumerated()
    where canBeCalled[index] && names.firstIndex(of: name) == index {
      json.key(name)
      json.beginObject()
      writeAddress(ofHost: index, to: &json)
      json.endObject()
    }
    json.endObject()
  }

  /// Writes the members that say where one host is found.
  func writeAddress(ofHost index: Int, to json: inout JSONText) {
    json.member("address", addresses[index].address)
    json.member("port", Int(addresses[index].port))
  }
}

/// The keys of the channels that a script's calls ask for.
struct CallKeys {
  /// The keys, in the order of their identifiers.
  let endpoints: [RemoteEndpoint]
  /// The host of each key, by its place in the script.
  let hosts: ContiguousArray<UInt32>
  /// The key of each call.
  let ofCalls: [EndpointID]

  init(_ script: Script) {
    var pool = ClientCore(PoolConfiguration(policy: Profile.sockets.policy))
    var endpoints: [RemoteEndpoint] = []
    var hosts: ContiguousArray<UInt32> = []
    ofCalls = script.calls.map { call in
      let host = script.hosts[call.host]
      let id = pool.register(ChannelKey(host: host.name, options: call.options))
      if id.index == endpoints.count {
        endpoints.append(
          RemoteEndpoint(host: host.name?.text ?? host.written, options: call.options))
        hosts.append(UInt32(truncatingIfNeeded: call.host))
      }
      return id
    }
    self.endpoints = endpoints
    self.hosts = hosts
  }
}
