public import HandoverCore

/// A scenario: a script, its expectations, and the position of each part in the file.
public struct Scenario: Hashable, Sendable {
  /// The file of the scenario, as the caller named it.
  public var file: String
  /// The stable, path-like name.
  public var id: String
  /// A one-line description, or `nil` if the file has none.
  public var title: String?
  /// The requirements that the scenario covers.
  public var sources: [ItemReference]
  /// The profiles that the scenario runs on, in the order of ``Profile/known``.
  public var profiles: [Profile]
  /// The input of a run.
  public var script: Script
  /// The expectations.
  public var expectations: [Expectation]
  /// The position of each timeline entry in the file, in the order of the script's entries; empty
  /// if the scenario was not read from a file.
  public var entryPositions: [TextPosition]

  /// Creates a scenario.
  public init(
    file: String, id: String, title: String?, sources: [ItemReference], profiles: [Profile],
    script: Script, expectations: [Expectation], entryPositions: [TextPosition]
  ) {
    self.file = file
    self.id = id
    self.title = title
    self.sources = sources
    self.profiles = profiles
    self.script = script
    self.expectations = expectations
    self.entryPositions = entryPositions
  }
}

extension Scenario {
  /// Returns the position of an entry, or `nil` if the scenario was not read from a file.
  package func position(ofEntry index: Int) -> TextPosition? {
    index < entryPositions.count ? entryPositions[index] : nil
  }

  /// Creates a scenario for one profile that is not read from a file.
  package init(
    id: String, title: String, items: [String] = [], profile: Profile, script: Script,
    expectations: [Expectation]
  ) {
    self.init(
      file: id, id: id, title: title,
      sources: items.map {
        ItemReference(
          document: "network-transitions", item: $0, position: TextPosition(line: 1, column: 1))
      },
      profiles: [profile], script: script,
      expectations: expectations.map { expectation in
        var expectation = expectation
        expectation.profiles = [profile]
        return expectation
      }, entryPositions: [])
  }
}

/// A reference to a requirement by its stable name.
public struct ItemReference: Hashable, Sendable {
  /// The specification, such as `network-transitions`.
  public var document: String
  /// The requirement, such as `D8a`.
  public var item: String
  /// The position of the reference in the file.
  public var position: TextPosition

  /// Creates a reference.
  public init(document: String, item: String, position: TextPosition) {
    self.document = document
    self.item = item
    self.position = position
  }
}

/// An expectation of a scenario.
public struct Expectation: Hashable, Sendable {
  /// The profiles to which the expectation applies.
  public var profiles: [Profile]
  /// Whether the expectation is required or only recommended.
  public var level: Level
  /// Whether the expectation must be false during the whole run.
  public var isNever: Bool
  /// The subject of the expectation, with the expected values.
  public var subject: Subject
  /// The time of the expectation, or `nil` for the end of the call or of the run.
  public var moment: Moment?
  /// Alternative acceptable outcomes of the call (`anyOf`).
  ///
  /// The first outcome is in ``subject`` and ``moment``.
  public var alternatives: [Ending] = []
  /// The requirements that the expectation shows, as indices into ``Scenario/sources``.
  ///
  /// They are in the order of the file.
  public var shows: [Int]
  /// The position of the expectation in the file.
  public var position: TextPosition

  /// The level of an expectation.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// An unmet expectation is a failure.
    case must
    /// An unmet expectation is reported, but is not a failure.
    case should
  }

  /// The time at which an expectation is evaluated.
  public enum Moment: Hashable, Sendable {
    /// At exactly this instant.
    case at(Instant)
    /// Between two instants, inclusive.
    case within(Instant, Instant)
    /// Before this instant.
    case before(Instant)
    /// After this instant.
    case after(Instant)
  }

  /// The subject of an expectation; values that are `nil` are not checked.
  public enum Subject: Hashable, Sendable {
    /// The end of a call, by its index into ``Script/calls``.
    case call(Int, status: StatusCode?, message: String?, channel: ChannelRelation?)
    /// The channels of a host, or of all hosts.
    ///
    /// The values are the number of live channels, the number destroyed since the start, and the
    /// state that all live channels share, or SHUTDOWN if all were destroyed.
    case channels(HostSelector, alive: Int?, destroyed: Int?, state: ChannelState?)
    /// The connections of a host, or of all hosts.
    ///
    /// The values are the attempts since the start, the number of open connections, and the path on
    /// which every open connection was made.
    case connections(HostSelector, attempts: Int?, open: Int?, path: PathIndex?)
    /// The observations of a host's server, or of all servers.
    ///
    /// The case is indirect to keep the other cases small.
    indirect case server(HostSelector, ServerExpectation)
    /// The maximum values of kernel counters on the device at the end of the run.
    indirect case kernel(KernelExpectation)
    /// The number of notifications that the monitor has posted since the start.
    case monitor(notifications: Int?)
    /// The behavior of an interceptor, by its index into ``ChainScript/links``.
    case interceptor(Int, InterceptorExpectation)
    /// The input and output of a call's chain, by the call's index into ``Script/calls``.
    case chain(Int, ChainExpectation)
    /// The outcome of a request, by its index into ``Script/requests``.
    case request(Int, RequestExpectation)
    /// The dispatcher's answer to a question, by its index into ``Script/questions``.
    case ask(Int, AnswerExpectation)
    /// The requests to a host, or to all hosts.
    ///
    /// The case is indirect to keep the other cases small.
    indirect case requests(HostSelector, RequestsExpectation)
  }

  /// The relation of a call's channel to the previous channel of its host.
  public enum ChannelRelation: String, Hashable, Sendable, CaseIterable {
    /// The channel was created for the call.
    case new
    /// The channel existed before the call.
    case same
  }

  /// An outcome of a call; values that are `nil` are not checked.
  public struct Ending: Hashable, Sendable {
    /// The status.
    public var status: StatusCode?
    /// The status message.
    public var message: String?
    /// The relation of the call's channel to the previous one.
    public var channel: ChannelRelation?
    /// The time of the outcome.
    public var moment: Moment?

    /// Creates an outcome.
    public init(
      status: StatusCode?, message: String?, channel: ChannelRelation?, moment: Moment?
    ) {
      self.status = status
      self.message = message
      self.channel = channel
      self.moment = moment
    }
  }

  /// The acceptable outcomes of the call, in the order of the file; empty if the subject is not a
  /// call.
  public var endings: [Ending] { firstEnding.map { [$0] + alternatives } ?? [] }

  /// The first acceptable outcome of the call, or `nil` if the subject is not a call.
  public var firstEnding: Ending? {
    guard case .call(_, let status, let message, let channel) = subject else { return nil }
    return Ending(status: status, message: message, channel: channel, moment: moment)
  }

  /// Creates an expectation.
  public init(
    profiles: [Profile], level: Level, isNever: Bool, subject: Subject, moment: Moment?,
    alternatives: [Ending] = [], shows: [Int] = [], position: TextPosition
  ) {
    self.profiles = profiles
    self.level = level
    self.isNever = isNever
    self.subject = subject
    self.moment = moment
    self.alternatives = alternatives
    self.shows = shows
    self.position = position
  }

  /// Creates a required expectation that is not read from a file.
  package init(_ subject: Subject, _ moment: Moment? = nil, isNever: Bool = false) {
    self.init(
      profiles: [], level: .must, isNever: isNever, subject: subject, moment: moment,
      position: TextPosition(line: 1, column: 1))
  }

  /// Creates the expectation of how a call ends.
  package init(ofCall call: Int, ends end: CallEnd, at instant: Instant) {
    self.init(
      .call(call, status: end.code, message: end.text.text, channel: nil), .at(instant))
  }
}

