import Foundation
import HTTPServer
import JSON
import Testing

/// Commands of features that are refused before anything is started: one line says what is wrong, one what to do.
@Suite(.timeLimit(.minutes(2)))
struct `A command that cannot do what it is told` {
  struct Refusal: Sendable {
    let words: [String]
    let status: Int32
    let error: String
    var help = ""
  }

  /// The tool beside an empty folder, a photo, and a service without a Swift package.
  private static func stage() throws -> HostTool {
    let host = try HostTool()
    try host.folder.write("photo.jpg", "no photo")
    try host.folder.write("empty/x", "")
    for name in ["service", "changed"] {
      try host.folder.write(
        "\(name)/dataconnect.yaml",
        """
        specVersion: v1
        serviceId: notes
        location: us-east4
        schema: {source: ./schema, datasource: {postgresql: {database: d}}}
        connectorDirs: [./web]

        """)
      try host.folder.write("\(name)/schema/schema.gql", "type Note @table { title: String! }\n")
      try host.folder.write("\(name)/web/connector.yaml", "connectorId: web\n")
      try host.folder.write("\(name)/web/a.gql", "query listNotes @auth(level: USER) { notes { id } }\n")
    }
    return host
  }

  private static func refusals(_ folder: String) -> [Refusal] {
    let (service, photo) = ("\(folder)/service", "\(folder)/photo.jpg")
    return [
      Refusal(
        words: ["share", "--text", "x", "--option", "novalue"], status: 64, error: "“novalue” is not an option."),
      Refusal(words: ["photo", "edit", photo, "--option", "=v"], status: 64, error: "“=v” is not an option."),
      Refusal(words: ["photo", "edit", photo, "--ask"], status: 64, error: "--ask needs a terminal."),
      Refusal(words: ["photo", "edit", photo, "--revert"], status: 1, error: "photo.jpg was not edited here"),
      Refusal(
        words: ["data", "compile", "--dir", "\(folder)/none"], status: 66, error: "There is no folder", help: "--dir"),
      Refusal(
        words: ["data", "compile", "--dir", "\(folder)/empty"], status: 66, error: "There is no dataconnect.yaml in",
        help: "host data init"),
      Refusal(
        words: ["data", "compile", "--dir", service, "--service", "notez"], status: 66,
        error: "There is no service “notez” in", help: "Did you mean notes?"),
      Refusal(
        words: ["data", "compile", "--dir", service, "--service", "xyzzyx"], status: 66, error: "There is no service",
        help: "There are notes."),
      Refusal(
        words: ["data", "generate", "--dir", service, "--connector", "wep"], status: 66,
        error: "There is no connector “wep”.", help: "Did you mean web?"),
      Refusal(
        words: ["data", "generate", "--dir", service], status: 78, error: "No connector.yaml asks for a Swift package.",
        help: "host data init"),
      Refusal(
        words: ["data", "generate", "--dir", service, "--annex", "\(folder)/empty"], status: 66,
        error: "There is no Swift package in", help: "--annex"),
      Refusal(words: ["data", "init", "--dir", "\(folder)/none"], status: 66, error: "There is no folder"),
      Refusal(
        words: ["data", "init", "--dir", "\(folder)/changed", "--package", "\(folder)/empty"], status: 66,
        error: "There is no Package.swift in", help: "--package"),
      Refusal(words: ["auth", "sign-in"], status: 64, error: "Name the account to sign in"),
      Refusal(words: ["auth", "sign-in", "u", "--browser"], status: 64, error: "knows no device code", help: "openid"),
      Refusal(
        words: ["auth", "sign-in", "--kind", "openid", "--browser", "--redirect-path", "x"], status: 64,
        error: "“x” is not a path.", help: "/callback"),
      Refusal(words: ["auth", "sign-up", "u", "--kind", "openid"], status: 78, error: "which only signs in."),
      Refusal(words: ["auth", "sign-up", "u", "--attribute", "=x"], status: 64, error: "“=x” is not an attribute."),
      Refusal(words: ["auth", "accounts", "--app", "org.none"], status: 66, error: "No app is called “org.none”."),
      Refusal(
        words: ["auth", "accounts", "--cache-key-fd", "0"], status: 66, error: "is not a key of 32 bytes",
        help: "permissions"),
      Refusal(
        words: ["auth", "call", "http://example.com/"], status: 64, error: "would go to example.com without encryption"),
      Refusal(words: ["auth", "call", "ftp://127.0.0.1/"], status: 64, error: "is not an http or https URL"),
      Refusal(
        words: ["auth", "call", "http://127.0.0.1:1/", "-H", "Authorization: x"], status: 64,
        error: "“Authorization: x” is not a header field for this."),
      Refusal(
        words: ["auth", "outbox", "--authority", "http://127.0.0.1:1/t"], status: 69,
        error: "The outbox cannot be read: ", help: "host serve identity"),
      Refusal(words: ["content", "image", "x", "--quality", "101"], status: 64, error: "--quality", help: "1 to 100"),
      Refusal(
        words: ["documents", "import", "x", "--with", "com.example.adventures.today"], status: 1,
        error: "com.example.adventures.today is not a document picker that can import this."),
      Refusal(
        words: ["documents", "list", "--manifests", "\(folder)/empty"], status: 66,
        error: "There is no document picker for this.", help: "host list --point picker"),
      Refusal(
        words: ["keyboard", "--manifests", "\(folder)/empty"], status: 66, error: "There is no keyboard.",
        help: "host list --point keyboard"),
      Refusal(
        words: ["photo", "edit", photo, "--manifests", "\(folder)/empty"], status: 66,
        error: "There is no extension that edits photos.", help: "host list --point photo"),
      Refusal(
        words: ["permissions", "grant"], status: 64, error: "needs the identifier of an extension.",
        help: "ID grant NAME"
      ),
      Refusal(
        words: ["permissions", "org.a", "grnt"], status: 64, error: "“grnt” is not a value", help: "mean grant?"),
    ]
  }

