import JSONRPC
import ExtensionHosting
import HostServices
import JSON

extension Golden {
  static let network: [Golden] = [
    Golden(
      Network.Fetch(
        url: "https://api.example.com/notes", method: "POST", headers: ["Accept": "application/json"],
        body: Network.Body(text: "{}"), timeoutMs: 5000, maxBytes: 65_536, delivery: .inline, requestID: "r1"),
      Network.Fetch.Result(
        status: 201, headers: ["content-type": "application/json"], finalURL: "https://api.example.com/notes/7",
        body: Network.Body(text: "{\"id\":7}"), bytes: 8)),
    Golden(
      Network.Fetch(
        url: "https://api.example.com/map", timeoutMs: 60_000, maxBytes: 104_857_600, delivery: .stream,
        requestID: "r1"),
      Network.Fetch.Result(
        status: 200, headers: ["content-type": "image/png"], finalURL: "https://api.example.com/map",
        body: Network.Body(stream: "s1"))),
  ]
}