/// The expected values for one interceptor; values that are `nil` are not checked.
public struct InterceptorExpectation: Hashable, Sendable {
  /// The call, as an index into ``Script/calls``, or `nil` for all calls together.
  public var call: Int?
  /// Whether the interceptor was created.
  public var made: Bool?
  /// All events that the interceptor received, in order; only for a single call.
  public var sees: [ChainStep]?
  /// The expected violations of the interceptor, in order; they are not reported as findings.
  public var breaks: [InterceptorViolation]?

  /// Creates an expectation that checks nothing.
  public init() {}
}

/// The expected values for the chain of one call; values that are `nil` are not checked.
public struct ChainExpectation: Hashable, Sendable {
  /// The number of attempts that left the chain.
  public var attempts: Int?
  /// The interceptors that were created, in order, as indices into ``ChainScript/links``.
  public var links: [Int]?
  /// The host of the last attempt, as an index into ``Script/hosts``.
  public var host: Int?
  /// The method path of the last attempt.
  public var path: String?
  /// Headers that the last attempt must have sent; it may have sent others.
  public var metadata: [ScriptHeader]?
  /// The messages that the last attempt sent.
  public var sent: [String]?
  /// The messages that the user received.
  public var heard: [String]?
  /// Trailers that the user must have received; there may be others.
  public var trailers: [ScriptHeader]?
  /// The expected violations of the chain's user, in order; they are not reported as findings.
  public var breaks: [InterceptorViolation]?

  /// Creates an expectation that checks nothing.
  public init() {}
}

/// The expected values for one request; values that are `nil` are not checked.
public struct RequestExpectation: Hashable, Sendable {
  /// The outcome.
  public var outcome: RequestOutcome?
  /// The error code.
  public var code: Int32?
  /// The admission decision when the request arrived.
  public var admission: AdmissionKind?
  /// The request's position in its queue when it arrived, counted from 1.
  public var position: Int?
  /// The time at which the request was first passed to the platform.
  public var begins: Instant?
  /// The number of answered short requests of a polled request.
  public var polls: Int?
  /// The number of the last thread that ran the request, counted from 1 in its endpoint's pool.
  public var thread: Int?

  /// Creates an expectation that checks nothing.
  public init() {}
}

/// The expected answer to one question; values that are `nil` are not checked.
public struct AnswerExpectation: Hashable, Sendable {
  /// The admission decision that the request would get.
  public var answer: AdmissionKind?
  /// The position in its queue that the request would get, counted from 1.
  public var position: Int?
  /// The requests that hold the slots, as indices into ``Script/requests``.
  ///
  /// They are in the order in which they took the slots.
  public var holders: [Int]?

  /// Creates an expectation that checks nothing.
  public init() {}
}

/// The expected values for the requests to a host; values that are `nil` are not checked.
public struct RequestsExpectation: Hashable, Sendable {
  /// The number of requests at the platform, without frozen requests.
  public var running: Int?
  /// The number of requests that wait for a slot.
  public var waiting: Int?
  /// The number of requests that are frozen at the platform.
  public var frozen: Int?
  /// The number of requests that have ended since the start, including rejected ones.
  public var ended: Int?
  /// The number of open connections.
  public var open: Int?
  /// The number of connections opened since the start.
  public var opened: Int?
  /// The maximum number of connections that were open simultaneously since the start.
  public var most: Int?
  /// The number of times the user was notified that the long limit is reached.
  public var limitReached: Int?
  /// The number of threads.
  public var threads: Int?
  /// The number of idle threads.
  public var idleThreads: Int?
  /// The number of threads created since the start.
  public var threadsMade: Int?
  /// The maximum number of threads that existed simultaneously since the start.
  public var mostThreads: Int?

  /// Creates an expectation that checks nothing.
  public init() {}
}
