// Receives messages with gorilla/websocket. Usage: gorilla [remedy]
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/gorilla/websocket"
)

func receive() error {
	socket, _, err := websocket.DefaultDialer.Dial("ws://api.example/", nil)
	if err != nil {
		return err
	}
	defer socket.Close()
	for {
		if len(os.Args) > 1 {
			socket.SetReadDeadline(time.Now().Add(3 * time.Second))
		}
		_, message, err := socket.ReadMessage()
		if err != nil {
			return err
		}
		fmt.Println(string(message))
	}
}

func main() {
	for {
		fmt.Println(receive())
		time.Sleep(200 * time.Millisecond)
	}
}
