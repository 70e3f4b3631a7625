/// The bugs that an exploration against the model detects, with the necessary number of actions.
///
/// All other bugs are detected in the states of a client, as their declarations specify.
enum KnownKills {
  static func depth(of name: String) -> Mutant.Depth {
    found[name] ?? .unseen(unseen[name] ?? .noAction)
  }

  /// The names of all listed bugs, for a test.
  static var names: Set<String> { Set(found.keys).union(unseen.keys) }

  private static let found: [String: Mutant.Depth] = {
    var found: [String: Mutant.Depth] = [:]  // lookup only
    for line in table.split(separator: "\n") {
      let fields = line.split(separator: " ")
      precondition(
        fields.count == 4, "a line must contain a name, a length, a profile and kinds of actions")
      let groups = fields[3].split(separator: ",").map { word in
        guard let group = ModelGroup(rawValue: String(word)) else {
          preconditionFailure("unknown kind of action \(word)")
        }
        return group
      }
      found[String(fields[0])] = .actions(
        Int(fields[1]) ?? 0, Mutant.Walk(String(fields[2]), against: groups))
    }
    return found
  }()

  private static let unseen: [String: Mutant.Reason] = [  // lookup only
    "hears-every-network": .noAction,
    "endless-validation": .noAction,
    "hosts-as-written": .noAction,
    "links-reversed": .notExpressible,
    "global-always-on": .noAction,
    "cancel-only-forwards": .notExpressible,
    "turns-in-order": .noAction,
    "list-can-change": .noAction,
    "answers-stay": .notExpressible,
    "path-stays": .notExpressible,
    "verb-stays": .noAction,
    "options-stay": .noAction,
    "flow-control-stays": .noAction,
    "writes-reversed": .notExpressible,
    "one-gate-for-all": .tooFar,
    "gates-stay-open": .tooFar,
    "no-own-close": .notExpressible,
    "no-own-cancel": .noAction,
    "no-leaving": .noAction,
    "no-second-start": .noAction,
    "untold-breaches": .noAction,
    "pings-without-calls": .noAction,
    "U4": .noAction,
    "U79": .tooFar,
    "U80": .tooFar,
    "U81": .tooFar,
    "U86": .tooFar,
    "written-endpoints": .noAction,
    "platform-1": .notExpressible,
  ]

