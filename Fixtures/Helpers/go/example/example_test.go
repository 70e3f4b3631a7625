// The example of the page about test helpers.
package example

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"handover"
)

// poll is the client: it queries a server five times per second.
func poll() {
	client := http.Client{
		Timeout: 3 * time.Second, // the remedy
	}
	for {
		answer, err := client.Get("http://api.example/")
		if err == nil {
			_, err = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "lost:", err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func TestMain(m *testing.M) {
	handover.Main(m, handover.Clients{"poll": poll})
}

func TestPollSurvivesAMove(t *testing.T) {
	lab := handover.New(t, handover.Options{Network: "wifi"})
	client := lab.RunClient("poll")
	lab.WaitForData()
	lab.Move("cellular")
	got := lab.Recovery(10 * time.Second)
	if got.Verdict != handover.Recovers {
		t.Fatal(got)
	}
	if got.Outage.Attempts < 1 {
		t.Error("the client opened no connection")
	}
	client.WaitForOutput("lost")
}
