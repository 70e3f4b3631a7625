import HandoverBackend
import HandoverCore

/// The addresses of a script's hosts, by the names that calls use.
struct HostAddresses {
  /// The name of each host, by its index in the script; normalized if a channel can be created.
  let names: [String]
  /// Whether a channel can be created for each host (C13); other hosts have no address.
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
    // Two spellings of one host are the same host for a caller.
    for (index, name) in names.enumerated()
    where canBeCalled[index] && names.firstIndex(of: name) == index {
      json.key(name)
      json.beginObject()
      writeAddress(ofHost: index, to: &json)
      json.endObject()
    }
    json.endObject()
  }

  /// Writes the members with the address of one host.
  func writeAddress(ofHost index: Int, to json: inout JSONText) {
    json.member("address", addresses[index].address)
    json.member("port", Int(addresses[index].port))
  }
}

/// The keys of the channels that a script's calls use.
struct CallKeys {
  /// The keys, in the order of their identifiers.
  let endpoints: [RemoteEndpoint]
  /// The host of each key, as an index into the script's hosts.
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
