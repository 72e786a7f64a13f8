// A Today widget that speaks JSON-RPC 2.0 by hand: one message a line on standard input and output.
// Standard error is for messages to people: "host logs __ID__" shows them.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"runtime"
	"time"
)

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

type object map[string]any

func main() {
	start := time.Now()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 64<<10), 4<<20+1) // A message has at most 4 MiB.
	output := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var call request
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			output.Encode(response{"2.0", json.RawMessage("null"), nil, &failure{-32700, "This is not JSON."}})
			continue
		}
		if call.ID == nil {
			continue // A notification has no answer.
		}
		answer := response{Version: "2.0", ID: call.ID}
		switch call.Method {
		case "initialize":
			answer.Result = object{"protocolVersion": "1.0"}
		case "widget/performUpdate":
			view := object{"title": "__APP__", "text": "Hello from " + runtime.Version()}
			answer.Result = object{"result": "newData", "view": view}
		case "$/ping":
			answer.Result = object{"uptimeMs": time.Since(start).Milliseconds()}
		case "terminate":
			answer.Result = object{}
		default:
			answer.Error = &failure{-32601, "There is no such method."}
		}
		output.Encode(answer)
		if call.Method == "terminate" {
			return
		}
	}
}