  @Test func `is answered in one line, with another that helps`() async throws {
    let host = try Self.stage()
    let refusals = Self.refusals(host.folder.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, refusal) in refusals.enumerated() {
        if index >= 3 { try await group.next() }
        group.addTask {
          let output = try await host(refusal.words)
          let lines = output.stderr.split(separator: "\n")
          #expect(output.status == refusal.status && output.stdout == "", "\(refusal.words): \(output)")
          let (error, help) = (lines.first { $0.hasPrefix("error: ") }, lines.first { $0.hasPrefix("help: ") })
          #expect(error?.contains(refusal.error) == true, "\(refusal.words): \(output)")
          #expect(refusal.help.isEmpty || help?.contains(refusal.help) == true, "\(refusal.words): \(output)")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `is told apart by what an outbox answers`() async throws {
    let host = try HostTool()
    let server = HTTPServer { request in
      request.path == "/outbox"
        ? ServerResponse(
          text: #"{"messages": [{"to": "A@b", "channel": "email", "code": "1"}, {"to": "c", "code": "2"}]}"#)
        : ServerResponse(status: 404, text: "no")
    }
    try await server.withRunning { address in
      let place = ["--authority", "\(address.url)/t"]
      let one = try await host(["auth", "outbox", "a@B"] + place)
      #expect(one.status == 0 && one.stdout == "1\n", "\(one)")
      let all = try await host(["auth", "outbox"] + place)
      #expect(all.stdout.split(separator: "\n").count == 3 && all.stdout.contains("email"), "\(all)")
      let nobody = try await host(["auth", "outbox", "x"] + place)
      #expect(nobody.status == 69 && nobody.stderr.contains("No code was sent to this user."), "\(nobody)")
      let json = try await host(["auth", "outbox", "c", "--json"] + place).json
      #expect(json["messages"]?.arrayValue?.count == 1 && json["messages"]?[0]?["code"] == "2", "\(json)")
    }
    for (status, text, code, error) in [
      (401, "{}", 77, "needs the secret of its server."),
      (200, "{}", 69, "is not an outbox of a local identity server."),
      (500, #"{"messages": []}"#, 69, "is not an outbox of a local identity server."),
    ] as [(Int, String, Int32, String)] {
      let other = HTTPServer { _ in ServerResponse(status: status, text: text) }
      try await other.withRunning { address in
        let output = try await host("auth", "outbox", "--authority", "\(address.url)/t")
        #expect(output.status == code && output.stderr.contains(error), "\(output)")
      }
    }
  }
}
