import HandoverCore
import HandoverLinux

/// A transparent middlebox between the device and the servers.
///
/// The middlebox can act in three ways: as a captive portal that responds instead of every server,
/// as a proxy that acknowledges and discards all data, or as an attacker that ends the server's
/// sending direction. It keeps no copies of packets. Each response follows from the packet that
/// triggers it, so that a lost response is repeated when the device retransmits.
struct Middlebox: Hashable {
  /// The middlebox's treatment of a flow.
  enum Treatment: Hashable {
    /// The middlebox acknowledges both sides and forwards nothing.
    case swallowed
    /// The same as `swallowed`, after the server's sending direction has ended at this sequence
    /// number.
    case ended(at: UInt32)
    /// The portal responds to the device.
    case portal
  }

  /// The result for a frame.
  struct Outcome: Hashable {
    /// Whether the frame is forwarded.
    var passes = true
    /// The responses to the sender of the frame.
    var answers: [[UInt8]] = []

    static let stopped = Outcome(passes: false)
  }

  /// The progress of a forwarded flow.
  private struct Course: Hashable {
    /// The next sequence number of each side.
    var device: UInt32?
    var server: UInt32?
    /// A frame of the device, for its addresses.
    var frame: [UInt8]
  }

  /// Whether a captive portal blocks all servers.
  var hasPortal = false
  /// Whether servers accept connections and never read their data.
  var swallowsAll = false
  /// Whether new connections are refused.
  var refusesNew = false
  /// Whether the middlebox tracks flows, so that faults can apply to them.
  var watches = false
  /// The UDP flows, which are treated separately.
  var datagrams = DatagramFlows()
  private var treatments: [FlowKey: Treatment] = [:]  // lookup only
  private var courses: [FlowKey: Course] = [:]
  private var order: [FlowKey] = []

  /// The maximum number of tracked flows.
  private static let maximumCount = 4_096
  /// The initial sequence number of the portal.
  private static let portalStart: UInt32 = 1_000
  private static let window: UInt16 = 0xFFFF

  /// Creates a middlebox that forwards everything.
  init() {}

  /// Whether the middlebox must inspect frames at all.
  var isPresent: Bool {
    hasPortal || swallowsAll || refusesNew || watches || datagrams.watches || !treatments.isEmpty
  }

  // MARK: Acting on existing flows

  /// Makes the middlebox discard all data of the existing flows.
  ///
  /// - Returns: the number of flows.
  @discardableResult
  mutating func swallow() -> Int {
    var count = 0
    for key in order where treatments[key] == nil {
      treatments[key] = .swallowed
      count += 1
    }
    return count
  }

  /// Ends the server's sending direction of the existing flows.
  ///
  /// - Returns: the frames for the device.
  mutating func end() -> [[UInt8]] {
    order.compactMap { key in
      guard let course = courses[key], let server = course.server, let device = course.device,
        treatments[key] == nil
      else { return nil }
      treatments[key] = .ended(at: server)
      return Self.end(server, device, course.frame[...])
    }
  }

  private static func end(
    _ sequence: UInt32, _ acknowledgement: UInt32, _ frame: ArraySlice<UInt8>
  ) -> [UInt8]? {
    FrameAnswers.segment(
      .init(
        sequence: sequence, acknowledgement: acknowledgement,
        flags: FrameSegment.fin | FrameSegment.ack, window: window), to: frame)
  }

  // MARK: Frames

  /// Processes a frame from the device.
  mutating func takeUp(_ frame: ArraySlice<UInt8>) -> Outcome {
    guard let layout = FrameLayout(frame), !layout.isDiscovery(frame),
      !hasPortal || !layout.isForNameServer(frame, fromDevice: true)
    else { return Outcome() }
    if layout.kind == FrameLayout.udp, !hasPortal {
      return datagrams.take(frame, layout, fromDevice: true)
    }
    guard let segment = FrameSegment(frame), let key = FlowKey(frame, layout, fromDevice: true)
    else { return hasPortal ? .stopped : Outcome() }
    if segment.begins {
      forget(key)
      if hasPortal {
        treatments[key] = .portal
      } else if refusesNew {
        return Outcome(
          passes: false, answers: [FrameAnswers.reset(answering: frame)].compactMap(\.self))
      }
    }
    if swallowsAll, treatments[key] == nil, segment.length > 0 || segment.has(FrameSegment.fin) {
      treatments[key] = .swallowed
    }
    switch treatments[key] {
    case .portal: return hasPortal ? portal(segment, frame) : reset(frame)
    case .swallowed:
      return Outcome(passes: false, answers: [acknowledgement(segment, frame)].compactMap(\.self))
    case .ended(let number):
      var answers = [acknowledgement(segment, frame)].compactMap(\.self)
      if segment.acknowledgement == number, !segment.has(FrameSegment.rst) {
        answers += [Self.end(number, segment.next, frame)].compactMap(\.self)
      }
      return Outcome(passes: false, answers: answers)
    case nil:
      if hasPortal { return .stopped }
      note(key, segment, frame, fromDevice: true)
      return Outcome()
    }
  }

