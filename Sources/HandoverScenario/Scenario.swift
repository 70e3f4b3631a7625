public import HandoverCore
import HandoverJSON

/// A scenario: a script, what is expected of it, and where each part stands in its file.
public struct Scenario: Hashable, Sendable {
  /// The file it was read from, as it was named.
  public var file: String
  /// The stable, path-like name.
  public var id: String
  /// One line on what happens; nil where the file has none.
  public var title: String?
  /// The items of the documents that it is about.
  public var sources: [ItemReference]
  /// The profiles it is replayed on, in the order of ``Profile/all``.
  public var profiles: [Profile]
  /// What is played.
  public var script: Script
  /// What is expected.
  public var expectations: [Expectation]
  /// Where each entry of the script's timeline stands in the file, in the same order.
  public var entryPositions: [TextPosition]

  /// Makes a scenario.
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

/// An item of a document, by its stable name.
public struct ItemReference: Hashable, Sendable {
  /// The document, such as `network-transitions`.
  public var document: String
  /// The item, such as `D8a`.
  public var item: String
  /// Where the reference stands.
  public var position: TextPosition

  /// Makes a reference.
  public init(document: String, item: String, position: TextPosition) {
    self.document = document
    self.item = item
    self.position = position
  }
}

/// One thing that a scenario expects.
public struct Expectation: Hashable, Sendable {
  /// The profiles it is meant for.
  public var profiles: [Profile]
  /// Whether it must hold or is only recommended.
  public var level: Level
  /// Whether it must never hold at any time of the run.
  public var isNever: Bool
  /// What is looked at, and what is to be seen there.
  public var subject: Subject
  /// When; nil is the end of the call, or of the run.
  public var moment: Moment?
  /// Other ends of the call that will do as well (`anyOf`); the first stands in ``subject`` and
  /// ``moment``.
  public var otherwise: [Ending] = []
  /// The items that it shows, by their places in ``Scenario/sources``, in the order of the file.
  public var shows: [Int]
  /// Where it stands in the file.
  public var position: TextPosition

  /// How much an expectation weighs.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// Not holding is a failure.
    case must
    /// Not holding is told, and is no failure.
    case should
  }

  /// When something is to be seen.
  public enum Moment: Hashable, Sendable {
    /// Exactly then.
    case at(Instant)
    /// From the first to the second, both included.
    case within(Instant, Instant)
    /// Earlier than.
    case before(Instant)
    /// Later than.
    case after(Instant)
  }

  /// What is looked at; parts that are nil are not.
  public enum Subject: Hashable, Sendable {
    /// How a call, by its place in ``Script/calls``, ends.
    case call(Int, status: StatusCode?, message: String?, channel: ChannelRelation?)
    /// The channels of a host, or all: how many live, how many were destroyed since the start, and
    /// the state of each that lives.
    case channels(HostSelector, alive: Int?, destroyed: Int?, state: ChannelState?)
    /// The connections of a host, or all: attempts since the start, how many are open, and the
    /// path that each open one was made on.
    case connections(HostSelector, attempts: Int?, open: Int?, path: PathIndex?)
    /// What the server of a host, or all, has seen; kept apart, because it would make all others
    /// larger.
    indirect case server(HostSelector, ServerExpectation)
    /// What the device's kernel has counted at most when the run is over.
    indirect case kernel(KernelExpectation)
    /// How many notifications the monitor has posted since the start.
    case monitor(notifications: Int?)
    /// What a link of the chain has done, by its place in ``ChainScript/links``.
    case interceptor(Int, InterceptorExpectation)
    /// What has gone in and out of a call's chain, by the call's place in ``Script/calls``.
    case chain(Int, ChainExpectation)
    /// What becomes of a request, by its place in ``Script/requests``.
    case request(Int, RequestExpectation)
    /// What the dispatcher answers to a question, by its place in ``Script/questions``.
    case ask(Int, AnswerExpectation)
    /// The requests to a host, or all; kept apart, because it would make all others larger.
    indirect case requests(HostSelector, RequestsExpectation)
  }

  /// A call's channel, compared with the one its host had before.
  public enum ChannelRelation: String, Hashable, Sendable, CaseIterable {
    /// A channel was made for the call.
    case new
    /// The call went to the channel that was there.
    case same
  }

  /// One end of a call; parts that are nil are not looked at.
  public struct Ending: Hashable, Sendable {
    /// The status.
    public var status: StatusCode?
    /// The text beside it.
    public var message: String?
    /// The channel that the call was bound to.
    public var channel: ChannelRelation?
    /// When.
    public var moment: Moment?

