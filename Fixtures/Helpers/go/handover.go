// Package handover changes the network under a program or a function in a Go test.
//
// A Lab is an emulated device. It is a client of `handover lab serve`, which must be in PATH, or
// named by the variable HANDOVER_COMMAND.
package handover

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	protocol = 1
	// A server of the caller may need a minute until it listens.
	answerTimeout = 2 * time.Minute
	// Longer than any answer of the protocol.
	maximumAnswer = 16 << 20
	period        = 100 * time.Millisecond
	clientName    = "HANDOVER_CLIENT"
)

// Options describes a lab. The zero value is a device on WiFi.
type Options struct {
	// Network is the first network: wifi, cellular or hotspot.
	Network string
	// Servers contains shell commands that start servers of yours in the lab.
	Servers []string
	// Conditions contains qualities of media, such as wifi:delay=80ms.
	Conditions []string
	// Until is the longest time of the lab, such as 2min. The default is 10min.
	Until string
}

func (options Options) arguments() []string {
	arguments := []string{"lab", "serve"}
	if options.Network != "" {
		arguments = append(arguments, "--network", options.Network)
	}
	for _, server := range options.Servers {
		arguments = append(arguments, "--server", server)
	}
	for _, condition := range options.Conditions {
		arguments = append(arguments, "--condition", condition)
	}
	if options.Until != "" {
		arguments = append(arguments, "--until", options.Until)
	}
	return arguments
}

// Microseconds is a time since the lab was made, or a length of time.
type Microseconds int64

// Duration returns the time as a duration.
func (time_ Microseconds) Duration() time.Duration {
	return time.Duration(time_) * time.Microsecond
}

// Connection is a connection of the programs in a lab.
type Connection struct {
	Name        string        `json:"name"`
	Opened      Microseconds  `json:"opened_us"`
	Closed      *Microseconds `json:"closed_us"`
	Answered    bool          `json:"answered"`
	Payloads    int           `json:"payloads"`
	LastPayload *Microseconds `json:"last_payload_us"`
}

// Outage is the time without application data after a network change.
type Outage struct {
	Since      Microseconds  `json:"since_us"`
	Unusable   Microseconds  `json:"unusable_us"`
	Recovers   *Microseconds `json:"recovers_us"`
	Delay      *Microseconds `json:"delay_us"`
	Attempts   int           `json:"attempts"`
	Watched    Microseconds  `json:"watched_us"`
	Doubt      string        `json:"doubt"`
	ProgramEnd string        `json:"program_end"`
}

// ProgramState is the state of a program. Status and Signal are nil while it is running.
type ProgramState struct {
	Running bool   `json:"running"`
	Status  *int   `json:"status"`
	Signal  *int   `json:"signal"`
	Output  string `json:"output"`
}

// Observation is what happened in a lab until now.
type Observation struct {
	At    Microseconds `json:"at_us"`
	Moves []struct {
		At   Microseconds `json:"at_us"`
		Text string       `json:"text"`
	} `json:"moves"`
	ConnectionCount int            `json:"connection_count"`
	Connections     []Connection   `json:"connections"`
	Outages         []Outage       `json:"outages"`
	Programs        []ProgramState `json:"programs"`
	Processes       int            `json:"processes"`
}

// Payloads returns how often application data arrived on the latest connections.
func (seen Observation) Payloads() int {
	count := 0
	for _, connection := range seen.Connections {
		count += connection.Payloads
	}
	return count
}

