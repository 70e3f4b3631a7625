package handover

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// patient is a client that waits for a stream without a limit.
func patient() {
	answer, err := http.Get("http://api.example/drip")
	if err != nil {
		panic(err)
	}
	for buffer := make([]byte, 4_096); ; {
		if _, err := answer.Body.Read(buffer); err != nil {
			panic(err)
		}
	}
}

func TestMain(m *testing.M) {
	Main(m, Clients{"patient": patient})
}

// testRun is the run of a test that is expected to fail.
type testRun struct {
	testing.TB
	failed, skipped bool
	text            string
	cleanups        []func()
}

func (run *testRun) Helper()          {}
func (run *testRun) Failed() bool     { return run.failed }
func (run *testRun) Cleanup(f func()) { run.cleanups = append(run.cleanups, f) }

func (run *testRun) Logf(format string, values ...any) {
	run.text += fmt.Sprintf(format, values...) + "\n"
}

func (run *testRun) Fatalf(format string, values ...any) {
	run.failed = true
	run.Logf(format, values...)
	runtime.Goexit()
}

func (run *testRun) Fatal(values ...any) { run.Fatalf("%s", fmt.Sprint(values...)) }

func (run *testRun) Skip(values ...any) {
	run.skipped = true
	run.Logf("%s", fmt.Sprint(values...))
	runtime.Goexit()
}

// outcome runs a test and returns how it ended.
func outcome(t *testing.T, test func(testing.TB)) *testRun {
	run := &testRun{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, cleanup := range run.cleanups {
				cleanup()
			}
		}()
		test(run)
	}()
	<-done
	return run
}

func expectFailure(t *testing.T, text string, test func(*Lab)) *testRun {
	t.Helper()
	New(t, Options{})
	run := outcome(t, func(t testing.TB) { test(New(t, Options{})) })
	if !run.failed || !strings.Contains(run.text, text) {
		t.Errorf("expected a failure with %q, not: %s", text, run.text)
	}
	return run
}

func TestPatientClientHasNoData(t *testing.T) {
	lab := New(t, Options{Network: "cellular"})
	lab.RunClient("patient")
	if got := lab.Recovery(time.Second); got.Verdict != NoOutage {
		t.Error(got)
	}
	lab.WaitForData()
	lab.Move("wifi")
	if got := lab.Recovery(2 * time.Second); got.Verdict != NoData || got.Outage.Attempts != 0 {
		t.Error(got)
	}
	lab.Move("none")
	if got := lab.Recovery(time.Second); got.Verdict != NoNetwork {
		t.Error(got)
	}
}

func TestEndedClient(t *testing.T) {
	lab := New(t, Options{})
	client := lab.RunClient("patient")
	lab.WaitForData()
	lab.Move("kill")
	if got := lab.Recovery(time.Minute); got.Verdict != Ended {
		t.Error(got)
	}
	if state := client.Wait(); state.Running || state.Status == nil || *state.Status != 2 {
		t.Errorf("%+v", state)
	}
}

func TestVerdicts(t *testing.T) {
	second := Microseconds(1_000_000)
	for verdict, outage := range map[Verdict]Outage{
		Recovers:  {Recovers: &second},
		Late:      {Recovers: &second, Delay: &second, Watched: 9 * second},
		NoData:    {Watched: 2 * second},
		Ended:     {ProgramEnd: "status 1"},
		NoNetwork: {Watched: 2 * second, Doubt: "no-network"},
		"":        {Watched: second / 2},
	} {
		within := time.Second
		if verdict == Late {
			within /= 2
		}
		if got := outage.verdict(within); got != verdict {
			t.Errorf("%s, not %s", got, verdict)
		}
	}
}

func TestProgram(t *testing.T) {
	lab := New(t, Options{Conditions: []string{"wifi:delay=40ms"}, Until: "5min"})
	lab.Quality("wifi:delay=80ms")
	state := lab.Run("sh", "-c", "echo words; exit 7").Wait()
	if state.Status == nil || *state.Status != 7 || state.Output != "words\n" {
		t.Errorf("%+v", state)
	}
	endless := lab.Run("sleep", "3600")
	if !endless.State().Running {
		t.Error("the program ended too early")
	}
	endless.Stop()
	if endless.State().Running {
		t.Error("the program was not stopped")
	}
}

func TestMistakes(t *testing.T) {
	run := expectFailure(t, `unknown move "mars"`, func(lab *Lab) {
		lab.Run("sh", "-c", "echo hello").WaitForOutput("hello")
		lab.Move("hotspot")
		lab.Move("mars")
	})
	for _, text := range []string{"hotspot\n", "hello\n"} {
		if !strings.Contains(run.text, text) {
			t.Errorf("the report has no %q: %s", text, run.text)
		}
	}
	expectFailure(t, "no-such-program", func(lab *Lab) { lab.Run("no-such-program") })
	expectFailure(t, "the lab has ended", func(lab *Lab) {
		lab.command.Process.Kill()
		for {
			lab.Observe()
		}
	})
	expectFailure(t, "waited 1ms for the impossible", func(lab *Lab) {
		lab.WaitUntil("the impossible", time.Millisecond, func(Observation) bool { return false })
	})
	run = outcome(t, func(t testing.TB) {
		lab := New(t, Options{Until: "1s"})
		lab.WaitUntil("the end", time.Minute, func(Observation) bool { return false })
	})
	if !strings.Contains(run.text, "the time of --until is over") {
		t.Error(run.text)
	}
	run = outcome(t, func(t testing.TB) { New(t, Options{Servers: []string{"echo broken"}}) })
	if !run.failed || !strings.Contains(run.text, "broken") {
		t.Error(run.text)
	}
}

func script(t *testing.T, text string) {
	path := filepath.Join(t.TempDir(), "handover")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HANDOVER_COMMAND", path)
}

func TestCommandWithAnotherProtocol(t *testing.T) {
	for _, text := range []string{
		"exit 0", "echo nothing", "echo []", `echo '{"kind":"ready","v":2}'`, "exit 3",
		`echo '{"kind":"ready","v":1}'; exec <&-; sleep 1`,
	} {
		script(t, text)
		run := outcome(t, func(t testing.TB) { New(t, Options{}).Observe() })
		if !run.failed {
			t.Errorf("%s: %s", text, run.text)
		}
	}
}

func TestMachineWithoutLabs(t *testing.T) {
	command, err := exec.LookPath(os.Getenv("HANDOVER_COMMAND"))
	if err != nil {
		command = "handover"
	}
	New(t, Options{})
	script(t, `exec unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_net_namespaces; exec `+
		command+` "$@"' - "$@"`)
	t.Setenv("HANDOVER_REQUIRE_LAB", "")
	test := func(t testing.TB) { New(t, Options{}) }
	run := outcome(t, test)
	if !run.skipped || !strings.Contains(run.text, "Cannot create a lab on this machine: ") {
		t.Error(run.text)
	}
	t.Setenv("HANDOVER_REQUIRE_LAB", "1")
	if run := outcome(t, test); !run.failed {
		t.Error(run.text)
	}
}
