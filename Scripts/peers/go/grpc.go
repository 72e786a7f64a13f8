package main

import (
	"context"
	"errors"
	"net/rpc"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// grpcEcho is the plugin: it answers with what it got.
type grpcEcho struct{}

func (grpcEcho) Text(_ context.Context, params *TextMessage) (*TextMessage, error) {
	return params, nil
}
func (grpcEcho) Items(_ context.Context, params *ItemsMessage) (*ItemsMessage, error) {
	return params, nil
}

type grpcPlugin struct{}

var errNotRPC = errors.New("this plugin speaks gRPC alone")

func (grpcPlugin) Server(*plugin.MuxBroker) (interface{}, error)              { return nil, errNotRPC }
func (grpcPlugin) Client(*plugin.MuxBroker, *rpc.Client) (interface{}, error) { return nil, errNotRPC }

func (grpcPlugin) GRPCServer(_ *plugin.GRPCBroker, server *grpc.Server) error {
	RegisterEchoServer(server, grpcEcho{})
	return nil
}

func (grpcPlugin) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, connection *grpc.ClientConn) (interface{}, error) {
	return &grpcCaller{client: NewEchoClient(connection)}, nil
}

// grpcCaller is the host's end.
type grpcCaller struct {
	client EchoClient
	items  ItemsMessage
}

func (caller *grpcCaller) text(text string) (string, error) {
	result, err := caller.client.Text(context.Background(), &TextMessage{Text: text})
	return result.GetText(), err
}

func (caller *grpcCaller) add(id int, name string) {
	caller.items.Items = append(caller.items.Items,
		&ItemMessage{Id: int64(id), Name: name, Value: 0.25, Ok: true, Tags: []string{"alpha", "beta"}})
}

func (caller *grpcCaller) objects() (int, error) {
	result, err := caller.client.Items(context.Background(), &caller.items)
	return len(result.GetItems()), err
}
