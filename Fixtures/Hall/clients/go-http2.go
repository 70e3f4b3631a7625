// Reads a stream with x/net/http2. Usage: go-http2 [remedy]
package main

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"golang.org/x/net/http2"
)

func main() {
	transport := &http2.Transport{AllowHTTP: true}
	transport.DialTLS = func(network, address string, _ *tls.Config) (net.Conn, error) {
		return net.Dial(network, address)
	}
	if len(os.Args) > 1 {
		transport.ReadIdleTimeout, transport.PingTimeout = 2*time.Second, time.Second
	}
	client := &http.Client{Transport: transport}
	for {
		response, err := client.Get("http://api.example:50051/drip")
		if err == nil {
			lines := bufio.NewScanner(response.Body)
			for lines.Scan() {
				fmt.Println(lines.Text())
			}
			err = lines.Err()
			response.Body.Close()
		}
		fmt.Println(err)
		time.Sleep(200 * time.Millisecond)
	}
}
