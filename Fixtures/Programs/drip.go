// Reads a stream without a timeout, and exits when it ends. Usage: drip URL
package main

import (
	"io"
	"net/http"
	"os"
)

func main() {
	answer, err := http.Get(os.Args[1])
	if err != nil {
		println(err.Error())
		os.Exit(1)
	}
	_, err = io.Copy(os.Stdout, answer.Body)
	if err != nil {
		println(err.Error())
		os.Exit(1)
	}
}
