import HandoverCore

/// The groups of actions in an exploration against the model.
package enum ModelGroup: String, CaseIterable, Hashable, Sendable {
  /// Calls of the usual kinds start and are canceled.
  case calls
  /// Calls of other kinds: with deadlines, with tokens, or created and not started.
  case kinds
  /// Calls that send messages.
  case uploads
  /// Other channels, and their end by the user.
  case channels
  /// Changes of the network's category.
  case flags
  /// Flags of the same category, and of each row of the table of categories.
  case rows
  /// Several networks of one kind, and interfaces that stay up.
  case paths
  /// The application moves to the background and returns.
  case app
  case servers, names, transports, monitor
  /// Time passes before the next entry, or the next entry has the same time.
  case times
  /// Other initial states of the device.
  case starts
  /// The settings of a run.
  case settings
  /// Calls with interceptors.
  case chains
  /// Requests start and are canceled.
  case requests
  /// Limits of requests, and questions about them.
  case limits
  /// Requests of other kinds, to other endpoints, or with other durations.
  case endpoints
  /// The platform's behavior for requests.
  case platform
  /// Requests run on threads.
  case threads

  /// The work that the group is about, or `nil` if it is about any work.
  var work: ClientKind.Work? {
    switch self {
    case .requests, .limits, .endpoints, .platform, .threads: .requests
    case .calls, .kinds, .uploads, .channels, .chains: .calls
    case .flags, .rows, .paths, .app, .servers, .names, .transports, .monitor, .times, .starts,
      .settings:
      nil
    }
  }
}

/// One element of a sequence: a setting of the run, or an entry of its timeline.
struct ModelAction: Hashable, Sendable {
  /// The part of a scenario that an action writes.
  enum Part: Hashable, Sendable {
    /// A key of the initial state, of the settings, or of the settings of requests; some have a
    /// name.
    case initial(String)
    case setting(String)
    case ofRequests(String)
    /// A call or a request.
    ///
    /// The text contains its keys without an ID.
    case call, request, question
    /// An entry about the last or first call or request.
    ///
    /// In the text, `%` represents its ID.
    case ofLastCall, ofUpload, ofMadeCall
    case ofLastRequest, ofFirstRequest
    /// Any other entry.
    case entry
    /// A pause before the next entry, in seconds.
    case wait(Int)
  }

  var group: ModelGroup
  var sentence: String
  var part: Part
  var text: String
  /// A host that the scenario must declare for this action.
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

  /// Whether the action is a setting, which comes before all entries.
  var isSetting: Bool {
    switch part {
    case .initial, .setting, .ofRequests: true
    case .call, .request, .question, .ofLastCall, .ofUpload, .ofMadeCall, .ofLastRequest,
      .ofFirstRequest, .entry, .wait:
      false
    }
  }

  /// The part of a scenario that only one action of a sequence can set, or `nil` if many actions
  /// are possible.
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
