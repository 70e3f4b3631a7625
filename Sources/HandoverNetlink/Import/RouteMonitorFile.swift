import HandoverLinux

/// Parses a file of rtmon, which contains raw kernel messages, each preceded by a timestamp
/// message.
///
/// The file begins with the interfaces, but without their addresses and routes. Only little-endian
/// files are supported.
struct RouteMonitorFile {
  private let file: ImportFile
  private var observer: NetworkObserver
  private var observed = ObservedRecording()

  /// Constants of the kernel (linux/netlink.h, linux/rtnetlink.h, linux/if_link.h).
  private enum Number {
    static let timestamp: UInt16 = 15
    static let (newLink, goneLink): (UInt16, UInt16) = (16, 17)
    static let (newAddress, goneAddress): (UInt16, UInt16) = (20, 21)
    static let (newRoute, goneRoute): (UInt16, UInt16) = (24, 25)
    static let mainTable: UInt32 = 254
    static let clonedRoute: UInt32 = 0x200
    static let unicast: UInt8 = 1
    /// The route types that drop or reject packets: blackhole, unreachable, prohibit, throw.
    static let forbidding: ClosedRange<UInt8> = 6...9
  }

  init(_ file: ImportFile, _ observer: NetworkObserver) {
    self.file = file
    self.observer = observer
  }

  mutating func read() throws(ImportError) -> Recording {
    var time: Int64?
    var offset = 0
    while offset < file.bytes.count {
      let header = MessageBytes(file.bytes[offset...])
      guard let length = header.word(0), let type = header.half(4), length >= 16,
        Int(length) <= file.bytes.count - offset
      else {
        throw file.error(
          .byte(offset), "the message is incomplete",
          hint: offset == 0
            ? file.hint : "stop rtmon before you copy the file, because it is truncated")
      }
      let payload = MessageBytes(file.bytes[offset + 16..<offset + Int(length)])
      if type == Number.timestamp {
        guard let seconds = payload.word(0), let microseconds = payload.word(4) else {
          throw file.error(.byte(offset), "the message with the time is too short")
        }
        time = Int64(seconds) * 1_000_000 + Int64(microseconds)
      } else {
        guard let time else {
          throw file.error(.byte(offset), "the first message is not a time")
        }
        let event: ObservedEvent?
        do throws(TooShort) {
          event = try self.event(type, payload)
        } catch {
          throw file.error(.byte(offset), "the message of type \(type) is too short")
        }
        if let event { try handle(event, at: time, offset) }
      }
      // Messages are aligned to four bytes.
      offset += (Int(length) + 3) & ~3
    }
    observed.remark(
      "rtmon does not record the routes at the start, so existing routes are unknown.")
    return observed.recording
  }

  private mutating func handle(
    _ event: ObservedEvent, at time: Int64, _ offset: Int
  ) throws(ImportError) {
    observer.handle(event)
    guard !observer.isOverfull else {
      throw file.error(
        .byte(offset),
        "there are more than \(NetworkObserver.limit) interfaces, addresses or routes",
        hint: "import the output of a device, not of a router")
    }
    do throws(ObservedRecording.Problem) {
      try observed.note(at: time, observer.reading)
    } catch {
      throw file.error(.byte(offset), error.message, hint: error.hint)
    }
  }

  // MARK: Messages

  /// An error for a message that lacks mandatory fields of its type.
  private struct TooShort: Error {}

  /// Returns the event of a message, or `nil` if the message is irrelevant.
  private func event(
    _ type: UInt16, _ payload: MessageBytes
  ) throws(TooShort) -> ObservedEvent? {
    switch type {
    case Number.newLink, Number.goneLink:
      try link(payload, isGone: type == Number.goneLink)
    case Number.newAddress, Number.goneAddress:
      try address(payload, isGone: type == Number.goneAddress)
    case Number.newRoute, Number.goneRoute:
      try route(payload, isGone: type == Number.goneRoute)
    default: nil
    }
  }

  private func link(_ payload: MessageBytes, isGone: Bool) throws(TooShort) -> ObservedEvent? {
    guard let family = payload.byte(0), let hardwareType = payload.half(2),
      let index = payload.word(4), let flags = payload.word(8)
    else { throw TooShort() }
    let attributes = payload.attributes(from: 16)
    // Bridges and IPv6 report the same link in separate messages of another family.
    guard family == 0, let name = attributes.first(3)?.text else { return nil }
    if isGone { return .linkGone(name: name) }
    let information = attributes.first(18)?.attributes(from: 0)
    return .link(
      NetworkInterface(
        index: Int32(truncatingIfNeeded: index), name: name, kind: information?.first(1)?.text,
        hardwareType: UInt32(hardwareType), isUp: flags & 1 != 0, hasCarrier: flags & 0x10000 != 0,
        operationalState: attributes.first(16)?.byte(0).flatMap(
          NetworkInterface.OperationalState.init) ?? .unknown))
  }

