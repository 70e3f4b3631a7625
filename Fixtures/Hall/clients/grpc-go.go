// Sends messages on a bidirectional call with grpc-go. Usage: grpc-go [remedy]
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/golang/protobuf/ptypes/empty"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
)

func chat(channel *grpc.ClientConn) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	both := &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
	stream, err := channel.NewStream(ctx, both, "/echo.Echo/Chat")
	for err == nil {
		if err = stream.SendMsg(&empty.Empty{}); err == nil {
			err = stream.RecvMsg(&empty.Empty{})
		}
		time.Sleep(300 * time.Millisecond)
	}
	return err
}

func main() {
	options := []grpc.DialOption{grpc.WithInsecure()}
	if len(os.Args) > 1 {
		options = append(options, grpc.WithKeepaliveParams(
			keepalive.ClientParameters{Time: 10 * time.Second, Timeout: time.Second}))
	}
	channel, _ := grpc.Dial("api.example:50051", options...)
	for {
		fmt.Println(chat(channel))
	}
}
