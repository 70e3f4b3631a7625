public import HandoverCore
public import HandoverScenario

/// The recorded delay and loss of a network over time.
public struct QualityRecording: Hashable, Sendable {
  /// The quality from one moment on.
  public struct Moment: Hashable, Sendable {
    /// The time since the beginning.
    public var time: Interval
    /// The delay and the loss in each direction.
    public var quality: LinkQuality
  }

  /// The moments, of which the first is at zero; consecutive moments have different qualities.
  public private(set) var moments: [Moment] = []
  /// Whether the recording contains times.
  ///
  /// Otherwise, its packets are assumed to be one second apart.
  public let isTimed: Bool

  /// The name of the format that can be imported.
  public static let format = "ping"
  /// The number of packets from which one quality is computed.
  private static let packetCount: Int64 = 10
  /// Delays are multiples of this time in microseconds, and losses of this number of packets per
  /// million, so that small differences make no entry.
  private static let delayStep: Int64 = 1_000, lossStep: UInt32 = 1_000
  /// The duration of the call after the last change.
  private static let afterwards = Interval.seconds(30)

  /// Creates a recording from the output of `ping`.
  ///
  /// The delay of a direction is half of the median round-trip time of ten packets. The loss of a
  /// direction is such that both directions together lose the observed share.
  ///
  /// - Parameters:
  ///   - bytes: The output, at most 16 MiB.
  ///   - file: The file name, for errors.
  /// - Throws: ``ImportError`` if the output contains no answer, or too many packets.
  public init(importingPing bytes: [UInt8], named file: String) throws(ImportError) {
    let log = try PingLog(
      ImportFile(
        name: file, bytes: bytes, hint: "use the output of `ping -D HOST` with --from ping"))
    isTimed = log.isTimed
    let times = log.sendTimes
    var quality = LinkQuality()
    for start in stride(
      from: log.range.lowerBound, through: log.range.upperBound, by: Int64.Stride(Self.packetCount))
    {
      let end = min(start + Self.packetCount - 1, log.range.upperBound)
      let roundTrips = (start...end).compactMap { log.answers[$0]?.roundTrip }.sorted()
      if !roundTrips.isEmpty {
        quality.delay = Interval(
          microseconds: roundTrips[roundTrips.count / 2] / 2 / Self.delayStep * Self.delayStep)
      }
      quality.lossPerMillion = Self.loss(answered: roundTrips.count, of: Int(end - start) + 1)
      if moments.last?.quality == quality { continue }
      let time = Interval(microseconds: times[Int(start - log.range.lowerBound)] / 1_000 * 1_000)
      guard time <= ScenarioLimits.longestTime else {
        throw ImportError(
          file: file, position: .line(1),
          message: "the recording is longer than \(ScenarioLimits.longestTime.text)",
          hint: "import a part of the file")
      }
      moments.append(Moment(time: time, quality: quality))
    }
  }

  /// Returns the loss of each direction in packets per million.
  private static func loss(answered: Int, of count: Int) -> UInt32 {
    guard answered > 0 else { return 1_000_000 }
    let share = 1 - (Double(answered) / Double(count)).squareRoot()
    return UInt32((share * 1_000_000 / Double(lossStep)).rounded()) * lossStep
  }

  /// Returns a scenario with the recorded qualities of one network, and a streaming call.
  ///
  /// The scenario contains no expectations; its author adds them.
  public func scenario(id: String) -> Scenario {
    var script = Script()
    script.name = id
    script.paths = ["wifi"]
    script.hosts = [ScriptHost(written: "api.example:443")]
    script.networks = [ScriptNetwork(PathIndex(0), .wifi)]
    script.initial.networksUp = PathSet(PathIndex(0))
    script.initial.path = PathIndex(0)
    let length = (moments.last?.time ?? .zero) + Self.afterwards
    script.calls = [
      ScriptCall(id: "stream", host: 0, kind: .streaming, takes: nil, deadline: length)
    ]
    for moment in moments {
      script.entries.append(
        ScriptEntry(
          at: .zero + moment.time,
          action: .network(PathIndex(0), .quality(moment.quality), signal: nil)))
    }
    script.entries.insert(ScriptEntry(at: .zero, action: .startCall(0)), at: 1)
    return Scenario(
      file: id, id: id, title: "Recorded delay and loss of a network", sources: [],
      profiles: Profile.all, script: script, expectations: [], entryPositions: [])
  }
}
