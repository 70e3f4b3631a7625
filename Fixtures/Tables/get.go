// Command get gets http://api.example/ once.
package main

import (
	"io"
	"net/http"
)

func main() {
	response, err := http.Get("http://api.example/")
	if err != nil {
		panic(err)
	}
	io.Copy(io.Discard, response.Body)
}
