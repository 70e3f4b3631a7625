import Testing

/// Files that contain every key, in arbitrary order and in canonical order.
struct CanonicalSample: CustomTestStringConvertible, Sendable {
  /// The topic of the files.
  var testDescription: String
  /// The scenario in arbitrary order.
  var disordered: String
  /// The canonical text.
  var ordered: String

  static let all = [calls, requests]

  static let calls = CanonicalSample(
    testDescription: "calls",
    disordered: """
      {"x-author": "nobody", "expect": [
        {"level":"should","at":"1000ms","channel":"new","message":"","status":"OK",
         "profiles":["sockets-monitor"],"call":"a"},
        {"shows":["D2","D1"],"within":["0.5s","1000ms"],"call":"b"}, {"call":"b","before":"1000000us"},
        {"call":"b","after":"0.000s","comment":"never before"},
        {"shows":["D1"],"anyOf":[{"at":"1000ms","channel":"new","status":"OK"},
         {"comment":"late","within":["1.0s","2s"],"message":""}],"call":"b","level":"must"},
        {"channels":{"state":"IDLE","destroyed":0,"alive":-0,"host":"*"},"at":"1s"},
        {"connections":{"path":"home","open":1,"attempts":1,"host":"b.example:1"}},
        {"server":{"received":1,"host":"*"}},
        {"monitor":{"notifications":1},"profiles":["sockets-monitor"]},
        {"never":{"status":"CANCELLED","call":"a"}}],
       "timeline": [
        {"call":{"options":{"token":"1000ms","userAgentSuffix":"x","compression":"gzip",
          "keepaliveTimeout":"0.0s","keepaliveInterval":"10000ms","connectMaxBackoff":"60s",
          "connectInitialBackoff":"1.0s","connectMinTimeout":"5s"},
          "failFast":false,"deadline":"90.0s","takes":"1000us","kind":"unary","host":"b.example:1",
          "id":"a"},"at":"0ms"},
        {"call":{"every":"0.5s","kind":"bidi","host":"a.example","id":"b"},"at":"+0s"},
        {"send":{"bytes":100,"call":"b"},"at":"+0.1s"}, {"finish":"b","at":"200ms"},
        {"cancel":"b","at":"200ms"}, {"links":{"wifi":"up","x-why":1},"path":"home",
         "flags":"WR -------","at":"300ms"}, {"path":"wifi-B","at":"300ms"},
        {"app":"background","at":"300ms"}, {"app":"foreground","at":"300ms"},
        {"disconnect":"*","at":"400ms"}, {"server":{"do":"silent","host":"a.example"},"at":"400ms"},
        {"names":{"do":"fail","host":"a.example"},"at":"400ms"},
        {"transport":{"become":"stall","host":"*"},"at":"400ms"},
        {"monitor":{"by":"1000ms","do":"delay"},"at":"400ms"}],
       "config":{"until":"1h","seed":7,"cfstream":"iomgr","monitor":{"latency":"1000us"},"sendBuffer":1024,
        "tcpTimeout":"15min","keepalive":{"withoutCalls":true,"timeout":"20.000s","time":"10s"},
        "idle":"30000ms","backoff":{"minConnectTimeout":"20s","max":"120s","jitter":2.0e-1,
        "multiplier":1.60,"initial":"1s"}},
       "hosts":{"b.example:1":{"names":"resolve","server":"accept","connect":"50.0ms"},
        "x-hosts":[], "a.example":{}},
       "initial":{"monitor":"unreadable","path":"home","app":"foreground","flags":{"Reachable":true}},
       "profiles":["sockets","sockets-monitor"], "source":[{"item":"D1","document":"d"},
        {"item":"D2","document":"d"}],
       "title":"Every\\u0020key", "id":"every/key", "format":1, "$schema":"s",
       "comment":["one","two"]}
      """,
    ordered: """
      {
        "$schema": "s",
        "format": 1,
        "id": "every/key",
        "title": "Every key",
        "source": [
          { "document": "d", "item": "D1" },
          { "document": "d", "item": "D2" }
        ],
        "profiles": ["sockets", "sockets-monitor"],
        "initial": { "flags": ["Reachable"], "app": "foreground", "path": "home", "monitor": "unreadable" },
        "hosts": { "b.example:1": { "connect": "50ms", "server": "accept", "names": "resolve" }, "a.example": {}, "x-hosts": [] },
        "config": { "backoff": { "initial": "1s", "multiplier": 1.6, "jitter": 0.2, "max": "120s", "minConnectTimeout": "20s" }, "idle": "30s", "keepalive": { "time": "10s", "timeout": "20s", "withoutCalls": true }, "tcpTimeout": "15min", "sendBuffer": 1024, "cfstream": "iomgr", "monitor": { "latency": "1ms" }, "seed": 7, "until": "1h" },
        "timeline": [
          { "at": "0s", "call": { "id": "a", "host": "b.example:1", "kind": "unary", "takes": "1ms", "deadline": "90s", "failFast": false, "options": { "connectMinTimeout": "5s", "connectInitialBackoff": "1s", "connectMaxBackoff": "60s", "keepaliveInterval": "10s", "keepaliveTimeout": "0s", "compression": "gzip", "userAgentSuffix": "x", "token": "1s" } } },
          { "at": "+0s", "call": { "id": "b", "host": "a.example", "kind": "bidi", "every": "500ms" } },
          { "at": "+100ms", "send": { "call": "b", "bytes": 100 } },
          { "at": "200ms", "finish": "b" },
          { "at": "200ms", "cancel": "b" },
          { "at": "300ms", "flags": ["Reachable", "IsWWAN"], "path": "home", "links": { "wifi": "up", "x-why": 1 } },
          { "at": "300ms", "path": "wifi-B" },
          { "at": "300ms", "app": "background" },
          { "at": "300ms", "app": "foreground" },
          { "at": "400ms", "disconnect": "*" },
          { "at": "400ms", "server": { "host": "a.example", "do": "silent" } },
          { "at": "400ms", "names": { "host": "a.example", "do": "fail" } },
          { "at": "400ms", "transport": { "host": "*", "become": "stall" } },
          { "at": "400ms", "monitor": { "do": "delay", "by": "1s" } }
        ],
        "expect": [
          { "profiles": ["sockets-monitor"], "level": "should", "call": "a", "status": "OK", "message": "", "channel": "new", "at": "1s" },
          { "call": "b", "within": ["500ms", "1s"], "shows": ["D2", "D1"] },
          { "call": "b", "before": "1s" },
          { "call": "b", "after": "0s", "comment": "never before" },
          { "level": "must", "call": "b", "anyOf": [{ "status": "OK", "channel": "new", "at": "1s" }, { "message": "", "within": ["1s", "2s"], "comment": "late" }], "shows": ["D1"] },
          { "channels": { "host": "*", "alive": 0, "destroyed": 0, "state": "IDLE" }, "at": "1s" },
          { "connections": { "host": "b.example:1", "attempts": 1, "open": 1, "path": "home" } },
          { "server": { "host": "*", "received": 1 } },
          { "profiles": ["sockets-monitor"], "monitor": { "notifications": 1 } },
          { "never": { "call": "a", "status": "CANCELLED" } }
        ],
        "x-author": "nobody",
        "comment": [
          "one",
          "two"
        ]
      }

      """)

