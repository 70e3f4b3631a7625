import HandoverCore

extension DiagnosticCode {
  // long: a row for each code
  /// The meaning of the code, an example and a fix, as `handover explain` prints them.
  package var explanation: TermExplanation {
    switch self {
    case .fileTooLarge:
      TermExplanation(
        "The file is longer than 16 MiB.",
        example: "a generated file with millions of entries",
        fix: "Split the file into several scenarios.")
    case .emptyFile:
      TermExplanation(
        "The file is empty, or contains only white space.",
        example: "a file of zero bytes",
        fix: "Write one JSON object that begins with { and ends with }.")
    case .byteOrderMark:
      TermExplanation(
        "The file begins with a byte order mark.",
        example: #"a file that an editor saved as "UTF-8 with BOM""#,
        fix: "Save the file as UTF-8 without a byte order mark.")
    case .invalidUTF8:
      TermExplanation(
        "The file is not UTF-8.",
        example: "an é that was saved in Latin-1",
        fix: "Save the file as UTF-8.")
    case .nulByte:
      TermExplanation(
        "The file contains a NUL byte.",
        example: "a file in UTF-16",
        fix: "Save the file as UTF-8.")
    case .controlCharacter:
      TermExplanation(
        "A string contains a control character or a line break that is not escaped.",
        example: "a title that continues on the next line",
        fix: #"Write the line break as \n, or remove it."#)
    case .truncated:
      TermExplanation(
        "The file ends before its value is complete.",
        example: #"{ "format": 1, "id": "a""#,
        fix: "Complete the value, and close its brackets.")
    case .unexpectedCharacter:
      TermExplanation(
        "A character appears where JSON does not allow it.",
        example: "{ 'id': 1 }",
        fix:
          "Use straight double quotes, and look for a missing quote or bracket before this place.")
    case .invalidLiteral:
      TermExplanation(
        "A bare word is not true, false or null.",
        example: #""failFast": True"#,
        fix: "Write true, false or null, or put the word in double quotes.")
    case .invalidNumber:
      TermExplanation(
        "A number does not follow the notation of JSON.",
        example: #""seed": 007"#,
        fix: "Write decimal digits, such as 7, -1 or 0.5.")
    case .invalidEscape:
      TermExplanation(
        "A backslash begins an unknown escape sequence.",
        example: #""title": "a\q""#,
        fix: #"Write \\ for a backslash."#)
    case .loneSurrogate:
      TermExplanation(
        "An escape is one half of a surrogate pair.",
        example: #""title": "\ud83d""#,
        fix: #"Write the character itself, or both halves, as in \ud83d\ude00."#)
    case .missingComma:
      TermExplanation(
        "A comma is missing between two values.",
        example: #"[ "sockets" "cfstream" ]"#,
        fix: "Write a comma between the two values.")
    case .missingColon:
      TermExplanation(
        "A key is not followed by a colon.",
        example: #"{ "format" 1 }"#,
        fix: "Write a colon after the key.")
    case .keyNotText:
      TermExplanation(
        "A key is not in double quotes.",
        example: "{ format: 1 }",
        fix: #"Put the key in double quotes: { "format": 1 }."#)
    case .trailingComma:
      TermExplanation(
        "A comma follows the last value of an array or object.",
        example: #"[ "sockets", ]"#,
        fix: "Remove the comma.")
    case .trailingText:
      TermExplanation(
        "The file continues after the end of its value.",
        example: #"{ "format": 1 } }"#,
        fix: "Remove the rest, or the closing bracket that is too early.")
    case .jsonComment:
      TermExplanation(
        "The file contains a comment, which JSON does not allow.",
        example: #""seed": 7 // my seed"#,
        fix: #"Write a key "comment", such as "comment": "my seed"."#)
    case .tooDeep:
      TermExplanation(
        "Arrays and objects are nested more than 64 levels deep.",
        example: "[[[[[[ and so on",
        fix: "Close the open brackets. A scenario needs fewer than ten levels.")
    case .duplicateKey:
      TermExplanation(
        "A key occurs twice in one object.",
        example: #"{ "id": "a", "id": "b" }"#,
        fix: "Remove one of the two keys.")
    case .unknownKey:
      TermExplanation(
        "An object has a key that the format does not define.",
        example: #"{ "call": { "dedline": "5s" } }"#,
        fix: "Correct the spelling. A remark needs a key that begins with x-.")
    case .missingKey:
      TermExplanation(
        "A required key is missing.",
        example: #"a scenario without "id""#,
        fix: "Add the key.")
    case .keyOutOfPlace:
      TermExplanation(
        "This key has no effect here: a key it depends on is missing, or a key it conflicts with "
          + "is present.",
        example: #""burst" in a quality without "loss""#,
        fix: "Remove the key, or add the key that it requires.")
    case .wrongType:
      TermExplanation(
        "A value has the wrong type.",
        example: #""seed": "seven""#,
        fix: #"Write a value of the type that the message names, such as "seed": 7."#)
    case .unknownKeyword:
      TermExplanation(
        "A string is not one of the keywords that are allowed here.",
        example: #""app": "backgruond""#,
        fix: #"Write one of the keywords that the message lists, such as "background"."#)
    case .emptyText:
      TermExplanation(
        "A name is empty.",
        example: #"{ "call": { "id": "" } }"#,
        fix: "Write at least one character.")
    case .emptyList:
      TermExplanation(
        "A list that must not be empty is empty.",
        example: #""profiles": []"#,
        fix: "Add an element, or remove the key.")
    case .textTooLong:
      TermExplanation(
        "A string is longer than its limit.",
        example: "a name of more than 200 bytes",
        fix: "Shorten the string.")
    case .unprintableText:
      TermExplanation(
        "A name contains a line break or another control character.",
        example: #""id": "a\tb""#,
        fix: "Write the name on one line, without tabs and control characters.")
    case .notAnInteger:
      TermExplanation(
        "A number has a decimal point or an exponent, and an integer is required.",
        example: #""seed": 1.5"#,
        fix: #"Write an integer, such as "seed": 1."#)
    case .numberOutOfRange:
      TermExplanation(
        "A number is outside the allowed range.",
        example: #""jitter": 2"#,
        fix: "Write a number in the range that the message names.")
    case .tooManyDecimals:
      TermExplanation(
        "A number has more than three decimals.",
        example: #""jitter": 0.12345"#,
        fix: "Round the number to three decimals: 0.123.")
    case .tooManyProblems:
      TermExplanation(
        "The file has more errors than one check reports.",
        example: "a file with more than 1,000 errors",
        fix: "Fix the reported errors, and check the file again.")
    case .invalidTime:
      TermExplanation(
        "A string is not a time.",
        example: #""at": "soon""#,
        fix: #"Write a time such as "250ms", "1.5s", "2min" or "1h"."#)
    case .timeWithoutUnit:
      TermExplanation(
        "A time has no unit.",
        example: #""at": 5"#,
        fix: #"Add the unit: "at": "5s"."#)
    case .unknownTimeUnit:
      TermExplanation(
        "A time has an unknown unit.",
        example: #""at": "5 sec""#,
        fix: #"Write us, ms, s, min or h directly after the number: "at": "5s"."#)
    case .timeDecimals:
      TermExplanation(
        "A time has more than three decimals.",
        example: #""at": "1.2345s""#,
        fix: #"Use a smaller unit: "at": "1234.5ms"."#)
    case .timeTooFine:
      TermExplanation(
        "A time is not a whole number of microseconds.",
        example: #""at": "1.5us""#,
        fix: "Round the time to microseconds.")
    case .timeOutOfRange:
      TermExplanation(
        "A time is longer than a million hours.",
        example: #""at": "2000000h""#,
        fix: "Write a shorter time.")
    case .negativeTime:
      TermExplanation(
        "A time is negative.",
        example: #""at": "-1s""#,
        fix: "Write a time of zero or more.")
    case .timeNotPositive:
      TermExplanation(
        "A time is zero, and a longer time is required.",
        example: #""keepalive": { "time": "0s" }"#,
        fix: #"Write a time such as "1s", or remove the key."#)
    case .relativeTime:
      TermExplanation(
        "A relative time appears outside the timeline.",
        example: #""idle": "+30s""#,
        fix: #"Remove the +. Relative times are allowed only as "at" of an entry."#)
    case .timeBackwards:
      TermExplanation(
        "A time is earlier than the time before it.",
        example: "an entry at 1s after an entry at 2s",
        fix: #"Sort the entries by time, or write a relative time such as "+1s"."#)
    case .unsupportedFormat:
      TermExplanation(
        "The file has an unknown format version.",
        example: #""format": 2"#,
        fix: #"Write "format": 1."#)
    case .invalidID:
      TermExplanation(
        "The scenario's id is not a valid id.",
        example: #""id": "my scenario""#,
        fix: #"Write names of letters, digits, - . and _, separated by /: "stalls/my-scenario"."#)
    case .unknownProfile:
      TermExplanation(
        "A profile has an unknown name.",
        example: #""profiles": ["sockets-moniter"]"#,
        fix: "Write one of the names that `handover profiles` lists.")
    case .duplicateProfile:
      TermExplanation(
        "A profile is named twice.",
        example: #""profiles": ["sockets", "sockets"]"#,
        fix: "Remove one of the two.")
    case .noMonitor:
      TermExplanation(
        "The scenario uses the connectivity monitor, and none of its profiles has one.",
        example: #"a "monitor" entry with "profiles": ["sockets"]"#,
        fix: #"Add a profile with a monitor, such as "sockets-monitor"."#)
    case .noQUIC:
      TermExplanation(
        "The scenario configures QUIC, and none of its profiles uses QUIC.",
        example: #""quic" in "config" with "profiles": ["sockets"]"#,
        fix: #"Add a profile such as "quic", or remove the key."#)
    case .tooManySources:
      TermExplanation(
        "The scenario has more than \(ScenarioLimits.sources) sources.",
        example: "a generated list of sources",
        fix: "Keep only the requirements that the scenario verifies.")
    case .duplicateRank:
      TermExplanation(
        #""order" names an element twice."#,
        example: #""order": ["deadlines", "deadlines"]"#,
        fix: "Remove one of the two.")
    case .unknownFlag:
      TermExplanation(
        "A reachability flag has an unknown name.",
        example: #""flags": ["Reachible"]"#,
        fix: #"Write "Reachable" or "IsWWAN", or another flag of the format."#)
    case .duplicateFlag:
      TermExplanation(
        "A flag is named twice.",
        example: #""flags": ["Reachable", "Reachable"]"#,
        fix: "Remove one of the two.")
    case .invalidFlagsText:
      TermExplanation(
        "A string is not the nine characters of flags in a device log.",
        example: #""flags": "WiFi""#,
        fix:
          #"Write a list of names, such as ["Reachable"], or nine characters, such as "-R "#
          + #"-------"."#
      )
    case .invalidAddress:
      TermExplanation(
        "A string is not a valid IPv4 or IPv6 address.",
        example: #""addresses": ["192.0.2.256"]"#,
        fix: #"Write an address such as "192.0.2.7" or "2001:db8::7"."#)
    case .unknownAddress:
      TermExplanation(
        "The host does not have this address.",
        example: #""address": "192.0.2.8" of a host with 192.0.2.7"#,
        fix: #"Write an address from "addresses" of the host, or add this address there."#)
    case .duplicateAddress:
      TermExplanation(
        "A list contains an address twice.",
        example: #""addresses": ["2001:db8::7", "2001:DB8:0::7"]"#,
        fix: "Remove one of the two. Their spelling may differ.")
    case .tooManyAddresses:
      TermExplanation(
        "A host has more than \(ScenarioLimits.addresses) addresses.",
        example: "a generated list of addresses",
        fix: "Keep the addresses that are tried first.")
    case .unknownNetwork:
      TermExplanation(
        #""networks" does not declare this network."#,
        example: #""network": { "id": "hom", "become": "up" }"#,
        fix: #"Correct the spelling, or declare the network in "networks"."#)
    case .severalDefaults:
      TermExplanation(
        "Two networks are the default network at the start.",
        example: #"two networks with "state": "default""#,
        fix: #"Write "state": "up" in one of the two."#)
    case .networkNotUp:
      TermExplanation(
        "An entry needs a network that is up, and the network is down.",
        example: #""become": "default" of a network that is down"#,
        fix: #"Add an earlier entry with "become": "up"."#)
    case .networkUnchanged:
      TermExplanation(
        "An entry sets a network to the state that it already has.",
        example: #""become": "up" of a network that is up"#,
        fix: #"Remove the entry. For a callback without a change, write "flags" alone."#)
    case .noSuccessor:
      TermExplanation(
        "The default network cannot linger, because no other network has become the default.",
        example: #""become": "losing" of the only network"#,
        fix: #"Make another network the default first, or write "become": "down"."#)
    case .periodTooShort:
      TermExplanation(
        "A periodic outage is as long as its period, so that the uplink is never up.",
        example: #""uplink": "down", "for": "5s", "every": "5s""#,
        fix: #"Write a longer "every"."#)
    case .invalidQuality:
      TermExplanation(
        "A percentage or a rate of a network's quality is not valid.",
        example: #""loss": "101%""#,
        fix: #"Write a percentage such as "1%", or a rate such as "2.5Mbit"."#)
    case .burstTooShort:
      TermExplanation(
        "The loss is too high for this burst length.",
        example: #""loss": "90%", "burst": 1"#,
        fix: #"Write a longer "burst", or a smaller "loss"."#)
    case .invalidTrace:
      TermExplanation(
        "A trace file cannot be read, or is not valid.",
        example: "a trace in which a time is earlier than the one before",
        fix: "Write a time in whole milliseconds on each line, in ascending order.")
    case .deviceAsleep:
      TermExplanation(
        "The device sleeps and must be awake for this entry, or the reverse.",
        example: #""app": "background" while the device sleeps"#,
        fix: #"Add an earlier entry with "device": "wake"."#)
    case .unnamedFlagBits:
      TermExplanation(
        "A number sets flag bits that no flag has.",
        example: #""flags": 66"#,
        fix: #"Remove these bits, because they have no effect: "flags": 2."#)
    case .unknownHost:
      TermExplanation(
        "A host is not declared.",
        example: #"a call to "api.exampel" without this host in "hosts""#,
        fix: #"Correct the spelling, or add the host to "hosts"."#)
    case .duplicateHost:
      TermExplanation(
        "Two declared hosts are the same host (P1).",
        example: #""https://api.example/v1" and "api.example:443""#,
        fix: "Declare the host once. Calls may use either spelling.")
    case .unusableHost:
      TermExplanation(
        "No channel can be created for a declared host (C13).",
        example: #""api.example:99999", which is not a valid port"#,
        fix: "Write NAME:PORT, unless the scenario tests this case.")
    case .tooManyHosts:
      TermExplanation(
        "The scenario has more than \(ScenarioLimits.hosts) hosts.",
        example: "a generated list of hosts",
        fix: "Declare only hosts that calls use.")
    case .unknownPath:
      TermExplanation(
        "No network has this path name at this time.",
        example: #""links": { "wiffi": "up" }"#,
        fix: "Correct the spelling, or write the name of an earlier path.")
    case .tooManyPaths:
      TermExplanation(
        "The scenario has more than \(Script.maximumPathCount) paths.",
        example: "a device that changes its path in each of 100 entries",
        fix: "Reuse the names of earlier paths.")
    case .missingAction:
      TermExplanation(
        "An entry does nothing.",
        example: #"{ "at": "1s" }"#,
        fix: #"Add an action such as "flags", "call" or "server"."#)
    case .severalActions:
      TermExplanation(
        "An entry does more than one thing.",
        example: #"{ "at": "1s", "flags": [], "cancel": "a" }"#,
        fix: "Write a separate entry for each. Both entries may have the same time.")
    case .inBackground:
      TermExplanation(
        "The application acts while it is suspended.",
        example: #"a call at 2s after "app": "background" at 1s"#,
        fix: #"Move the entry, or write "app": "background-running"."#)
    case .entryAfterUntil:
      TermExplanation(
        "Entries are later than the end of the run.",
        example: #"an entry at 5s with "until": "1s""#,
        fix: #"Increase "until" in "config", or remove the entries."#)
    case .tooManyEntries:
      TermExplanation(
        "The timeline has more than \(ScenarioLimits.entries) entries.",
        example: "a generated timeline",
        fix: "Split the scenario into several.")
    case .unknownCall:
      TermExplanation(
        "No call, request or question has this id.",
        example: #""cancel": "b" without a call "b""#,
        fix: "Correct the spelling, or add the call to the timeline.")
    case .duplicateCall:
      TermExplanation(
        "Two calls or requests have the same id, or two questions.",
        example: #"two calls with "id": "a""#,
        fix: "Give each a different id.")
    case .callNotStarted:
      TermExplanation(
        "An entry names a call or request before it starts.",
        example: #""cancel": "a" at 1s, and the call "a" at 2s"#,
        fix: "Move the entry after the start of the call.")
    case .callStartsTwice:
      TermExplanation(
        "A call starts a second time.",
        example: #""start": "a" for a call that starts by itself"#,
        fix: #"Remove the entry, or add "starts": false to the call."#)
    case .callSendsNothing:
      TermExplanation(
        "An entry sends a message on a call that sends none.",
        example: #""send" on a call of "kind": "unary""#,
        fix: #"Write "kind": "client-streaming" or "bidi" in the call, or remove the entry."#)
    case .tooManyCalls:
      TermExplanation(
        "The scenario has more calls, requests, questions or channels than the format allows.",
        example: "a generated scenario with 100,000 calls",
        fix: "Split the scenario into several.")
    case .unknownInterceptor:
      TermExplanation(
        "An interceptor has an unknown name.",
        example: #""chain": { "links": ["later"] } without this interceptor"#,
        fix: #"Correct the spelling, or add the interceptor to "interceptors" in "config"."#)
    case .duplicateInterceptor:
      TermExplanation(
        "Two interceptors have the same name, or two are global.",
        example: #"two interceptors of the kind "logging" without "name""#,
        fix: #"Give each interceptor a different "name"."#)
    case .interceptorNotScripted:
      TermExplanation(
        "The timeline controls an interceptor that it cannot control.",
        example: #""interceptor": { "name": "logging", "do": "hold" }"#,
        fix: #"Write "kind": "gate" in the interceptor, or remove the entry."#)
    case .tooManyLinks:
      TermExplanation(
        "The scenario has more than \(ScenarioLimits.links) interceptors.",
        example: "a generated list of interceptors",
        fix: "Remove interceptors that the scenario does not need.")
    case .tooManyHeaders:
      TermExplanation(
        "A list of headers, trailers, messages or keywords is too long.",
        example: #""metadata" with 101 headers"#,
        fix: "Remove elements.")
    case .tooManyBytes:
      TermExplanation(
        "The messages that pass interceptors have more than 16 MiB in total.",
        example: "many messages of 1 MiB through a chain",
        fix: "Write shorter messages.")
    case .wrongProfile:
      TermExplanation(
        "The entry is for calls, and a profile makes requests, or the reverse.",
        example: #"a "call" with the profile "url-loading""#,
        fix: #"Change "profiles", or write a separate scenario."#)
    case .noDispatcher:
      TermExplanation(
        "The scenario uses the dispatcher, and none of its profiles has one.",
        example: #"a "dispatcher" entry with "profiles": ["url-loading"]"#,
        fix: #"Add "url-dispatcher" to "profiles"."#)
    case .noThreads:
      TermExplanation(
        "The scenario expects something of threads, and the run has no thread pool.",
        example: #""requests": { "threads": 4 } as an expectation"#,
        fix: #"Add "requests": { "threads": {} } to "config"."#)
    case .longAboveTotal:
      TermExplanation(
        "The limit for long requests is greater than the total limit.",
        example: #""requests": { "total": 4, "long": 5 }"#,
        fix: #"Write a smaller "long", or increase "total"."#)
    case .tooManyPools:
      TermExplanation(
        "The scenario has more than \(Script.maximumPoolCount) pools.",
        example: #"a different "pool" for each of 17 requests"#,
        fix: "Reuse the names of pools.")
    case .missingSubject:
      TermExplanation(
        "An expectation has no subject.",
        example: #"{ "status": "OK" }"#,
        fix: #"Add a subject: { "call": "a", "status": "OK" }."#)
    case .severalSubjects:
      TermExplanation(
        "An expectation has more than one subject.",
        example: #"{ "call": "a", "channels": { "alive": 1 } }"#,
        fix: "Write a separate expectation for each.")
    case .severalTimes:
      TermExplanation(
        "An expectation has more than one time.",
        example: #""at": "1s", "before": "2s""#,
        fix: "Keep only one of the times.")
    case .nothingExpected:
      TermExplanation(
        "An expectation does not state what is expected.",
        example: #"{ "channels": { "host": "*" } }"#,
        fix: #"Add what is expected: { "channels": { "host": "*", "alive": 0 } }."#)
    case .unknownStatus:
      TermExplanation(
        "A status code has an unknown name.",
        example: #""status": "UNAVAILABEL""#,
        fix: #"Write the name of a gRPC status, such as "UNAVAILABLE"."#)
    case .unknownState:
      TermExplanation(
        "A channel state has an unknown name.",
        example: #""state": "REDY""#,
        fix: "Write IDLE, CONNECTING, READY, TRANSIENT_FAILURE or SHUTDOWN.")
    case .profileNotInScenario:
      TermExplanation(
        "An expectation names a profile that the scenario does not name.",
        example: #""profiles": ["cfstream"] in an expectation of a scenario for "sockets""#,
        fix: #"Add the profile to the scenario's "profiles", or remove it here."#)
    case .unknownItem:
      TermExplanation(
        "An expectation shows a requirement that is not in the scenario's sources.",
        example: #""shows": ["D8b"] without D8b in "source""#,
        fix: #"Add the requirement to "source", or correct the spelling."#)
    case .duplicateItem:
      TermExplanation(
        "An expectation names a requirement twice.",
        example: #""shows": ["D8a", "D8a"]"#,
        fix: "Remove one of the two.")
    case .expectationAfterUntil:
      TermExplanation(
        "An expectation is later than the end of the run and is never evaluated.",
        example: #""at": "5s" with "until": "1s""#,
        fix: #"Increase "until" in "config", or write an earlier time."#)
    case .tooManyExpectations:
      TermExplanation(
        "The scenario has more than \(ScenarioLimits.expectations) expectations, or an \"anyOf\" "
          + "has too many objects.",
        example: "a generated list of expectations",
        fix: "Split the scenario into several.")
    }
  }

  /// The meaning of the code, in one or two sentences.
  public var meaning: String { explanation.meaning }
}
