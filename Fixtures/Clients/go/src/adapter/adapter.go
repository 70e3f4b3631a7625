// Package adapter implements the backend protocol in real time for clients under test.
package adapter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// maximumMessages limits the messages of a call that wait for the client.
const maximumMessages = 1000

// A Client makes calls.
type Client interface {
	// Make makes a call, and returns when the call has ended.
	Make(ctx context.Context, call *Call) error
}

// A Call is a call of the user.
type Call struct {
	ID, Host, Kind string
	// Deadline is an instant in microseconds, or nil.
	Deadline *int64
	// Takes is the time of the server's answer in microseconds, or nil for never.
	Takes *int64
	// Address is the address and port of the server.
	Address string `json:"-"`
	// Messages contains the messages of the user, and is closed after the last one.
	Messages chan []byte `json:"-"`

	cancel context.CancelFunc
}

// Sends returns whether the user sends messages after the start.
func (call *Call) Sends() bool { return call.Kind == "client-streaming" || call.Kind == "bidi" }

// Deliver reports a message of the server.
func (call *Call) Deliver() { report(map[string]any{"deliver": call.ID}) }

// An Error is the end of a call with a status that the client reports itself.
type Error struct{ Status, Message string }

func (failure *Error) Error() string { return failure.Message }

type command struct {
	Cmd      string
	Seq, Now int64
	Hosts    map[string]struct {
		Address string
		Port    int
	}
	Event struct {
		Call *Call
		Send *struct {
			Call  string
			Bytes int
		}
		Finish, Cancel string
	}
}

type run struct {
	client Client
	hosts  command
	calls  map[string]*Call
}

// Serve executes commands until `stop` or the end of the input.
func Serve(name string, client Client) {
	commands := json.NewDecoder(os.Stdin)
	current := run{client: client, calls: map[string]*Call{}}
	for {
		var next command
		if commands.Decode(&next) != nil || next.Cmd == "stop" {
			return
		}
		if next.Cmd == "start" {
			write(map[string]any{"version": 1, "name": name, "role": "client", "time": "real",
				"capabilities": []string{"streaming"}})
			continue
		}
		if err := current.execute(&next); err != nil {
			write(map[string]any{"seq": next.Seq, "error": err.Error()})
		} else {
			write(map[string]any{"seq": next.Seq, "out": []any{}})
		}
	}
}

func (run *run) execute(next *command) error {
	switch event := next.Event; {
	case next.Cmd == "open":
		run.hosts = *next
	case next.Cmd == "close":
		// The remaining calls end with the process.
	case event.Call != nil:
		run.start(event.Call, next.Now)
	case event.Send != nil:
		select {
		case run.calls[event.Send.Call].Messages <- make([]byte, event.Send.Bytes):
		default:
			return fmt.Errorf("more than %d messages wait", maximumMessages)
		}
	case event.Finish != "":
		close(run.calls[event.Finish].Messages)
	case event.Cancel != "":
		run.calls[event.Cancel].cancel()
	default:
		return errors.New("unknown action of the user")
	}
	return nil
}

func (run *run) start(call *Call, now int64) {
	ctx, cancel := context.WithCancel(context.Background())
	if call.Deadline != nil {
		left := time.Duration(*call.Deadline-now) * time.Microsecond
		ctx, cancel = context.WithTimeout(ctx, left)
	}
	call.cancel, call.Messages = cancel, make(chan []byte, maximumMessages)
	run.calls[call.ID] = call
	place, isKnown := run.hosts.Hosts[call.Host]
	call.Address = fmt.Sprintf("%s:%d", place.Address, place.Port)
	go func() {
		defer cancel()
		// The scenario can name a host without a server.
		err := errors.New("there is no such host")
		if isKnown {
			err = run.client.Make(ctx, call)
		}
		status, message := statusOf(ctx, err)
		report(map[string]any{"ended": map[string]string{
			"call": call.ID, "status": status, "message": message}})
	}()
}

func statusOf(ctx context.Context, err error) (string, string) {
	var known *Error
	switch {
	case err == nil:
		return "OK", ""
	case errors.As(err, &known):
		return known.Status, known.Message
	case ctx.Err() == context.DeadlineExceeded:
		return "DEADLINE_EXCEEDED", err.Error()
	case ctx.Err() == context.Canceled:
		return "CANCELLED", err.Error()
	}
	return "UNAVAILABLE", err.Error()
}

func report(event map[string]any) { write(map[string]any{"out": []any{event}}) }

var output sync.Mutex

// write writes a line. A failed write means that Handover has ended, so the client ends too.
func write(line map[string]any) {
	output.Lock()
	defer output.Unlock()
	if json.NewEncoder(os.Stdout).Encode(line) != nil {
		os.Exit(1)
	}
}
