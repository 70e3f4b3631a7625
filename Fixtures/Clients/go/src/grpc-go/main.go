// A client under test that uses grpc-go, with one channel for each host.
//
// usage: grpc-go [-keepalive]    pings as often as grpc-go allows, also without calls
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"adapter"
)

// The kinds of calls, with the methods of the server.
var methods = map[string]string{"unary": "Unary", "streaming": "ServerStream",
	"client-streaming": "ClientStream", "bidi": "Bidi"}

// eager has the shortest interval that grpc-go accepts.
var eager = keepalive.ClientParameters{
	Time: 10 * time.Second, Timeout: time.Second, PermitWithoutStream: true}

// bytesCodec passes messages unchanged.
type bytesCodec struct{}

func (bytesCodec) Marshal(value interface{}) ([]byte, error) { return *value.(*[]byte), nil }
func (bytesCodec) Unmarshal(data []byte, value interface{}) error {
	*value.(*[]byte) = data
	return nil
}
func (bytesCodec) Name() string { return "proto" }

type client struct {
	options  []grpc.DialOption
	mutex    sync.Mutex
	channels map[string]*grpc.ClientConn
}

// channel returns the permanent channel of a host.
func (client *client) channel(address string) *grpc.ClientConn {
	client.mutex.Lock()
	defer client.mutex.Unlock()
	if client.channels[address] == nil {
		// Dial does not connect, so only wrong options are an error.
		channel, err := grpc.Dial("passthrough:///"+address, client.options...)
		if err != nil {
			panic(err)
		}
		client.channels[address] = channel
	}
	return client.channels[address]
}

func (client *client) Make(ctx context.Context, call *adapter.Call) error {
	if call.Takes != nil {
		ctx = metadata.AppendToOutgoingContext(ctx, "handover-takes", fmt.Sprint(*call.Takes))
	}
	err := exchange(ctx, client.channel(call.Address), call)
	if err == nil {
		return nil
	}
	result := status.Convert(err)
	return &adapter.Error{Status: name(result.Code()), Message: result.Message()}
}

// exchange sends the messages of the user, and reads those of the server until the end.
func exchange(ctx context.Context, channel *grpc.ClientConn, call *adapter.Call) error {
	kind := grpc.StreamDesc{ClientStreams: call.Sends(),
		ServerStreams: call.Kind == "streaming" || call.Kind == "bidi"}
	method := "/handover.Calls/" + methods[call.Kind]
	stream, err := channel.NewStream(ctx, &kind, method, grpc.ForceCodec(bytesCodec{}))
	if err != nil {
		return err
	}
	if !call.Sends() {
		call.Messages <- nil
		close(call.Messages)
	}
	go func() {
		for message := range call.Messages {
			if stream.SendMsg(&message) != nil {
				// RecvMsg returns the error.
				return
			}
		}
		stream.CloseSend()
	}()
	for {
		var message []byte
		err := stream.RecvMsg(&message)
		if err == io.EOF || err == nil && !kind.ServerStreams {
			return nil
		} else if err != nil {
			return err
		}
		call.Deliver()
	}
}

var word = regexp.MustCompile("([a-z])([A-Z])")

// name returns the name of a status, such as DEADLINE_EXCEEDED.
func name(code codes.Code) string {
	if code == codes.Canceled {
		return "CANCELLED"
	}
	return strings.ToUpper(word.ReplaceAllString(code.String(), "${1}_${2}"))
}

func main() {
	hasKeepalive := flag.Bool("keepalive", false, "send pings as often as grpc-go allows")
	flag.Parse()
	name, options := "grpc-go", []grpc.DialOption{grpc.WithInsecure()}
	if *hasKeepalive {
		name, options = "grpc-go-keepalive", append(options, grpc.WithKeepaliveParams(eager))
	}
	adapter.Serve(name, &client{options: options, channels: map[string]*grpc.ClientConn{}})
}