  /// Processes a frame to the device.
  mutating func takeDown(_ frame: ArraySlice<UInt8>) -> Outcome {
    guard let layout = FrameLayout(frame), !layout.isDiscovery(frame),
      !hasPortal || !layout.isForNameServer(frame, fromDevice: false)
    else { return Outcome() }
    if layout.kind == FrameLayout.udp, !hasPortal {
      return datagrams.take(frame, layout, fromDevice: false)
    }
    guard let segment = FrameSegment(frame), let key = FlowKey(frame, layout, fromDevice: false)
    else { return hasPortal ? .stopped : Outcome() }
    if swallowsAll, treatments[key] == nil, segment.length > 0 || segment.has(FrameSegment.fin) {
      treatments[key] = .swallowed
    }
    switch treatments[key] {
    case .portal: return .stopped
    case .swallowed, .ended:
      return Outcome(passes: false, answers: [acknowledgement(segment, frame)].compactMap(\.self))
    case nil:
      if hasPortal { return .stopped }
      note(key, segment, frame, fromDevice: false)
      return Outcome()
    }
  }

  private func reset(_ frame: ArraySlice<UInt8>) -> Outcome {
    Outcome(passes: false, answers: [FrameAnswers.reset(answering: frame)].compactMap(\.self))
  }

  /// Returns the acknowledgment of a segment on behalf of its receiver, or `nil` if the segment
  /// uses no sequence numbers.
  private func acknowledgement(
    _ segment: FrameSegment, _ frame: ArraySlice<UInt8>
  ) -> [UInt8]? {
    guard segment.next != segment.sequence, !segment.has(FrameSegment.rst) else { return nil }
    return FrameAnswers.segment(
      .init(
        sequence: segment.acknowledgement, acknowledgement: segment.next,
        flags: FrameSegment.ack, window: Self.window), to: frame)
  }

  /// Makes the portal accept the connection, respond to the first data, and end the connection.
  private func portal(_ segment: FrameSegment, _ frame: ArraySlice<UInt8>) -> Outcome {
    var answer = FrameAnswers.Segment(
      sequence: Self.portalStart, acknowledgement: segment.next,
      flags: FrameSegment.syn | FrameSegment.ack, window: Self.window)
    if segment.has(FrameSegment.rst) { return .stopped }
    if !segment.begins {
      answer.sequence = segment.acknowledgement
      answer.flags = FrameSegment.ack
      let isFirst = segment.acknowledgement == Self.portalStart + 1
      if isFirst, segment.length > 0 {
        answer.flags |= FrameSegment.fin
        answer.payload = Self.page
      } else if segment.next == segment.sequence {
        return .stopped
      }
    }
    return Outcome(
      passes: false, answers: [FrameAnswers.segment(answer, to: frame)].compactMap(\.self))
  }

  /// The portal's response, with the status code for captive portals (RFC 6585).
  private static let page: [UInt8] = {
    let text = "this network requires a login\n"
    return Array(
      ("HTTP/1.1 511 Network Authentication Required\r\nContent-Type: text/plain\r\n"
        + "Content-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)").utf8)
  }()

  private mutating func forget(_ key: FlowKey) {
    treatments[key] = nil
    if courses.removeValue(forKey: key) != nil { order.removeAll { $0 == key } }
  }

  private mutating func note(
    _ key: FlowKey, _ segment: FrameSegment, _ frame: ArraySlice<UInt8>, fromDevice: Bool
  ) {
    guard watches else { return }
    if segment.has(FrameSegment.rst) { return forget(key) }
    if courses[key] == nil {
      guard fromDevice, order.count < Self.maximumCount else { return }
      let header = segment.layout.end - segment.length
      courses[key] = Course(frame: Self.bare(frame, upTo: header, segment.layout))
      order.append(key)
    }
    // A retransmission does not advance the sequence number.
    func later(_ old: UInt32?, _ new: UInt32) -> UInt32 {
      guard let old else { return new }
      return Int32(bitPattern: new &- old) > 0 ? new : old
    }
    guard var course = courses[key] else { return }
    if fromDevice {
      course.device = later(course.device, segment.next)
    } else {
      course.server = later(course.server, segment.next)
    }
    courses[key] = course
  }

  /// Returns a frame without its payload, with correct lengths.
  private static func bare(
    _ frame: ArraySlice<UInt8>, upTo end: Int, _ layout: FrameLayout
  ) -> [UInt8] {
    let start = frame.startIndex
    var bare = Array(frame[start..<end])
    let length = end - layout.ip
    if layout.isIPv6 {
      bare.set(UInt16(truncatingIfNeeded: length - 40), at: layout.ip - start + 4)
    } else {
      bare.set(UInt16(truncatingIfNeeded: length), at: layout.ip - start + 2)
    }
    return bare
  }
}

extension FrameLayout {
  private static let namePort: UInt16 = 53

  /// Returns whether the frame goes to or comes from a name server.
  ///
  /// Networks with a captive portal forward such frames, because clients could not find the portal
  /// without names.
  fileprivate func isForNameServer(_ frame: ArraySlice<UInt8>, fromDevice: Bool) -> Bool {
    guard !isFragment, contentHeader(frame) != nil else { return false }
    return frame.word(at: fromDevice ? content + 2 : content) == Self.namePort
  }
}
