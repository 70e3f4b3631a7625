extension BackendTemplates {
  /// The template for Go 1.18 and later, which uses only the standard library.
  static let go = #"""
    // A backend for Handover with a toy client.
    //
    // The loop at the end implements the protocol, and can stay as it is. Replace the toy client by
    // your client, one TODO at a time. Declare a capability as soon as your client has it.
    //
    // Your client runs in virtual time here, without sockets. If it keeps its own sockets, begin with
    // `handover backend new --real-time`. For an unmodified program, use `handover try -- PROGRAM`.
    //
    //	go build -o my_backend my_backend.go
    package main

    import (
    	"bufio"
    	"encoding/json"
    	"fmt"
    	"io"
    	"log"
    	"os"
    )

    // TODO: the name of your client in reports.
    const name = "my-client"

    // TODO: streaming, background, tokens, keepalive, options, channels, monitor, batch.
    var capabilities = []string{}

    // TODO: the profiles that your client follows.
    var profiles = []string{"sockets-monitor"}

    type object = map[string]any

    // A command of the harness; other members are ignored.
    type command struct {
    	Cmd     string                     `json:"cmd"`
    	Seq     *int64                     `json:"seq"`
    	Now     int64                      `json:"now"`
    	Event   map[string]json.RawMessage `json:"event"`
    	Config  json.RawMessage            `json:"config"`
    	Initial struct {
    		Flags   []any  `json:"flags"`
    		Monitor string `json:"monitor"`
    	} `json:"initial"`
    }

    type call struct {
    	ID         string `json:"id"`
    	Host       string `json:"host"`
    	Deadline   *int64 `json:"deadline"`
    	connection int64
    }

    // The data of an event about a connection or a call.
    type about struct {
    	Connection int64  `json:"connection"`
    	Call       string `json:"call"`
    	Status     string `json:"status"`
    	Message    any    `json:"message"`
    }

    // A toy client with one connection per call. out receives its effects, in order.
    type client struct {
    	out            []object
    	now            int64
    	calls          []call
    	lastConnection int64
    	category       string
    }

    func newClient(c command) *client {
    	// TODO: create your client. c.Config has the backoff, idle, the keepalive and the seed.
    	if c.Initial.Monitor == "unreadable" {
    		return &client{category: "Unknown"}
    	}
    	return &client{category: categoryOf(c.Initial.Flags)}
    }

    // event handles an event.
    func (c *client) event(event map[string]json.RawMessage) error {
    	for what, raw := range event {
    		switch what {
    		case "flags":
    			// TODO: pass the flags to your client's monitor.
    			var flags []any
    			if err := json.Unmarshal(raw, &flags); err != nil {
    				return err
    			}
    			before := c.category
    			c.category = categoryOf(flags)
    			if before != c.category {
    				c.endAll("UNAVAILABLE", "Connectivity lost.")
    			}
    			return nil
    		case "call":
    			// TODO: start a call. Your client may already have a channel for the host, and may
    			// have to wait for a backoff.
    			var started call
    			if err := json.Unmarshal(raw, &started); err != nil {
    				return err
    			}
    			c.lastConnection++
    			started.connection = c.lastConnection
    			c.calls = append(c.calls, started)
    			c.send("connect", object{"connection": c.lastConnection, "host": started.Host})
    			return nil
    		case "cancel", "disconnect":
    			var subject string
    			if err := json.Unmarshal(raw, &subject); err != nil {
    				return err
    			}
    			if what == "cancel" {
    				c.end(subject, "CANCELLED", "Canceled by app", true)
    				return nil
    			}
    			// TODO: disconnect the channels of the host.
    			for _, one := range c.unfinished() {
    				if subject == "*" || subject == one.Host {
    					c.end(one.ID, "UNAVAILABLE", "Channel disconnected.", true)
    				}
    			}
    			return nil
    		case "connected", "connectFailed", "broken", "draining", "received":
    			var it about
    			if err := json.Unmarshal(raw, &it); err != nil {
    				return err
    			}
    			c.receive(what, it)
    			return nil
    		}
    	}
    	return fmt.Errorf("there is no such event")
    }

    // receive handles an event of the network.
    func (c *client) receive(what string, it about) {
    	if what == "received" {
    		if it.Status != "" {
    			c.end(it.Call, it.Status, "", true)
    		}
    		return
    	}
    	for _, one := range c.unfinished() {
    		if one.connection != it.Connection {
    			continue
    		}
    		switch what {
    		case "connected":
    			c.send("send", object{"connection": one.connection, "call": one.ID})
    			c.send("finish", object{"connection": one.connection, "call": one.ID})
    		case "connectFailed", "broken":
    			// TODO: notify your transport. The toy client ends the call, and does not close the
    			// lost connection.
    			if it.Status == "" {
    				it.Status = "UNAVAILABLE"
    			}
    			c.end(one.ID, it.Status, fmt.Sprint(it.Message), false)
    		case "draining":
    			// TODO: start no new calls on this connection. The toy client never does.
    		}
    	}
    }

    // advance handles the deadlines that have passed.
    func (c *client) advance() {
    	// TODO: abandon attempts, end backoffs, destroy unused channels.
    	for _, one := range c.unfinished() {
    		if one.Deadline != nil && *one.Deadline <= c.now {
    			c.end(one.ID, "DEADLINE_EXCEEDED", "Deadline Exceeded", true)
    		}
    	}
    }

    // deadline returns the time of the next deadline, or nil.
    func (c *client) deadline() *int64 {
    	// TODO: the earliest of all your client's timers.
    	var earliest *int64
    	for place := range c.calls {
    		deadline := c.calls[place].Deadline
    		if deadline != nil && (earliest == nil || *deadline < *earliest) {
    			earliest = deadline
    		}
    	}
    	return earliest
    }

    func (c *client) endAll(status, message string) {
    	for _, one := range c.unfinished() {
    		c.end(one.ID, status, message, true)
    	}
    }

    // end ends a call, unless it has already ended.
    func (c *client) end(id, status, message string, closes bool) {
    	for place, one := range c.calls {
    		if one.ID != id {
    			continue
    		}
    		c.calls = append(c.calls[:place], c.calls[place+1:]...)
    		if closes {
    			c.send("close", object{"connection": one.connection})
    		}
    		c.send("ended", object{"call": id, "status": status, "message": message})
    		return
    	}
    }

    // unfinished returns a copy, because calls can end during an iteration.
    func (c *client) unfinished() []call {
    	return append([]call(nil), c.calls...)
    }

    func (c *client) send(what string, how object) {
    	c.out = append(c.out, object{what: how})
    }

    func categoryOf(flags []any) string {
    	has := map[any]bool{}
    	for _, flag := range flags {
    		has[flag] = true
    	}
    	switch {
    	case !has["Reachable"] || has["ConnectionRequired"]:
    		return "None"
    	case has["IsWWAN"]:
    		return "Cellular"
    	default:
    		return "WiFi"
    	}
    }

    // main is the loop of the protocol: one command per line, and one answer to each. Nothing else may
    // be printed to standard output; the log package writes to standard error.
    func main() {
    	commands := bufio.NewReader(os.Stdin)
    	var run *client
    	for {
    		line, err := commands.ReadBytes('\n')
    		if err == io.EOF {
    			return
    		}
    		if err != nil {
    			log.Fatal(err)
    		}
    		var c command
    		if err := json.Unmarshal(line, &c); err != nil {
    			log.Fatal(err)
    		}
    		if c.Cmd == "stop" {
    			return
    		}
    		if c.Cmd == "open" {
    			run = newClient(c)
    		}
    		answer := answerTo(c, run)
    		if c.Seq != nil {
    			answer["seq"] = *c.Seq
    		}
    		bytes, err := json.Marshal(answer)
    		if err != nil {
    			log.Fatal(err)
    		}
    		if _, err := os.Stdout.Write(append(bytes, '\n')); err != nil {
    			log.Fatal(err)
    		}
    	}
    }

    func answerTo(c command, run *client) object {
    	if c.Cmd == "start" {
    		return object{
    			"version": 1, "name": name, "role": "client", "time": "virtual",
    			"capabilities": capabilities, "profiles": profiles,
    		}
    	}
    	if run == nil {
    		return object{"error": fmt.Sprintf("there is no command %q, or no run is open", c.Cmd)}
    	}
    	run.out = []object{}
    	run.now = c.Now
    	switch c.Cmd {
    	case "open":
    	case "event":
    		if err := run.event(c.Event); err != nil {
    			return object{"error": err.Error()}
    		}
    	case "advance":
    		run.advance()
    	case "close":
    		run.endAll("CANCELLED", "Client closed.")
    	default:
    		return object{"error": fmt.Sprintf("there is no command %q", c.Cmd)}
    	}
    	return object{"out": run.out, "deadline": run.deadline()}
    }

    """#
}
