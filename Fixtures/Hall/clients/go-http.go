// Reads a stream with net/http. Usage: go-http [remedy]
package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"time"
)

func read() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	silence := time.AfterFunc(24*time.Hour, cancel)
	request, _ := http.NewRequestWithContext(ctx, "GET", "http://api.example/drip", nil)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if len(os.Args) > 1 {
			silence.Reset(3 * time.Second)
		}
		fmt.Println(lines.Text())
	}
	return ctx.Err()
}

func main() {
	for {
		fmt.Println(read())
		time.Sleep(200 * time.Millisecond)
	}
}
