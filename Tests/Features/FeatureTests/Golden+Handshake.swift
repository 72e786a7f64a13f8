import JSON
import ExtensionHosting
import HostServices
import JSONRPC
import PropertyList

extension Golden {
  static let handshake: [Golden] = [
    Golden(
      Initialize(
        host: Peer(name: "host", version: "0.1.0"),
        extension: Initialize.Identity(
          id: "com.example.adventures.today", version: "1.0", point: .today, pointVersion: .first,
          containingApp: "com.example.adventures"),
        permissions: ["content": "granted"], limits: ["memoryMiB": 64], locale: "en-US",
        directories: Initialize.Directories(
          scratch: "/s", container: "/c", groups: ["group.com.example.adventures": .init(path: "/g", mode: "rw")])),
      Initialize.Result(
        protocolVersion: "1.0", sdk: Peer(name: "AppExtensions", version: "0.1.0", language: "swift"),
        pointVersion: .first)),
    Golden(Initialized()),
    Golden(Ping(nonce: 7), Ping.Result(nonce: 7, uptimeMs: 1500)),
    Golden(Log(level: .warning, message: "It rains.", fields: ["mm": 3], logger: "weather")),
    Golden(SetTrace(.verbose)),
    Golden(MemoryWarning(level: .warning, usage: 27_000_000, limit: 33_554_432)),
    Golden(Terminate(reason: "idle", graceMs: 2000), Empty()),
  ]
}
