import AppExtensions
import ExtensionHosting
import ExtensionTesting
import Foundation
import HTTPClient
import HTTPServer
import NetworkServices
import TestSupport
import Testing

@testable import Fetching

@Suite(.timeLimit(.minutes(1)))
struct `A server of the tool on this machine` {
  let folder: TemporaryDirectory
  let servers: LocalServers

  init() throws {
    folder = try TemporaryDirectory()
    servers = LocalServers(StateDirectory(path: folder.path))
  }

  private func path(_ port: Int) -> String { "\(folder.path)/servers/127.0.0.1_\(port).json" }

  @Test func `is found with its secret, by its user alone, and until it ends`() throws {
    let entry = LocalServers.Entry(
      name: "data", host: "127.0.0.1", port: 9_399, secret: LocalServers.newSecret(), admitsFetches: false)
    #expect(servers.server(at: "127.0.0.1", port: 9_399) == nil)
    try servers.add(entry)
    #expect(entry.secret.utf8.count == 64)
    let attributes = try FileManager.default.attributesOfItem(atPath: path(9_399))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(servers.server(at: "127.0.0.1", port: 9_399) == entry)
    #expect(servers.server(at: "localhost", port: 9_399) == entry)
    #expect(servers.servers(atPort: 9_399) == [entry])
    for (host, port) in [
      ("127.0.0.1", 399), ("127.0.0.2", 9_399), ("::1", 9_399), ("../127.0.0.1", 9_399), ("", 9_399),
    ] {
      #expect(servers.server(at: host, port: port) == nil)
    }
    #expect(servers.servers(atPort: 399).isEmpty)
    // A file that others may read says nothing.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path(9_399))
    #expect(servers.server(at: "127.0.0.1", port: 9_399) == nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(9_399))
    servers.remove(entry)
    #expect(servers.server(at: "127.0.0.1", port: 9_399) == nil)
    servers.remove(entry)
  }

  @Test func `is found in the folder of the servers, whatever the name of its host says`() throws {
    let entry = LocalServers.Entry(name: "data", host: "127.0.0.1", port: 9_399, secret: "a", admitsFetches: false)
    try servers.add(entry)
    let outside = "\(folder.path)/127.0.0.1_9399.json"
    try FileManager.default.moveItem(atPath: path(9_399), toPath: outside)
    #expect(servers.server(at: "../127.0.0.1", port: 9_399) == nil)
    #expect(servers.server(at: "[../127.0.0.1]", port: 9_399) == nil)
    // An address has 64 bytes at the most, and none is none.
    for (count, isFound) in [(0, false), (64, true), (65, false)] {
      let host = String(repeating: "a", count: count)
      let file = "\(folder.path)/servers/\(host)_9399.json"
      try FileManager.default.copyItem(atPath: outside, toPath: file)
      #expect((servers.server(at: host, port: 9_399) != nil) == isFound, "\(count)")
    }
  }

  @Test func `is forgotten with its process`() throws {
    let entry = LocalServers.Entry(name: "data", host: "127.0.0.1", port: 9_399, secret: "a", admitsFetches: false)
    try servers.add(entry)
    let text = try String(contentsOfFile: path(9_399), encoding: .utf8)
    let own = try #require(text.split(separator: "\"").first { $0.hasPrefix("\(getpid())-") })
    try Data(text.replacing(own, with: "\(getpid())-1").utf8).write(to: URL(filePath: path(9_399)))
    #expect(servers.server(at: "127.0.0.1", port: 9_399) == nil)
    try servers.add(LocalServers.Entry(name: "content", host: "::1", port: 4_503, admitsFetches: true))
    #expect(!FileManager.default.fileExists(atPath: path(9_399)))
    #expect(servers.server(at: "[::1]", port: 4_503)?.name == "content")
  }