  private func address(_ payload: MessageBytes, isGone: Bool) throws(TooShort) -> ObservedEvent? {
    guard let index = payload.word(4) else { throw TooShort() }
    let attributes = payload.attributes(from: 8)
    // For point-to-point interfaces the second attribute is the local address; other interfaces
    // have only the first.
    guard let bytes = attributes.first(2) ?? attributes.first(1),
      let address = IPAddress(bytes.all)
    else { return nil }
    let name = name(of: index)
    return isGone ? .addressGone(address, name: name) : .address(address, name: name)
  }

  private func route(_ payload: MessageBytes, isGone: Bool) throws(TooShort) -> ObservedEvent? {
    guard let family = payload.byte(0), let prefixLength = payload.byte(1),
      let table = payload.byte(4), let type = payload.byte(7), let flags = payload.word(8)
    else { throw TooShort() }
    let attributes = payload.attributes(from: 12)
    let ipFamily: IPAddress.Family
    switch family {
    case 2: ipFamily = .v4
    case 10: ipFamily = .v6
    default: return nil
    }
    guard (attributes.first(15)?.word(0) ?? UInt32(table)) == Number.mainTable,
      flags & Number.clonedRoute == 0,
      type == Number.unicast || Number.forbidding.contains(type)
    else { return nil }
    var destination = IPNetwork.allAddresses(of: ipFamily)
    if let bytes = attributes.first(1) {
      guard let address = IPAddress(bytes.all), address.family == ipFamily else {
        throw TooShort()
      }
      destination = IPNetwork(address, prefixLength: Int(prefixLength))
    }
    var route = ObservedRoute(
      destination: destination, isPassable: type == Number.unicast,
      metric: attributes.first(6)?.word(0) ?? 0)
    var index = attributes.first(4)?.word(0)
    var gateway = attributes.first(5)
    if index == nil, let hops = attributes.first(9) {
      // Only the first next hop of a multipath route is used: its interface, then its attributes.
      index = hops.word(4)
      let hop = hops.half(0).map { hops.prefix(Int($0)) }
      gateway = hop?.attributes(from: 8).first(5)
    }
    route.interface = index.map(name(of:))
    route.gateway = gateway.flatMap { IPAddress($0.all) }
    return isGone ? .routeGone(route) : .route(route)
  }

  /// Returns the name of an interface, or a name made from its index if it was never reported.
  private func name(of index: UInt32) -> String {
    observer.name(of: Int32(truncatingIfNeeded: index)) ?? "interface-\(index)"
  }
}

/// The bytes of a message; reads beyond the end return `nil`.
struct MessageBytes {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  var all: [UInt8] { Array(bytes) }

  /// The text before the first zero byte.
  var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

  func prefix(_ count: Int) -> MessageBytes { MessageBytes(bytes.prefix(count)) }

  func byte(_ offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
  }

  func half(_ offset: Int) -> UInt16? { number(offset) }

  func word(_ offset: Int) -> UInt32? { number(offset) }

  private func number<Number: FixedWidthInteger>(_ offset: Int) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset + size <= bytes.count else { return nil }
    let part = bytes[bytes.startIndex + offset..<bytes.startIndex + offset + size]
    return part.reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  /// Returns the attributes from an offset on, without truncated ones.
  func attributes(from start: Int) -> MessageAttributes {
    var found: [(type: UInt16, value: MessageBytes)] = []
    var offset = start
    while let length = half(offset), let type = half(offset + 2), length >= 4,
      offset + Int(length) <= bytes.count
    {
      let begin = bytes.startIndex + offset
      // The two highest bits are flags for the layout of the value, not part of the type.
      found.append((type & 0x3FFF, MessageBytes(bytes[begin + 4..<begin + Int(length)])))
      offset += (Int(length) + 3) & ~3
    }
    return MessageAttributes(found: found)
  }
}

/// The attributes of a message.
struct MessageAttributes {
  fileprivate let found: [(type: UInt16, value: MessageBytes)]

  func first(_ type: UInt16) -> MessageBytes? { found.first { $0.type == type }?.value }
}