    /// Makes an end.
    public init(
      status: StatusCode?, message: String?, channel: ChannelRelation?, moment: Moment?
    ) {
      self.status = status
      self.message = message
      self.channel = channel
      self.moment = moment
    }
  }

  /// The ends of the call that will do, the first one first; empty where no call is looked at.
  public var endings: [Ending] { firstEnding.map { [$0] + otherwise } ?? [] }

  /// The first end of the call that will do; nil where no call is looked at.
  public var firstEnding: Ending? {
    guard case .call(_, let status, let message, let channel) = subject else { return nil }
    return Ending(status: status, message: message, channel: channel, moment: moment)
  }

  /// Makes an expectation.
  public init(
    profiles: [Profile], level: Level, isNever: Bool, subject: Subject, moment: Moment?,
    otherwise: [Ending] = [], shows: [Int] = [], position: TextPosition
  ) {
    self.profiles = profiles
    self.level = level
    self.isNever = isNever
    self.subject = subject
    self.moment = moment
    self.otherwise = otherwise
    self.shows = shows
    self.position = position
  }
}

/// What is to be seen of one link; parts that are nil are not looked at.
public struct InterceptorExpectation: Hashable, Sendable {
  /// The call, by its place in ``Script/calls``; nil is all of them together.
  public var call: Int?
  /// Whether the link was made.
  public var made: Bool?
  /// Everything it took, in order; of a call alone.
  public var sees: [ChainStep]?
  /// The rules that it broke, in order; each is then no finding.
  public var breaks: [InterceptorBreach]?

  /// Looks at nothing.
  public init() {}
}

/// What is to be seen of one call's chain; parts that are nil are not looked at.
public struct ChainExpectation: Hashable, Sendable {
  /// How many attempts came out of it.
  public var attempts: Int?
  /// The links that were made, in order, by their places in ``ChainScript/links``.
  public var links: [Int]?
  /// The host that the last attempt went to, by its place in ``Script/hosts``.
  public var host: Int?
  /// The path that the last attempt asked for.
  public var path: String?
  /// Headers that the last attempt sent, among others.
  public var metadata: [ScriptHeader]?
  /// The messages that the last attempt sent.
  public var sent: [String]?
  /// The messages that the user got.
  public var heard: [String]?
  /// Trailers that the user got, among others.
  public var trailers: [ScriptHeader]?
  /// The rules that the user of the chain broke, in order; each is then no finding.
  public var breaks: [InterceptorBreach]?

  /// Looks at nothing.
  public init() {}
}

/// What is to be seen of one request; parts that are nil are not looked at.
public struct RequestExpectation: Hashable, Sendable {
  /// How it ends.
  public var outcome: RequestOutcome?
  /// The number of its error.
  public var code: Int32?
  /// What became of it when it arrived.
  public var admission: AdmissionWord?
  /// The place in its line that it got when it arrived, counted from 1.
  public var position: Int?
  /// When it was handed to the platform first.
  public var begins: Instant?
  /// How many short requests were answered that it was made of.
  public var polls: Int?
  /// The number of the thread that took it last, counted from 1 in the pool of its endpoint.
  public var thread: Int?

  /// Looks at nothing.
  public init() {}
}

/// What is to be seen of the answer to one question; parts that are nil are not looked at.
public struct AnswerExpectation: Hashable, Sendable {
  /// What would become of the request.
  public var answer: AdmissionWord?
  /// The place in its line that it would get, counted from 1.
  public var position: Int?
  /// The requests that hold the slots, in the order of taking them, by their places in
  /// ``Script/requests``.
  public var holders: [Int]?

  /// Looks at nothing.
  public init() {}
}

/// What is to be seen of the requests to a host; parts that are nil are not looked at.
public struct RequestsExpectation: Hashable, Sendable {
  /// How many are with the platform, frozen ones not counted.
  public var running: Int?
  /// How many wait for a slot.
  public var waiting: Int?
  /// How many are frozen at the platform.
  public var frozen: Int?
  /// How many have ended since the start, refused ones included.
  public var ended: Int?
  /// How many connections are open.
  public var open: Int?
  /// How many connections were opened since the start.
  public var opened: Int?
  /// The most connections that were open at once since the start.
  public var most: Int?
  /// How often the user was told that the long limit is reached.
  public var limitReached: Int?
  /// How many threads there are.
  public var threads: Int?
  /// How many of them have nothing to do.
  public var idleThreads: Int?
  /// How many threads were made since the start.
  public var threadsMade: Int?
  /// The most threads that there were at once since the start.
  public var mostThreads: Int?

  /// Looks at nothing.
  public init() {}
}
