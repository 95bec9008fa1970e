// Command floor is the least a program can do that posts a payload over a unix
// socket and prints the answer: no deadline, no checks, no fallback. The hook
// client is measured against it.
//
//	floor SOCKET TOOL EVENT <payload
package main

import (
	"bytes"
	"io"
	"net"
	"os"
	"strconv"
)

func main() {
	payload, err := io.ReadAll(os.Stdin)
	if err != nil {
		return
	}
	conn, err := net.Dial("unix", os.Args[1])
	if err != nil {
		return
	}
	_, _ = io.WriteString(conn, "POST /hook/"+os.Args[2]+"/"+os.Args[3]+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"+
		"Content-Length: "+strconv.Itoa(len(payload))+"\r\n\r\n"+string(payload))
	answer, _ := io.ReadAll(conn)
	_, body, _ := bytes.Cut(answer, []byte("\r\n\r\n"))
	_, _ = os.Stdout.Write(body)
}
