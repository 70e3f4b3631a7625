/// What may happen in an exploration against the model, by kinds; each is some acts.
package enum ModelGroup: String, CaseIterable, Hashable, Sendable {
  /// Calls of the usual kinds start and are cancelled.
  case calls
  /// Calls of other kinds: with deadlines, with tokens, made and not started.
  case kinds
  /// Calls that send messages.
  case uploads
  /// Other channels, and their end by the user.
  case channels
  /// The category of the network.
  case flags
  /// Flags of the same category, and of each row of the table of categories.
  case rows
  /// Networks of one kind, and interfaces that stay alive.
  case paths
  /// The application goes to the background and returns.
  case app
  case servers, names, transports, monitor
  /// Time passes, or none does.
  case times
  /// The device begins otherwise.
  case starts
  /// The settings of a run.
  case settings
  /// Calls pass interceptors.
  case chains
  /// Requests start and are cancelled.
  case requests
  /// Limits of requests, and questions about them.
  case limits
  /// Requests of other kinds, to other endpoints, with other times.
  case endpoints
  /// What the platform does with requests.
  case platform
  /// Requests run on threads.
  case threads

  /// Whether it is about requests, about calls, or about both (nil).
  var isOfRequests: Bool? {
    switch self {
    case .requests, .limits, .endpoints, .platform, .threads: true
    case .calls, .kinds, .uploads, .channels, .chains: false
    case .flags, .rows, .paths, .app, .servers, .names, .transports, .monitor, .times, .starts,
      .settings:
      nil
    }
  }
}

/// One thing that a sequence can have: a setting of the run, or an entry of its timeline.
struct ModelAct: Hashable, Sendable {
  /// The part of a scenario that an act writes.
  enum Part: Hashable, Sendable {
    /// A member of the initial state, of the settings, or of those of requests; one of a name.
    case initial(String)
    case setting(String)
    case ofRequests(String)
    /// A call or a request; the text is its members without an id.
    case call, request, question
    /// An entry about the call, or the request, that was made last, or first: the text has `%` in
    /// the place of its id.
    case ofLastCall, ofUpload, ofMadeCall
    case ofLastRequest, ofFirstRequest
    /// Any other entry.
    case entry
    /// So many seconds pass until the next entry, in the place of one.
    case wait(Int)
  }

  var group: ModelGroup
  var sentence: String
  var part: Part
  var text: String
  /// A host that has to be declared for it.
  var host: String?

  init(
    _ group: ModelGroup, _ sentence: String, _ part: Part, _ text: String = "",
    host: String? = nil
  ) {
    self.group = group
    self.sentence = sentence
    self.part = part
    self.text = text
    self.host = host
  }

  /// Whether it stands before all entries.
  var isSetting: Bool {
    switch part {
    case .initial, .setting, .ofRequests: true
    case .call, .request, .question, .ofLastCall, .ofUpload, .ofMadeCall, .ofLastRequest,
      .ofFirstRequest, .entry, .wait:
      false
    }
  }

  /// What only one act of a sequence can be about; nil where there may be many.
  var slot: String? {
    switch part {
    case .initial: "initial"
    case .setting(let name): name
    case .ofRequests(let name): "requests.\(name)"
    case .call, .request, .question, .ofLastCall, .ofUpload, .ofMadeCall, .ofLastRequest,
      .ofFirstRequest, .entry, .wait:
      nil
    }
  }
}
