// A host of go-plugin, and its plugin, in one program.
//
// usage: go-plugin rpc|grpc WORKLOAD COUNT
package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
)

const inFlight = 64

var (
	handshake = plugin.HandshakeConfig{ProtocolVersion: 1, MagicCookieKey: "PEER_ECHO", MagicCookieValue: "echo"}
	plugins   = map[plugin.Protocol]plugin.Plugin{plugin.ProtocolNetRPC: rpcPlugin{}, plugin.ProtocolGRPC: grpcPlugin{}}
	protocols = map[string]plugin.Protocol{"rpc": plugin.ProtocolNetRPC, "grpc": plugin.ProtocolGRPC}
	request   = strings.Repeat("x", 100)
)

// caller is the host's end of a plugin.
type caller interface {
	text(text string) (string, error)
	// add prepares one more of the objects that objects sends; objects returns how many came back.
	add(id int, name string)
	objects() (int, error)
}

func main() {
	if len(os.Args) != 2 && len(os.Args) != 4 {
		fail(fmt.Errorf("usage: go-plugin rpc|grpc WORKLOAD COUNT"))
	}
	protocol, known := protocols[os.Args[1]]
	if !known {
		fail(fmt.Errorf("there is no protocol %q", os.Args[1]))
	}
	if len(os.Args) == 2 {
		serve(protocol)
		return
	}
	count, err := strconv.Atoi(os.Args[3])
	if err != nil || count < 1 {
		fail(fmt.Errorf("COUNT is not a whole number above 0"))
	}
	// Plugins outlive a host that is ended by a signal.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() { fail(fmt.Errorf("ended by the signal %v", <-signals)) }()
	measure(protocol, os.Args[2], count)
}

func serve(protocol plugin.Protocol) {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: handshake, Plugins: map[string]plugin.Plugin{"echo": plugins[protocol]},
		GRPCServer: plugin.DefaultGRPCServer, Logger: hclog.NewNullLogger(),
	})
}

// start runs the plugin; the client ends it.
func start(protocol plugin.Protocol) (*plugin.Client, caller) {
	name := "rpc"
	if protocol == plugin.ProtocolGRPC {
		name = "grpc"
	}
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: handshake, Plugins: map[string]plugin.Plugin{"echo": plugins[protocol]},
		Cmd: exec.Command("/proc/self/exe", name), AllowedProtocols: []plugin.Protocol{protocol},
		Managed: true, Logger: hclog.NewNullLogger(),
	})
	connection, err := client.Client()
	if err != nil {
		fail(err)
	}
	echo, err := connection.Dispense("echo")
	if err != nil {
		fail(err)
	}
	return client, echo.(caller)
}

func measure(protocol plugin.Protocol, workload string, count int) {
	defer plugin.CleanupClients()
	switch workload {
	case "cold":
		times := repeat(count, func() time.Duration {
			begin := time.Now()
			client, echo := start(protocol)
			sendText(echo, request)
			took := time.Since(begin)
			client.Kill()
			return took
		})
		fmt.Printf("ms_p50=%.3f ms_p99=%.3f\n", median(times)/1e6, percentile(times, 99)/1e6)
	case "rtt":
		_, echo := start(protocol)
		times := repeat(count, timed(func() { sendText(echo, request) }))
		fmt.Printf("us_p50=%.3f us_p99=%.3f\n", median(times)/1e3, percentile(times, 99)/1e3)
	case "pipe":
		_, echo := start(protocol)
		burst(echo, count/10)
		begin := time.Now()
		burst(echo, count)
		fmt.Printf("rps=%.0f\n", float64(count)/time.Since(begin).Seconds())
	case "payload":
		_, echo := start(protocol)
		text := strings.Repeat("x", 1<<20-11)
		printRate(repeat(count, timed(func() { sendText(echo, text) })))
	case "objects":
		_, echo := start(protocol)
		prepared := fill(echo, 1<<20)
		printRate(repeat(count, timed(func() {
			if came, err := echo.objects(); err != nil || came != prepared {
				fail(fmt.Errorf("%d of %d objects came back: %v", came, prepared, err))
			}
		})))
	case "mem-host":
		client, echo := start(protocol)
		sendText(echo, request)
		client.Kill()
		before := resident()
		for i := 0; i < count; i++ {
			_, echo := start(protocol)
			sendText(echo, request)
		}
		fmt.Printf("kib_each=%.1f kib_host=%d\n", math.Max(0, float64(resident()-before))/float64(count), before)
	default:
		fail(fmt.Errorf("there is no workload %q", workload))
	}
}

func sendText(echo caller, text string) {
	if result, err := echo.text(text); err != nil || result != text {
		fail(fmt.Errorf("the echo is another text: %v", err))
	}
}

// burst calls from as many goroutines as requests may be in flight.
func burst(echo caller, count int) {
	var all sync.WaitGroup
	for i := 0; i < inFlight; i++ {
		share := count / inFlight
		if i < count%inFlight {
			share++
		}
		all.Add(1)
		go func() {
			defer all.Done()
			for ; share > 0; share-- {
				sendText(echo, request)
			}
		}()
	}
	all.Wait()
}

// fill prepares as many objects as fit into a number of bytes of compact JSON.
func fill(echo caller, bytes int) int {
	length := len(`{"items":[]}`)
	for id := 0; ; id++ {
		length += len(`{"id":,"name":"item-000000","value":0.25,"ok":true,"tags":["alpha","beta"]},`) + len(strconv.Itoa(id))
		if length > bytes {
			return id
		}
		echo.add(id, fmt.Sprintf("item-%06d", id))
	}
}

func timed(body func()) func() time.Duration {
	return func() time.Duration {
		begin := time.Now()
		body()
		return time.Since(begin)
	}
}

// repeat returns sorted nanoseconds, after a tenth as many and one to warm up.
func repeat(count int, body func() time.Duration) []float64 {
	for i := 0; i <= count/10; i++ {
		body()
	}
	times := make([]float64, count)
	for i := range times {
		times[i] = float64(body())
	}
	sort.Float64s(times)
	return times
}

func median(sorted []float64) float64 {
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

func percentile(sorted []float64, percent int) float64 {
	return sorted[(percent*len(sorted)+99)/100-1]
}

// printRate prints the megabytes a second of 1 MiB, by the median call.
func printRate(times []float64) { fmt.Printf("mbps=%.1f\n", float64(1<<20)*1e3/median(times)) }

// resident returns the KiB of memory that this process has.
func resident() int {
	text, err := os.ReadFile("/proc/self/smaps_rollup")
	if err != nil {
		fail(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "Rss:" {
			if kib, err := strconv.Atoi(words[1]); err == nil {
				return kib
			}
		}
	}
	fail(fmt.Errorf("/proc/self/smaps_rollup cannot be read"))
	return 0
}

func fail(err error) {
	plugin.CleanupClients()
	fmt.Fprintln(os.Stderr, "error:", err)
	os.Exit(1)
}
