import HandoverCore

// Definitions that several of the schemas share.
extension ProtocolSchemas {
  static func ref(_ name: String) -> String { "{ \"$ref\": \"#/definitions/\(name)\" }" }

  static func list(_ words: [String]) -> String {
    "[\(words.map { "\"\($0)\"" }.joined(separator: ", "))]"
  }

  static let connection = """
    {
      "description": "The backend's own number of a connection.",
      "type": "integer",
      "minimum": 0
    }
    """

  static let harnessConnection = """
    {
      "description": "The harness's number of a connection, from 1.",
      "type": "integer",
      "minimum": 1
    }
    """

  /// The members with which `open` starts, in every role.
  static var opening: String {
    """
    "cmd": { "const": "open" },
    "seq": \(ref("seq")),
    "now": { "const": 0 },
    "scenario": { "description": "The id of the scenario.", "type": "string" },
    "profile": { "description": "The name of the profile.", "type": "string" }
    """
  }

  /// Returns a command that has only its number and its instant.
  static func plain(_ command: String, _ description: String) -> String {
    """
    {
      "description": "\(description)",
      "type": "object",
      "required": ["cmd", "seq", "now"],
      "properties": {
        "cmd": { "const": "\(command)" },
        "seq": \(ref("seq")),
        "now": \(ref("instant"))
      }
    }
    """
  }

  static func event(_ description: String) -> String {
    """
    {
      "description": "\(description)",
      "type": "object",
      "required": ["cmd", "seq", "now", "event"],
      "properties": {
        "cmd": { "const": "event" },
        "seq": \(ref("seq")),
        "now": \(ref("instant")),
        "event": \(ref("fact"))
      }
    }
    """
  }

  /// Returns the schema of unsolicited lines of a backend in real time.
  static func reported(_ description: String, _ messages: [Schema]) -> String {
    Schema.object([
      "description": .text(description), "type": .text("object"), "required": .words(["out"]),
      "properties": .object([
        "out": .object([
          "type": .text("array"), "minItems": .plain("1"),
          "items": .object(["anyOf": .list(messages)]),
        ])
      ]),
      "not": .object([
        "anyOf": .list(
          ["seq", "skipped", "error"].map { .object(["required": .words([$0])]) })
      ]),
    ]).file
  }

  /// Returns the schema of the answer to `start`.
  static func hello(_ role: String, _ capabilities: String) -> String {
    #"""
    {
      "description": "The answer to start.",
      "type": "object",
      "required": ["version", "name", "role", "time"],
      "properties": {
        "version": { "description": "The version of the protocol.", "const": 1 },
        "name": {
          "description": "The name in reports: one line of at most 100 bytes.",
          "type": "string",
          "minLength": 1,
          "maxLength": 100,
          "pattern": "^[^\\u0000-\\u001f]*$"
        },
        "role": \#(role.replacing("{ ", with: "{ \"description\": \"The role of the backend.\", ")),
        "time": {
          "description": "The clock: that of the harness, or that of the kernel.",
          "enum": ["virtual", "real"]
        },
        "capabilities": {
          "description": "\#(capabilities)",
          "type": "array",
          "items": { "type": "string", "minLength": 1 },
          "uniqueItems": true
        },
        "profiles": {
          "description": "The supported profiles. Default: all profiles with calls.",
          "type": "array",
          "items": { "type": "string" }
        }
      }
    }
    """#
  }

  /// Definitions that several files have.
  static var sharedText: String {
    """
    {
      "start": {
        "description": "The first command, sent once.",
        "type": "object",
        "required": ["cmd", "version"],
        "properties": { "cmd": { "const": "start" }, "version": { "const": 1 } }
      },
      "advance": \(plain("advance", "Time has passed; deadlines may be due.")),
      "stop": {
        "description": "The backend exits with status 0 and sends no answer.",
        "type": "object",
        "required": ["cmd"],
        "properties": { "cmd": { "const": "stop" } }
      },
      \(sharedAnswers),
      \(sharedMembers)
    }
    """
  }

  private static var sharedAnswers: String {
    """
    "step": {
      "description": "The answer to a command or event: exactly one of out, skipped and error.",
      "type": "object",
      "required": ["seq"],
      "properties": { "seq": \(ref("seq")) },
      "oneOf": [\(ref("done")), \(ref("skipped")), \(ref("error"))]
    },
    "skipped": {
      "description": "The backend does not support this run.",
      "type": "object",
      "required": ["skipped"],
      "properties": {
        "skipped": { "description": "The reason.", "type": "string", "minLength": 1 }
      }
    },
    "error": {
      "description": "The backend cannot execute the command.",
      "type": "object",
      "required": ["error"],
      "properties": {
        "error": { "description": "The reason.", "type": "string", "minLength": 1 }
      }
    },
    "refusal": {
      "description": "The answer to a command without a number that cannot be executed.",
      "allOf": [
        \(ref("error")),
        {
          "not": {
            "anyOf": [
              { "required": ["seq"] },
              { "required": ["out"] },
              { "required": ["skipped"] }
            ]
          }
        }
      ]
    }
    """
  }

  private static var sharedMembers: String {
    """
    "flags": {
      "description": "The names of the flags that are set; bits without a name come last, as one \
    number.",
      "type": "array",
      "items": {
        "anyOf": [
          { "enum": \(list(ReachabilityFlags.names.map(\.name))) },
          { "type": "integer", "minimum": 1, "maximum": \(UInt32.max) }
        ]
      },
      "uniqueItems": true
    },
    "reason": {
      "description": "The reason why a connection was not established, or no longer exists.",
      "type": "string",
      "enum": \(list(ConnectionFailure.allCases.map(\.traceName)))
    },
    "seq": {
      "description": "The number of a command or event, one higher than that of the previous one.",
      "type": "integer",
      "minimum": 1
    },
    "instant": {
      "description": "Microseconds since the start of the run.",
      "type": "integer",
      "minimum": 0,
      "maximum": \(Int64.max)
    },
    "length": {
      "description": "A duration in microseconds.",
      "type": "integer",
      "minimum": 0,
      "maximum": \(Int64.max)
    },
    "callID": {
      "description": "The id of a call in the scenario.",
      "type": "string",
      "minLength": 1
    },
    "host": {
      "description": "A host as the harness writes it, with its port.",
      "type": "string",
      "minLength": 1
    },
    "options": {
      "description": "The options of a call that are part of its channel's key: strings, and \
    durations in microseconds.",
      "type": "object",
      "additionalProperties": { "type": ["string", "integer"] }
    },
    "status": {
      "description": "How a call ends.",
      "type": "string",
      "enum": \(list(StatusCode.allCases.map(\.name)))
    }
    """
  }
}
