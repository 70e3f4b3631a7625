// A client under test that uses net/http with HTTP/1.1, or x/net/http2 with -http2.
//
// usage: net-http [-http2] [-remedy]
//
// The remedy is TCP_USER_TIMEOUT and TCP keepalive of one second with HTTP/1.1, and pings after one
// second without data with HTTP/2.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/sys/unix"

	"adapter"
)

// limitSilence lets the kernel end a connection whose peer acknowledges nothing for one second.
func limitSilence(_, _ string, connection syscall.RawConn) error {
	var failure error
	err := connection.Control(func(descriptor uintptr) {
		failure = unix.SetsockoptInt(int(descriptor), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 1000)
	})
	if err != nil {
		return err
	}
	return failure
}

// http1 returns the default transport of net/http, except for the remedy.
func http1(hasRemedy bool) http.RoundTripper {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	// A proxy from the environment is not reachable in the lab.
	transport.Proxy = nil
	if hasRemedy {
		dialer := net.Dialer{Timeout: 30 * time.Second, KeepAlive: time.Second, Control: limitSilence}
		transport.DialContext = dialer.DialContext
	}
	return transport
}

// http2Transport returns a transport for HTTP/2 without TLS.
func http2Transport(hasRemedy bool) http.RoundTripper {
	transport := &http2.Transport{AllowHTTP: true}
	transport.DialTLS = func(network, address string, _ *tls.Config) (net.Conn, error) {
		return net.Dial(network, address)
	}
	if hasRemedy {
		transport.ReadIdleTimeout, transport.PingTimeout = time.Second, time.Second
	}
	return transport
}

type client struct{ http http.Client }

func (client *client) Make(ctx context.Context, call *adapter.Call) error {
	url := "http://" + call.Address + "/" + call.Kind
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body(call))
	if err != nil {
		return err
	}
	if call.Takes != nil {
		request.Header.Set("handover-takes", strconv.FormatInt(*call.Takes, 10))
	}
	response, err := client.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		call.Deliver()
	}
	return lines.Err()
}

// body returns the messages of the user as a stream, or nil if the user sends none.
func body(call *adapter.Call) io.Reader {
	if !call.Sends() {
		return nil
	}
	reader, writer := io.Pipe()
	go func() {
		defer writer.Close()
		for message := range call.Messages {
			if _, err := writer.Write(message); err != nil {
				return
			}
		}
	}()
	return reader
}

func main() {
	isHTTP2 := flag.Bool("http2", false, "use HTTP/2")
	hasRemedy := flag.Bool("remedy", false, "use the remedy instead of the default settings")
	flag.Parse()
	name, remedy, transport := "net-http", "-tcp-timeout", http1
	if *isHTTP2 {
		name, remedy, transport = "go-http2", "-ping", http2Transport
	}
	if *hasRemedy {
		name += remedy
	}
	adapter.Serve(name, &client{http.Client{Transport: transport(*hasRemedy)}})
}
