package main

import (
	"net/rpc"

	"github.com/hashicorp/go-plugin"
)

// Item is one of the small objects, as net/rpc sends it with encoding/gob.
type Item struct {
	ID    int64
	Name  string
	Value float64
	OK    bool
	Tags  []string
}

// Texts and Items are the params and results of the two methods.
type (
	Texts struct{ Text string }
	Items struct{ Items []Item }
)

// RPCEcho is the plugin: it answers with what it got.
type RPCEcho struct{}

func (RPCEcho) Text(params Texts, result *Texts) error {
	*result = params
	return nil
}

func (RPCEcho) Items(params Items, result *Items) error {
	*result = params
	return nil
}

type rpcPlugin struct{}

func (rpcPlugin) Server(*plugin.MuxBroker) (interface{}, error) { return RPCEcho{}, nil }

func (rpcPlugin) Client(_ *plugin.MuxBroker, client *rpc.Client) (interface{}, error) {
	return &rpcCaller{client: client}, nil
}

// rpcCaller is the host's end.
type rpcCaller struct {
	client *rpc.Client
	items  Items
}

func (caller *rpcCaller) text(text string) (string, error) {
	var result Texts
	err := caller.client.Call("Plugin.Text", Texts{text}, &result)
	return result.Text, err
}

func (caller *rpcCaller) add(id int, name string) {
	caller.items.Items = append(caller.items.Items, Item{int64(id), name, 0.25, true, []string{"alpha", "beta"}})
}

func (caller *rpcCaller) objects() (int, error) {
	var result Items
	err := caller.client.Call("Plugin.Items", caller.items, &result)
	return len(result.Items), err
}