  private static let table = """
    early-timers 2 sockets-monitor kinds
    uncreated-as-internal 1 sockets-monitor kinds
    cancel-as-unavailable 2 sockets-monitor calls
    deadline-as-unavailable 1 sockets-monitor kinds
    deadline-as-cancelled 1 sockets-monitor kinds
    reset-as-internal 2 sockets-monitor calls,servers
    reset-as-unknown 2 sockets-monitor calls,servers
    abort-as-cancelled 2 sockets-monitor calls,paths
    abort-as-unknown 2 cfstream calls,flags
    refused-as-internal 2 sockets-monitor kinds,servers
    timeout-as-deadline 3 sockets-monitor uploads,transports
    closed-as-ok 2 sockets-monitor calls,servers
    closed-as-internal 2 sockets-monitor calls,servers
    unreachable-as-ok 2 sockets-monitor kinds,flags
    unresolved-as-not-found 2 sockets-monitor kinds,names
    fail-fast-as-aborted 3 sockets-monitor calls,servers
    keepalive-as-aborted 2 sockets-monitor channels,servers
    stream-error-as-unavailable 3 cfstream calls,flags,settings
    stream-error-without-text 3 cfstream calls,flags,settings
    stream-reset-without-text 3 cfstream calls,servers,settings
    ok-as-unavailable 1 sockets-monitor calls
    all-fail-fast 3 sockets-monitor calls,servers
    none-fail-fast 3 sockets-monitor calls,servers
    no-deadlines 1 sockets-monitor kinds
    half-deadlines 1 sockets-monitor kinds
    usual-deadlines 1 sockets-monitor calls
    no-tokens 1 sockets-monitor kinds
    complete-at-start 1 sockets-monitor uploads
    deaf-to-tokens 1 sockets-monitor kinds
    deaf-to-cancels 2 sockets-monitor calls
    deaf-to-messages 2 sockets-monitor uploads
    messages-sent-twice 2 sockets-monitor uploads
    never-complete 2 sockets-monitor uploads
    deaf-to-answers 2 sockets-monitor kinds,chains
    answers-twice 2 sockets-monitor kinds,chains
    deaf-to-ends 1 sockets-monitor calls
    unsent 1 sockets-monitor calls
    sent-twice 1 sockets-monitor calls
    unsent-messages 2 sockets-monitor uploads
    no-resets 2 sockets-monitor kinds,servers
    unbound 1 sockets-monitor calls
    unmoved 1 sockets-monitor calls
    moves-twice 1 sockets-monitor calls
    own-channels 2 sockets calls
    options-left-out 2 sockets calls,channels
    deadline-in-key 2 sockets calls,kinds
    path-in-key 2 sockets calls,channels
    token-in-key 2 sockets calls,kinds
    port-80 2 sockets-monitor channels
    one-host 2 sockets calls,channels
    made-is-started 1 sockets kinds
    disconnects-all 3 sockets-monitor calls,channels
    disconnects-first 2 sockets-monitor calls,channels
    deaf-to-disconnects 2 sockets-monitor calls,channels
    deaf-to-disconnect-all 2 sockets-monitor calls,channels
    P8 2 sockets-monitor calls,settings
    P9 2 sockets-monitor settings,calls
    row-001-cellular 1 sockets-monitor flags,rows
    row-010-wifi 1 sockets-monitor rows
    row-011-cellular 1 sockets-monitor flags,rows
    row-100-cellular 1 sockets-monitor flags
    row-100-none 1 sockets-monitor flags
    row-101-none 1 sockets-monitor flags
    row-110-wifi 1 sockets-monitor rows
    row-111-cellular 1 sockets-monitor flags,rows
    heeds-transient 1 sockets-monitor rows
    heeds-on-traffic 1 sockets-monitor rows
    heeds-on-demand 1 sockets-monitor rows
    heeds-intervention 1 sockets-monitor rows
    heeds-local 1 sockets-monitor rows
    heeds-direct 1 sockets-monitor rows
    told-first-read 0 sockets-monitor starts
    forgotten-first-read 1 sockets-monitor flags
    guessed-wifi 2 sockets-monitor starts,flags
    guessed-none 2 sockets-monitor starts,flags
    guessed-cellular 2 sockets-monitor starts,flags
    passes-through-none 1 sockets-monitor flags
    told-twice 1 sockets-monitor flags
    restarted-monitor 2 sockets kinds,app
    deaf-in-background 2 sockets-monitor calls,flags,app
    late-callbacks 1 sockets-monitor flags,calls
    heard-all-callbacks 2 sockets-monitor monitor,flags
    no-monitor 1 sockets-monitor flags
    always-monitor 2 sockets calls,flags
    global-first 2 sockets-monitor calls,chains
    made-lazily 2 sockets chains,kinds
    made-at-once 3 sockets-monitor kinds,chains
    no-global 2 sockets-monitor calls,chains
    nothing-makes-a-link 2 sockets-monitor calls,chains
    intercepted-legacy 2 sockets chains
    no-chain 2 sockets chains,calls
    cancel-closes 3 sockets-monitor calls,chains
    headers-stay 2 sockets-monitor calls,chains
    trailers-stay 2 sockets-monitor calls,chains
    messages-stay 3 sockets-monitor uploads,chains
    host-stays 2 sockets-monitor calls,chains
    deadline-stays 2 sockets-monitor calls,chains
    no-flow-control 2 sockets chains
    always-flow-control 2 sockets chains,calls
    no-marshaller 3 sockets-monitor uploads,chains
    all-marshalled 3 sockets-monitor uploads,chains
    no-mocks 2 sockets chains,calls
    no-cache 3 sockets-monitor uploads,chains
    no-link-tokens 2 sockets-monitor calls,chains
    no-retries 2 sockets-monitor kinds,chains
    no-own-messages 3 sockets-monitor uploads,chains
    cancels-are-lost 2 sockets calls
    finishes-are-lost 2 sockets uploads
    writes-are-lost 2 sockets uploads
    unheard-messages 2 sockets-monitor chains,calls
    messages-heard-twice 2 sockets-monitor chains,calls
    metadata-before-messages 2 sockets-monitor calls,chains
    metadata-last 2 sockets-monitor chains,calls
    no-write-done 2 sockets-monitor calls,chains
    write-done-twice 2 sockets-monitor calls,chains
    unheard-close 2 sockets-monitor chains,calls
    close-heard-twice 2 sockets-monitor chains,calls
    close-without-trailers 2 sockets-monitor calls,chains
    unsent-headers 2 sockets-monitor calls,chains
    unsent-chain-messages 2 sockets-monitor calls,chains
    chain-messages-sent-twice 2 sockets-monitor calls,chains
    messages-overtake 2 sockets-monitor calls,chains
    unmade-links 2 sockets-monitor chains,calls
    start-taken-twice 2 sockets-monitor chains,calls
    cancel-not-forwarded 3 sockets-monitor calls,chains
    close-not-forwarded 2 sockets-monitor calls,chains
    finish-before-write 2 sockets-monitor calls,chains
    message-after-close 2 sockets-monitor chains,calls
    unattempted 2 sockets-monitor calls,chains
    attempted-twice 2 sockets-monitor calls,chains
    chain-cancelled-as-ok 3 sockets-monitor calls,chains
    chain-cancelled-by-link 3 sockets-monitor calls,chains
    raw-messages 2 sockets-monitor chains,calls
    deaf-to-connected 1 sockets-monitor calls
    deaf-to-breaks 2 sockets-monitor calls,paths
    deaf-to-draining 2 sockets-monitor calls,servers
    no-pings 1 sockets-monitor kinds,channels
    reset-as-name-failure 2 sockets-monitor calls,servers
    refused-as-name-failure 2 sockets-monitor kinds,servers
    name-failure-as-refused 2 sockets-monitor kinds,names
    closed-as-reset 2 sockets-monitor calls,servers
    aborted-as-reset 2 sockets-monitor calls,paths
    drained-by-keepalive 3 sockets-monitor calls,transports,settings
    kept-by-keepalive 3 sockets-monitor calls,transports,settings
    unpinged-draining 4 sockets-monitor calls,servers,transports,settings
    pings-put-off 4 sockets-monitor uploads,transports,settings,times
    no-keepalive 3 sockets-monitor calls,transports,settings
    keepalive-x2 3 sockets-monitor calls,transports,settings
    keepalive-timeout-1s-more 3 sockets-monitor calls,transports,settings
    keepalive-option-left-out 2 sockets channels,servers
    connect-timeout-left-out 2 sockets calls,channels
    first-backoff-left-out 2 sockets calls,channels
    longest-backoff-left-out 2 sockets calls,channels
    breaks-destroy 2 sockets-monitor calls,paths
    breaks-keep 2 sockets-2017 calls,names,servers
    names-end-calls 2 sockets-2017 calls,names,servers
    names-keep-calls 2 sockets-monitor kinds,names
    attempts-10s 2 sockets-monitor kinds,servers
    attempts-30s 2 sockets-monitor kinds,servers
    U82 3 url-dispatcher requests,endpoints
    U83 1 url-dispatcher requests,endpoints
    U84 1 url-dispatcher requests
    U85 2 url-dispatcher flags,endpoints
    U87 3 url-dispatcher requests,endpoints
    total+1 3 url-dispatcher requests
    total-1 2 url-dispatcher requests
    long+1 2 url-dispatcher requests
    long-is-total 2 url-dispatcher requests
    long-1 1 url-dispatcher requests,servers
    long-none 1 url-dispatcher requests,servers
    no-limit 2 url-dispatcher requests
    limit-cannot-be-set 2 url-dispatcher requests,limits
    long-limit-doubled 2 url-dispatcher requests,limits
    never-closed 2 url-dispatcher requests,limits
    throws-always 2 url-dispatcher requests,limits
    fails-always 2 url-dispatcher requests,limits
    enqueues-always 2 url-dispatcher requests,limits
    ignores-always 2 url-dispatcher requests,limits
    takes-spare 2 url-dispatcher requests
    polls-always 2 url-dispatcher requests,limits
    own-policy-lost 2 url-dispatcher requests,limits,threads
    polls-x2 2 url-dispatcher requests,limits
    all-short 1 url-dispatcher requests,limits,endpoints
    all-long 2 url-dispatcher requests,limits,threads
    all-exempt 1 url-dispatcher requests
    one-dispatcher 2 url-dispatcher requests,endpoints
    answers-for-short 2 url-dispatcher requests,limits
    one-endpoint 1 url-loading platform
    ports-left-out 3 url-dispatcher requests,endpoints
    untold-limit 2 url-dispatcher requests,limits
    limit-told-twice 2 url-dispatcher requests,limits
    refused-as-failed 2 url-dispatcher requests
    slots-stay 1 url-dispatcher requests
    answers-no 1 url-dispatcher requests,limits
    answers-yes 2 url-dispatcher requests,limits
    told-end-of-request-twice 1 url-dispatcher requests
    untold-end-of-request 1 url-loading requests
    position+1 3 url-dispatcher requests
    last-come-first 3 url-dispatcher requests,times
    platform+1 3 url-loading requests,platform
    platform-unlimited 3 url-loading requests,platform
    no-keep-alive 2 url-loading platform,requests
    keep-alive-1min 1 url-loading requests
    one-stream 2 url-loading platform
    charges-waiting 3 url-dispatcher endpoints,requests
    time-outs-doubled 1 url-loading requests
    no-time-outs 1 url-loading requests
    usual-time-out 2 url-loading endpoints,servers
    long-time-out-is-whole 1 url-dispatcher endpoints,requests
    slow-requests 1 url-loading requests
    time-out-of-the-system 1 url-loading requests
    unfrozen 3 url-loading requests,platform
    uncarried 3 url-loading requests,platform
    unopened-by-platform 1 url-loading requests
    no-threads 2 url-dispatcher threads,requests
    idle-doubled 2 url-dispatcher requests,threads
    collected-at-once 2 url-dispatcher requests,threads
    collected-late 2 url-dispatcher requests,threads
    unmade-threads 2 url-dispatcher threads,requests
    threads-made-twice 2 url-dispatcher threads,requests
    uncollected 2 url-dispatcher threads,requests
    restless-threads 2 url-dispatcher threads,requests
    threads-outlive 2 url-dispatcher threads,requests
    next-thread 2 url-dispatcher threads,requests
    unrun 2 url-dispatcher threads,requests
    unwaited 3 url-dispatcher requests
    wifi-breaks-cellular 3 sockets calls,flags
    wifi-stalls-cellular 3 cfstream calls,flags
    losses-stall 2 sockets calls,flags
    losses-break 2 linux-sockets calls,flags
    never-rebinds 2 quic calls,flags
    undeclared-migration 2 quic calls,flags
    background-breaks 3 sockets calls,flags,app
    background-stalls 3 cfstream calls,flags,app
    outlives 2 cfstream calls,flags,paths
    does-not-outlive 3 linux-sockets calls,flags,paths
    always-foreground 2 sockets kinds,app
    tcp-timeout-1min 3 sockets uploads,transports
    tcp-timeout-20min 2 sockets kinds,transports
    event-engine 2 cfstream calls,flags
    iomgr 3 cfstream calls,flags,settings
    no-stalls 2 sockets uploads,transports
    stalls-break 2 sockets-monitor calls,transports
    no-half-close 2 sockets-monitor calls,servers
    no-resets-heard 2 sockets-monitor calls,servers
    settings-not-awaited 2 sockets-monitor calls,servers
    names-always 2 sockets-monitor calls,names
    names-hang 2 sockets-monitor calls,names
    path-loss-ends-look-ups 3 sockets-monitor calls,names
    same-path 2 sockets calls,paths
    no-linger 2 sockets calls,flags,paths
    stays-cellular 2 cfstream calls,flags
    slow-connections 1 sockets-monitor calls
    slow-answers 1 sockets-monitor calls
    always-refused 1 sockets-monitor calls
    never-refused 2 sockets-monitor calls,servers
    no-goaway 2 sockets-monitor calls,servers
    no-duplicates 2 sockets-monitor flags,monitor
    unread-requests 1 sockets-monitor calls
    unread-messages 2 sockets-monitor uploads
    read-twice 1 sockets-monitor calls
    calls-first-cancelled 3 sockets-monitor calls,flags,settings
    stale-cancel 2 sockets-monitor calls
    """
}
