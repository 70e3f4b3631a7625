/// The templates of backends, each a single file that `handover backend check` accepts.
///
/// They contain the loop of the protocol and a toy client, with marks at the places for a real
/// client.
enum BackendTemplates {
  /// The template for Python 3.9 and later, which uses only the standard library.
  static let python = #"""
    #!/usr/bin/env python3
    """A backend for Handover with a toy client.

    The loop at the end implements the protocol, and can stay as it is. Replace the toy client by
    your client, one TODO at a time. Declare a capability as soon as your client has it.

    Your client runs in virtual time here, without sockets. If it keeps its own sockets, begin with
    `handover backend new --real-time`. For an unmodified program, use `handover try -- PROGRAM`.
    """

    import json
    import os
    import sys

    # TODO: the name of your client in reports.
    NAME = "my-client"
    # TODO: streaming, background, tokens, keepalive, options, channels, monitor, batch.
    CAPABILITIES = []
    # TODO: the profiles that your client follows.
    PROFILES = ["sockets-monitor"]


    class Client:
        """A toy client with one connection per call. `out` receives its effects, in order."""

        def __init__(self, config, initial):
            # TODO: create your client. `config` has the backoff, `idle`, the keepalive and the seed.
            self.out = []
            self.now = 0
            self.calls = {}
            self.last_connection = 0
            is_readable = initial.get("monitor") != "unreadable"
            self.category = category(initial["flags"]) if is_readable else "Unknown"

        def event(self, event):
            """Handles an event; returns False if it is unknown."""
            if "flags" in event:
                # TODO: pass the flags to your client's monitor.
                before, self.category = self.category, category(event["flags"])
                if before != self.category:
                    self.end_all("UNAVAILABLE", "Connectivity lost.")
            elif "call" in event:
                # TODO: start a call. Your client may already have a channel for the host, and may have
                # to wait for a backoff.
                call = event["call"]
                self.last_connection += 1
                self.calls[call["id"]] = dict(call, connection=self.last_connection)
                self.send("connect", connection=self.last_connection, host=call["host"])
            elif "cancel" in event:
                self.end(event["cancel"], "CANCELLED", "Canceled by app")
            elif "connected" in event:
                for id in self.calls_on(event["connected"]["connection"]):
                    connection = self.calls[id]["connection"]
                    self.send("send", connection=connection, call=id)
                    self.send("finish", connection=connection, call=id)
            elif "connectFailed" in event or "broken" in event:
                # TODO: notify your transport. The toy client ends the call, and does not close the
                # lost connection.
                failure = event.get("connectFailed") or event["broken"]
                for id in self.calls_on(failure["connection"]):
                    status = failure.get("status", "UNAVAILABLE")
                    self.end(id, status, failure["message"], closes=False)
            elif "received" in event:
                if "status" in event["received"]:
                    self.end(event["received"]["call"], event["received"]["status"], "")
            elif "disconnect" in event:
                # TODO: disconnect the channels of the host.
                for id, call in list(self.calls.items()):
                    if event["disconnect"] in ("*", call["host"]):
                        self.end(id, "UNAVAILABLE", "Channel disconnected.")
            elif "draining" in event:
                pass  # TODO: start no new calls on this connection. The toy client never does.
            else:
                return False
            return True

        def advance(self):
            """Handles the deadlines that have passed."""
            # TODO: abandon attempts, end backoffs, destroy unused channels.
            for id, call in list(self.calls.items()):
                if call["deadline"] is not None and call["deadline"] <= self.now:
                    self.end(id, "DEADLINE_EXCEEDED", "Deadline Exceeded")

        def deadline(self):
            """Returns the time of the next deadline, or None."""
            # TODO: the earliest of all your client's timers.
            return min((call["deadline"] for call in self.calls.values()
                        if call["deadline"] is not None), default=None)

        def end_all(self, status, message):
            for id in list(self.calls):
                self.end(id, status, message)

        def end(self, id, status, message, closes=True):
            """Ends a call, unless it has already ended."""
            call = self.calls.pop(id, None)
            if call is None:
                return
            if closes:
                self.send("close", connection=call["connection"])
            self.send("ended", call=id, status=status, message=message)

        def calls_on(self, connection):
            return [id for id, call in self.calls.items() if call["connection"] == connection]

        def send(self, what, **how):
            self.out.append({what: how})


    def category(flags):
        if "Reachable" not in flags or "ConnectionRequired" in flags:
            return "None"
        return "Cellular" if "IsWWAN" in flags else "WiFi"


    def serve():
        """The loop of the protocol: one command per line, and one answer to each."""
        # Only the protocol uses standard output. Everything that is printed goes to the log.
        answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        client = None
        for line in sys.stdin.buffer:
            command = json.loads(line)
            name, answer = command.get("cmd"), {}
            if "seq" in command:
                answer["seq"] = command["seq"]
            if name == "stop":
                return
            if name == "start":
                answer = {"version": 1, "name": NAME, "role": "client", "time": "virtual",
                          "capabilities": CAPABILITIES, "profiles": PROFILES}
            elif name == "open":
                client = Client(command["config"], command["initial"])
                answer.update(out=[], deadline=None)
            elif client is None or name not in ("event", "advance", "close"):
                answer["error"] = f"there is no command {name!r}, or no run is open"
            else:
                client.out, client.now, is_known = [], command["now"], True
                if name == "event":
                    is_known = client.event(command["event"])
                elif name == "advance":
                    client.advance()
                else:
                    client.end_all("CANCELLED", "Client closed.")
                if is_known:
                    answer.update(out=client.out, deadline=client.deadline())
                else:
                    answer["error"] = f"there is no event {', '.join(command['event'])}"
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


    if __name__ == "__main__":
        serve()

    """#
}