  static let requests = CanonicalSample(
    testDescription: "requests",
    disordered: """
      {"timeline": [
        {"request":{"pool":"p","poll":"500000us","policy":"poll","deadline":"60.0s",
          "timeout":"0.0s","every":"1000ms","takes":"2000ms","responds":"0.5s","kind":"long",
          "host":"a.example","id":"r"},"at":"0ms"},
        {"ask":{"pool":"shared","poll":"1000ms","policy":"poll","kind":"long","host":"a.example",
          "id":"q"},"at":"+0s"},
        {"request":{"takes":"10ms","kind":"short","host":"a.example","id":"s"},"at":"0s"},
        {"cancel":"r","at":"1000ms"}, {"dispatcher":{"pool":"p","long":1,"do":"limit"},"at":"1s"},
        {"dispatcher":{"do":"close"},"at":"1s"}],
       "expect": [
        {"at":"1000ms","thread":1,"polls":0,"begins":"0.0s","position":1,"admission":"polls","code":-999,
         "outcome":"cancelled","request":"r","level":"should"},
        {"holders":["r", "s"],"position":2,"answer":"polls","ask":"q"},
        {"requests":{"mostThreads":4,"threadsMade":3,"idleThreads":2,"threads":1,"limitReached":0,"most":1,"opened":1,"open":1,"ended":0,"frozen":0,
         "waiting":0,"running":1,"host":"*"},"at":"0.5s"},
        {"never":{"outcome":"lost","request":"s"}}],
       "config":{"requests":{"threads":{"collect":"15000ms","idle":"10.0s"},"keepAlive":"1000ms","chargesWaiting":false,"poll":"2000ms",
        "policy":"poll","platform":4,"long":2,"total":4,"preset":"1.7"}},
       "hosts":{"a.example":{"streams":100,"connect":"0ms"}},
       "initial":{"flags":2}, "profiles":["url-dispatcher"], "id":"every/request", "format":1}
      """,
    ordered: """
      {
        "format": 1,
        "id": "every/request",
        "profiles": ["url-dispatcher"],
        "initial": { "flags": ["Reachable"] },
        "hosts": { "a.example": { "connect": "0s", "streams": 100 } },
        "config": { "requests": { "preset": "1.7", "total": 4, "long": 2, "platform": 4, "policy": "poll", "poll": "2s", "chargesWaiting": false, "keepAlive": "1s", "threads": { "idle": "10s", "collect": "15s" } } },
        "timeline": [
          { "at": "0s", "request": { "id": "r", "host": "a.example", "kind": "long", "responds": "500ms", "takes": "2s", "every": "1s", "timeout": "0s", "deadline": "60s", "policy": "poll", "poll": "500ms", "pool": "p" } },
          { "at": "+0s", "ask": { "id": "q", "host": "a.example", "kind": "long", "policy": "poll", "poll": "1s", "pool": "shared" } },
          { "at": "0s", "request": { "id": "s", "host": "a.example", "kind": "short", "takes": "10ms" } },
          { "at": "1s", "cancel": "r" },
          { "at": "1s", "dispatcher": { "do": "limit", "long": 1, "pool": "p" } },
          { "at": "1s", "dispatcher": { "do": "close" } }
        ],
        "expect": [
          { "level": "should", "request": "r", "outcome": "cancelled", "code": -999, "admission": "polls", "position": 1, "begins": "0s", "polls": 0, "thread": 1, "at": "1s" },
          { "ask": "q", "answer": "polls", "position": 2, "holders": ["r", "s"] },
          { "requests": { "host": "*", "running": 1, "waiting": 0, "frozen": 0, "ended": 0, "open": 1, "opened": 1, "most": 1, "limitReached": 0, "threads": 1, "idleThreads": 2, "threadsMade": 3, "mostThreads": 4 }, "at": "500ms" },
          { "never": { "request": "s", "outcome": "lost" } }
        ]
      }

      """)
}