  @Test func `is taken away by itself alone, and found by its name, the least port first`() throws {
    let old = LocalServers.Entry(name: "data", host: "127.0.0.1", port: 9_400, secret: "a", admitsFetches: false)
    var new = old
    new.secret = "b"
    for entry in [old, new] { try servers.add(entry) }
    servers.remove(old)
    #expect(servers.server(at: "127.0.0.1", port: 9_400) == new)
    let six = LocalServers.Entry(name: "data", host: "::a", port: 9_399, admitsFetches: true)
    let own = LocalServers.Entry(name: "content", host: "::1", port: 9_399, admitsFetches: true)
    for entry in [six, own] { try servers.add(entry) }
    #expect(servers.servers(named: "data") == [six, new] && servers.servers(named: "dat") == [])
    #expect(Set(servers.servers(atPort: 9_399)) == [six, own])
    for host in ["::a", "::A", "[::A]"] { #expect(servers.server(at: host, port: 9_399) == six) }
    for host in ["[::a", "::a]"] { #expect(servers.server(at: host, port: 9_399) == nil) }
    #expect(servers.server(at: "LOCALHOST", port: 9_399) == own)
  }

  @Test func `is asked by no extension, unless its user lets them`() async throws {
    let server = HTTPServer { request in
      if request.path == "/mark" { return ServerResponse(text: request.header("Annex-Fetch") ?? "-") }
      return ServerResponse(status: 302, headers: [ServerField("Location", request.query ?? "")])
    }
    let identity = Caller.Identity.testing(permissions: [
      AskedPermission("network", scope: ["127.0.0.1:*", "localhost:*"])
    ])
    let host = TestHost(services: [NetworkService(avoiding: servers)], consent: .grant)
    try await server.withRunning { first in
      try await server.withRunning { second in
        @Sendable func fetch(_ url: String) async throws -> String? {
          try await host.inWidget(as: identity) { try await $0.fetch(url).body.text }
        }
        #expect(try await fetch("\(first.url)/mark") == "1")
        var entry = LocalServers.Entry(name: "data", host: first.host, port: first.port, admitsFetches: false)
        try servers.add(entry)
        for url in [
          "\(first.url)/mark", "http://localhost:\(first.port)/mark", "\(second.url)/x?\(first.url)/mark",
        ] {
          let error = await #expect(throws: ExtensionError.self) { try await fetch(url) }
          #expect(error?.message.contains("host serve data") == true, "\(url)")
        }
        #expect(try await fetch("\(second.url)/mark") == "1")
        entry.admitsFetches = true
        try servers.add(entry)
        #expect(try await fetch("\(second.url)/x?\(first.url)/mark") == "1")
        entry.admitsFetches = false
        try servers.add(entry)
        servers.remove(entry)
        #expect(try await fetch("\(first.url)/mark") == "1")
      }
    }
  }

  @Test func `is told by a mark that an extension asks, and no server of the internet is`() throws {
    for (url, mark) in [
      ("http://127.0.0.1:1/", "1"), ("https://nas.local/", "1"), ("https://10.0.0.1/", "1"),
      ("https://example.com/", nil),
    ] {
      var request = HTTPRequest("GET", url, headers: ["annex-fetch": "0"])
      FetchRules.confine(&request, to: try #require(HTTPOrigin(url: url)))
      #expect(request.headers.values(of: "Annex-Fetch") == [mark].compactMap(\.self))
    }
  }

  @Test func `is kept from extensions by any name and address that reaches it, each server for itself`() throws {
    let rules = FetchRules(
      entries: ["localhost:*", "127.0.0.1:*", "127.0.0.9:*", "http://192.168.0.7:*", "http://10.0.0.1:*"],
      avoiding: servers)
    func refusal(_ url: String, _ rules: FetchRules) throws -> ExtensionError? {
      rules.refusal(of: try #require(HTTPOrigin(url: url)))
    }
    let all = [
      "http://localhost:9399", "http://127.0.0.1:9399", "http://127.0.0.9:9399", "http://192.168.0.7:9399",
      "http://10.0.0.1:9399",
    ]
    for url in all { #expect(try refusal(url, rules) == nil) }
    // Of two at one port of this machine the first lets extensions in.
    for (host, admits) in [("127.0.0.1", true), ("::1", false), ("192.168.0.7", false), ("10.0.0.1", true)] {
      try servers.add(LocalServers.Entry(name: "data", host: host, port: 9_399, admitsFetches: admits))
    }
    for url in all.dropLast() {
      let error = try refusal(url, rules)
      #expect(error?.code == .permissionDenied && error?.details["permission"] == "network", "\(url)")
      #expect(error?.details["state"] == "denied" && error?.message.contains("host serve data") == true)
      let origin = try #require(HTTPOrigin(url: url))
      #expect(error?.details["server"] == .string(origin.description))
      #expect(try refusal(url.replacing("9399", with: "9398"), rules) == nil)
    }
    #expect(try refusal("http://10.0.0.1:9399", rules) == nil)
    #expect(try refusal("http://10.0.0.2:9399", rules)?.recovery?.contains("Annex.Network") == true)
    #expect(try refusal(all[0], FetchRules(entries: ["localhost:*"])) == nil)
    try servers.add(LocalServers.Entry(name: "data", host: "::1", port: 9_399, admitsFetches: true))
    #expect(try refusal(all[3], rules) != nil)
    servers.remove(LocalServers.Entry(name: "data", host: "192.168.0.7", port: 9_399, admitsFetches: false))
    for url in all { #expect(try refusal(url, rules) == nil) }
  }
}