type answer struct {
	Version int    `json:"v"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
	Reason  string `json:"reason"`
	Program int    `json:"program"`
	line    []byte
}

// Lab is a device whose network a test changes step by step. Only one goroutine may use a lab.
type Lab struct {
	t       testing.TB
	command *exec.Cmd
	input   io.WriteCloser
	answers chan answer
	errors  tail
	last    *Observation
	ended   bool
}

// New makes a lab, which ends with the test.
//
// If this machine cannot make labs, the test is skipped with the reason. It fails instead if the
// variable HANDOVER_REQUIRE_LAB is 1. A report of the lab is logged if the test fails.
func New(t testing.TB, options Options) *Lab {
	t.Helper()
	name := os.Getenv("HANDOVER_COMMAND")
	if name == "" {
		name = "handover"
	}
	lab := &Lab{t: t, command: exec.Command(name, options.arguments()...)}
	lab.command.Stderr = &lab.errors
	input, err := lab.command.StdinPipe()
	lab.check(err)
	output, err := lab.command.StdoutPipe()
	lab.check(err)
	lab.check(lab.command.Start())
	lab.input, lab.answers = input, make(chan answer)
	done := make(chan struct{})
	go lab.read(output, done)
	t.Cleanup(func() { lab.close(done) })
	ready := lab.answer()
	if ready.Kind != "ready" || ready.Version != protocol {
		t.Fatalf("%s has another protocol: %s", name, ready.line)
	}
	return lab
}

func (lab *Lab) check(err error) {
	lab.t.Helper()
	if err != nil {
		lab.t.Fatal(err)
	}
}

func (lab *Lab) read(output io.Reader, done chan struct{}) {
	defer close(lab.answers)
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, maximumAnswer)
	for lines.Scan() {
		one := answer{line: append([]byte(nil), lines.Bytes()...)}
		if json.Unmarshal(one.line, &one) != nil {
			one.Kind = ""
		}
		select {
		case lab.answers <- one:
		case <-done:
			return
		}
	}
}

func (lab *Lab) close(done chan struct{}) {
	if lab.t.Failed() {
		lab.t.Logf("Handover:\n%s", lab.report())
	}
	close(done)
	lab.input.Close()
	// The lab ends because its input is closed. A lab that does not is killed with its programs.
	timer := time.AfterFunc(answerTimeout, func() { lab.command.Process.Kill() })
	defer timer.Stop()
	lab.command.Wait()
}

// next returns the next answer, or false if the lab has ended or does not answer.
func (lab *Lab) next() (answer, bool) {
	timer := time.NewTimer(answerTimeout)
	defer timer.Stop()
	select {
	case one, isOpen := <-lab.answers:
		lab.ended = !isOpen || one.Kind == "ended"
		return one, isOpen
	case <-timer.C:
		lab.ended = true
		return answer{Message: "it gave no answer"}, false
	}
}

func (lab *Lab) answer() answer {
	lab.t.Helper()
	one, isOpen := lab.next()
	switch {
	case !isOpen:
		lab.t.Fatalf("the lab has ended: %s\n%s", one.Message, lab.errors.String())
	case one.Reason == "no-lab" && os.Getenv("HANDOVER_REQUIRE_LAB") != "1":
		lab.t.Skip(one.Message)
	case one.Kind == "ended":
		lab.t.Fatal(one.Message)
	case one.Kind == "error":
		lab.t.Fatalf("%s (%s)", one.Message, one.Hint)
	}
	return one
}

func (lab *Lab) send(request map[string]any) {
	lab.t.Helper()
	line, err := json.Marshal(request)
	lab.check(err)
	// If the lab has ended, the next answer contains the reason.
	lab.input.Write(append(line, '\n'))
}

func (lab *Lab) request(request map[string]any) answer {
	lab.t.Helper()
	lab.send(request)
	return lab.answer()
}

// Program is a program that a test started in a lab.
type Program struct {
	lab    *Lab
	number int
	name   string
}

// Run starts a program on the device.
func (lab *Lab) Run(command ...string) *Program {
	lab.t.Helper()
	return lab.run(command, nil)
}

func (lab *Lab) run(command []string, environment map[string]string) *Program {
	lab.t.Helper()
	request := map[string]any{"cmd": "start", "program": command}
	if environment != nil {
		request["environment"] = environment
	}
	return &Program{lab, lab.request(request).Program, strings.Join(command, " ")}
}

// Clients contains functions that a test runs on the device, by their names.
type Clients map[string]func()

// Main runs the tests, or a client if this process was started by RunClient. Call it in TestMain.
func Main(m *testing.M, clients Clients) {
	if name := os.Getenv(clientName); name != "" {
		client := clients[name]
		if client == nil {
			fmt.Fprintf(os.Stderr, "there is no client %q\n", name)
			os.Exit(2)
		}
		client()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// RunClient starts a function on the device, in a process of its own.
func (lab *Lab) RunClient(name string) *Program {
	lab.t.Helper()
	executable, err := os.Executable()
	lab.check(err)
	program := lab.run([]string{executable}, map[string]string{clientName: name})
	program.name = name
	return program
}

// Move changes the network, such as to cellular. The change is complete when Move returns.
func (lab *Lab) Move(to string) {
	lab.t.Helper()
	lab.request(map[string]any{"cmd": "move", "to": to})
}

// Quality changes the quality of a medium, such as wifi:delay=80ms,loss=1%.
func (lab *Lab) Quality(condition string) {
	lab.t.Helper()
	lab.request(map[string]any{"cmd": "quality", "condition": condition})
}

// Observe returns what happened until now.
func (lab *Lab) Observe() Observation {
	lab.t.Helper()
	one := lab.request(map[string]any{"cmd": "observe"})
	var seen Observation
	lab.check(json.Unmarshal(one.line, &seen))
	lab.last = &seen
	return seen
}

// WaitUntil waits until an observation meets a condition, and returns it.
func (lab *Lab) WaitUntil(
	what string, timeout time.Duration, holds func(Observation) bool,
) Observation {
	lab.t.Helper()
	end := time.Now().Add(timeout)
	for {
		seen := lab.Observe()
		if holds(seen) {
			return seen
		}
		if time.Now().After(end) {
			lab.t.Fatalf("waited %v for %s", timeout, what)
		}
		time.Sleep(period)
	}
}

// WaitForData waits up to a minute until application data has arrived three times since now. A
// change has an effect only on a program that has received data.
func (lab *Lab) WaitForData() Observation {
	lab.t.Helper()
	enough := lab.Observe().Payloads() + 3
	return lab.WaitUntil("data to arrive 3 times", time.Minute, func(seen Observation) bool {
		return seen.Payloads() >= enough
	})
}

// State returns the current state of the program.
func (program *Program) State() ProgramState {
	program.lab.t.Helper()
	return program.lab.Observe().Programs[program.number-1]
}

// Wait waits up to a minute until the program has ended, and returns how.
func (program *Program) Wait() ProgramState {
	program.lab.t.Helper()
	seen := program.lab.WaitUntil(program.name+" to end", time.Minute, func(seen Observation) bool {
		return !seen.Programs[program.number-1].Running
	})
	return seen.Programs[program.number-1]
}

// WaitForOutput waits up to a minute until the program has written a text.
func (program *Program) WaitForOutput(text string) {
	program.lab.t.Helper()
	what := fmt.Sprintf("%s to write %q", program.name, text)
	program.lab.WaitUntil(what, time.Minute, func(seen Observation) bool {
		return strings.Contains(seen.Programs[program.number-1].Output, text)
	})
}

// Stop ends the program with all its children.
func (program *Program) Stop() {
	program.lab.t.Helper()
	program.lab.request(map[string]any{"cmd": "stop", "program": program.number})
}

// Verdict describes what a program did after a network change.
type Verdict string

const (
	// Recovers means that data arrived again within the limit.
	Recovers Verdict = "recovers"
	// Late means that data arrived again, after the limit.
	Late Verdict = "late"
	// NoData means that no data arrived within the limit, although a new connection would work.
	NoData Verdict = "no-data"
	// Ended means that the program ended before data arrived.
	Ended Verdict = "ended"
	// NoNetwork means that the device has no network.
	NoNetwork Verdict = "no-network"
	// NoOutage means that no change took a network away from a program that had received data.
	NoOutage Verdict = "no-outage"
)

// Recovery is the verdict on the last network change, with the outage that it caused.
type Recovery struct {
	Verdict Verdict
	Outage  Outage
}

func (recovery Recovery) String() string {
	outage := recovery.Outage
	text := fmt.Sprintf("%s: no data in %v", recovery.Verdict, outage.Watched.Duration())
	if outage.Recovers != nil {
		text = fmt.Sprintf("%s: data after %v", recovery.Verdict, outage.Recovers.Duration())
	}
	return fmt.Sprintf("%s, %d connections tried", text, outage.Attempts)
}

// Recovery waits until the verdict on the last change is certain, and returns it.
//
// The limit is counted from the moment at which a new connection would work.
func (lab *Lab) Recovery(within time.Duration) Recovery {
	lab.t.Helper()
	end := time.Now().Add(within + time.Minute)
	for {
		seen := lab.Observe()
		if len(seen.Outages) == 0 {
			return Recovery{Verdict: NoOutage}
		}
		outage := seen.Outages[len(seen.Outages)-1]
		if verdict := outage.verdict(within); verdict != "" {
			return Recovery{verdict, outage}
		}
		if time.Now().After(end) {
			lab.t.Fatalf("the outage has no verdict: %s", outage.Doubt)
		}
		time.Sleep(period)
	}
}

// verdict returns the verdict, or an empty text if it is not certain yet.
func (outage Outage) verdict(within time.Duration) Verdict {
	switch {
	case outage.Recovers != nil:
		delay := *outage.Recovers
		if outage.Delay != nil {
			delay = *outage.Delay
		}
		if delay.Duration() <= within {
			return Recovers
		}
		return Late
	case outage.ProgramEnd != "":
		return Ended
	case outage.Watched.Duration() <= within:
		return ""
	case outage.Doubt == "no-network":
		return NoNetwork
	case outage.Doubt == "":
		return NoData
	default:
		return ""
	}
}

// report returns a text about the lab, for people.
func (lab *Lab) report() string {
	if !lab.ended {
		lab.send(map[string]any{"cmd": "observe"})
		var seen Observation
		if one, isOpen := lab.next(); isOpen && json.Unmarshal(one.line, &seen) == nil {
			lab.last = &seen
		}
	}
	if lab.last == nil {
		return lab.errors.String()
	}
	var text strings.Builder
	for _, move := range lab.last.Moves {
		fmt.Fprintf(&text, "%10.3f s  %s\n", move.At.Duration().Seconds(), move.Text)
	}
	for _, one := range lab.last.Connections {
		end := "open"
		if one.Closed != nil {
			end = fmt.Sprintf("closed at %v", one.Closed.Duration())
		}
		fmt.Fprintf(&text, "%s: opened at %v, %s, data %d times\n",
			one.Name, one.Opened.Duration(), end, one.Payloads)
	}
	for number, program := range lab.last.Programs {
		fmt.Fprintf(&text, "program %d, the end of its output:\n%s\n",
			number+1, program.Output[max(0, len(program.Output)-1_000):])
	}
	return text.String()
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// tail keeps the end of what is written to it.
type tail struct {
	lock sync.Mutex
	text []byte
}

func (tail *tail) Write(bytes []byte) (int, error) {
	tail.lock.Lock()
	defer tail.lock.Unlock()
	tail.text = append(tail.text, bytes...)
	tail.text = tail.text[max(0, len(tail.text)-4_096):]
	return len(bytes), nil
}

func (tail *tail) String() string {
	tail.lock.Lock()
	defer tail.lock.Unlock()
	return string(tail.text)
}
