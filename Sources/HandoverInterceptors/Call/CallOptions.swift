public import HandoverCore

/// Whom a call asks for what (L50, `GRPCRequestOptions`).
public struct RequestOptions: Hashable, Sendable {
  /// The host, with its port where it is not 443.
  public var host: String
  /// The method, such as `/package.Service/Method`.
  public var path: String
  /// The verb.
  public var safety: CallSafety

  /// Makes request options.
  public init(host: String, path: String, safety: CallSafety = .standard) {
    self.host = host
    self.path = path
    self.safety = safety
  }
}

/// How a call is made (L50, `GRPCCallOptions`).
public struct CallOptions: Hashable, Sendable {
  /// How long after its start the call gives up; nil never.
  public var timeout: Interval?
  /// The headers to send.
  public var metadata = Metadata()
  /// The access token to send as a header; nil sends none.
  public var accessToken: String?
  /// Whether messages are read only as they are asked for (I36).
  public var flowControl = false
  /// Whether the call ends at once where its channel is in TRANSIENT_FAILURE (D7).
  public var failsFast = false
  /// The options in the key of the call's channel (P2).
  public var channel = ChannelOptions()
  /// The transport; nil takes the default one and consults none of its interceptors (I2).
  public var transport: TransportIdentifier?
  private var erasedMarshaller: AnyMarshaller?
  private var erasedFactories: [AnyFactory] = []

  /// What makes bytes of messages that are values; nil where all messages are bytes.
  public var marshaller: (any Marshaller)? {
    get { erasedMarshaller?.marshaller }
    set { erasedMarshaller = newValue.map(AnyMarshaller.init) }
  }

  /// The interceptors of the call, first to last.
  ///
  /// What counts are those a call is opened with: a changed list has no effect (I3).
  public var interceptorFactories: [any InterceptorFactory] {
    get { erasedFactories.map(\.factory) }
    set { erasedFactories = newValue.map(AnyFactory.init) }
  }

  /// Options of a call that asks for nothing special.
  public init() {}
}

/// What a call starts with: whom it asks, and how.
///
/// It goes along the chain as one value, so that a link that changes nothing copies nothing.
public struct CallStart: Hashable, Sendable {
  private final class Storage: Sendable {
    let request: RequestOptions
    let options: CallOptions

    init(_ request: RequestOptions, _ options: CallOptions) {
      self.request = request
      self.options = options
    }
  }

  private var storage: Storage

  /// Makes a start.
  public init(_ request: RequestOptions, _ options: CallOptions = CallOptions()) {
    storage = Storage(request, options)
  }

  /// Whom the call asks for what.
  public var request: RequestOptions {
    get { storage.request }
    set { storage = Storage(newValue, storage.options) }
  }

  /// How the call is made.
  public var options: CallOptions {
    get { storage.options }
    set { storage = Storage(storage.request, newValue) }
  }

  /// Whether both ask the same in the same way.
  public static func == (left: CallStart, right: CallStart) -> Bool {
    left.storage === right.storage
      || (left.request == right.request && left.options == right.options)
  }

  /// Takes whom and how in.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(request)
    hasher.combine(options)
  }
}
