public import HandoverCore

/// The destination and the method of a call (L50, `GRPCRequestOptions`).
public struct RequestOptions: Hashable, Sendable {
  /// The host, with its port unless the port is 443.
  public var host: String
  /// The method, such as `/package.Service/Method`.
  public var path: String
  /// The safety class of the call.
  public var safety: CallSafety

  /// Creates request options.
  public init(host: String, path: String, safety: CallSafety = .standard) {
    self.host = host
    self.path = path
    self.safety = safety
  }
}

/// The options of a call (L50, `GRPCCallOptions`).
public struct CallOptions: Hashable, Sendable {
  /// The time from the start of the call until it gives up, or `nil` for no timeout.
  public var timeout: Interval?
  /// The headers to send.
  public var metadata = Metadata()
  /// The access token to send as a header, or `nil` to send none.
  public var accessToken: String?
  /// Whether messages are read only when the caller requests them (I36).
  public var flowControl = false
  /// Whether the call ends immediately if its channel is in TRANSIENT_FAILURE (D7).
  public var failsFast = false
  /// The options in the key of the call's channel (P2).
  public var channel = ChannelOptions()
  /// The transport, or `nil` for the default transport without its interceptors (I2).
  public var transport: TransportIdentifier?
  private var erasedMarshaller: AnyMarshaller?
  private var erasedFactories: [AnyFactory] = []

  /// The marshaller of messages that are values, or `nil` if all messages are bytes.
  public var marshaller: (any Marshaller)? {
    get { erasedMarshaller?.marshaller }
    set { erasedMarshaller = newValue.map(AnyMarshaller.init) }
  }

  /// The interceptor factories of the call, first to last.
  ///
  /// Only the list with which the call is opened has an effect; later changes are ignored (I3).
  public var interceptorFactories: [any InterceptorFactory] {
    get { erasedFactories.map(\.factory) }
    set { erasedFactories = newValue.map(AnyFactory.init) }
  }

  /// Creates default options.
  public init() {}
}

/// The start of a call: its destination and its options.
///
/// The start passes along the chain as one value, so that an interceptor that changes nothing
/// copies nothing.
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

  /// Creates a start.
  public init(_ request: RequestOptions, _ options: CallOptions = CallOptions()) {
    storage = Storage(request, options)
  }

  /// The destination and the method of the call.
  public var request: RequestOptions {
    get { storage.request }
    set { storage = Storage(newValue, storage.options) }
  }

  /// The options of the call.
  public var options: CallOptions {
    get { storage.options }
    set { storage = Storage(storage.request, newValue) }
  }

  /// Returns whether two starts have the same destination and options.
  public static func == (left: CallStart, right: CallStart) -> Bool {
    left.storage === right.storage
      || (left.request == right.request && left.options == right.options)
  }

  /// Hashes the destination and the options.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(request)
    hasher.combine(options)
  }
}
