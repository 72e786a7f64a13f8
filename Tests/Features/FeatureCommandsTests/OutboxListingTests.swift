import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import HTTP
import HTTPServer
import IdentityServer
import JSON
import Synchronization
import TestSupport
import Testing
import Time
import Transfers

@testable import FeatureCommands

/// `host auth outbox`.
@Suite(.timeLimit(.minutes(1)))
struct `The listing of an outbox` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(AuthCommand.command) }

  private static let messages: [JSONValue] = [
    ["to": "a@b", "channel": "email", "code": "123456", "purpose": "sign-in"], ["to": "c@d", "code": "654321"],
  ]

  @Test func `is a table, with a dash for what is not said`() throws {
    let listing = try OutboxListing(try stage.invocation("outbox"))
    #expect(try listing.report(Self.messages, of: nil) == .success)
    #expect(
      stage.output == """
        TO   BY     CODE    FOR
        a@b  email  123456  sign-in
        c@d  -      654321  -

        """)
  }

  @Test func `is the newest code of a user alone`() throws {
    let listing = try OutboxListing(try stage.invocation("outbox", "c@d"))
    #expect(try listing.report(Self.messages, of: "c@d") == .success)
    #expect(stage.output == "654321\n")
    for none: [JSONValue] in [[], [["to": "c@d"]]] {
      let error = #expect(throws: ExtensionError.self) { try listing.report(none, of: "c@d") }
      #expect(error?.code == .serviceUnavailable && error?.message == "No code was sent to this user.")
    }
  }

  @Test func `is all that came, for a program`() throws {
    let listing = try OutboxListing(try stage.invocation("outbox", "c@d", "--json"))
    #expect(try listing.report(Self.messages, of: "c@d") == .success)
    #expect(try JSONValue(parsing: stage.output) == ["messages": .array(Self.messages)])
  }
}

/// `host auth outbox` at a server.
@Suite(.timeLimit(.minutes(1)))
struct `An outbox that is looked at` {
  private static func message(_ to: String, _ code: String, sentAt: Int64 = 0) -> JSONValue {
    ["to": .string(to), "code": .string(code), "sentAt": .integer(sentAt)]
  }

  /// - Parameters:
  ///   - isKnown: whether the tool has written down that the server is one of its own.
  ///   - host: the name of the server in the command.
  ///   - messages: what the server has at each look, counted from 1.
  /// - Returns: what is printed, and what each look had for an authorization.
  private func outbox(
    _ words: String..., isKnown: Bool = false, host: String = "127.0.0.1",
    messages: @escaping @Sendable (Int) -> [JSONValue]
  ) async throws -> (output: String, looks: [String?]) {
    let stage = try FeatureStage(AuthCommand.command)
    let looks = Mutex<[String?]>([])
    let server = HTTPServer { request in
      let number = looks.withLock { looks in
        looks.append(request.header("Authorization"))
        return looks.count
      }
      let document: JSONValue = ["messages": .array(messages(number))]
      return ServerResponse(text: document.description)
    }
    try await server.withRunning { address in
      let invocation = try stage.invocation(
        ["outbox"] + words + ["--authority", "http://\(host):\(address.port)/t"])
      if isKnown {
        let servers = LocalServers(try invocation.state())
        let secret = "secret of \(address.host)"
        try servers.add(.init(name: "i", host: address.host, port: address.port, secret: secret, admitsFetches: false))
      }
      #expect(try await OutboxListing(invocation).run() == .success)
    }
    return (stage.output, looks.withLock { $0 })
  }

  @Test(arguments: [("127.0.0.1", false), ("127.0.0.1", true), ("localhost", true)])
  func `is asked for with the secret that its server wrote down, and else with none`(
    host: String, isKnown: Bool
  ) async throws {
    let (output, looks) = try await outbox("A@b", isKnown: isKnown, host: host) { _ in [Self.message("a@B", "1")] }
    #expect(output == "1\n" && looks == [isKnown ? "Bearer secret of 127.0.0.1" : nil])
  }

  @Test func `is waited for until it has what it had not at the first look, of this user`() async throws {
    let (old, others) = (Self.message("a@b", "1"), Self.message("c@d", "2"))
    let (output, looks) = try await outbox("a@b", "--wait") { number in
      switch number {
      case 1: [old]
      case 2: [old, others]
      case 3: [old, others]
      default: [Self.message("A@b", "3"), old, others]
      }
    }
    #expect(output == "3\n" && looks.count == 4)
  }

  @Test func `has after some looks also what came just before the first, and nothing older`() async throws {
    let now = UnixTime.now.seconds
    let (output, looks) = try await outbox("a@b", "--wait") { _ in
      [Self.message("a@b", "new", sentAt: now + 60), Self.message("a@b", "old", sentAt: now - 60)]
    }
    #expect(output == "new\n" && looks.count == 17)
  }
}

/// What `host serve identity` adds to its options.
@Suite(.timeLimit(.minutes(1)))
struct `A local identity server of a command` {
  @Test func `tells of each request where somebody reads it`() throws {
    let stage = try FeatureStage(LocalIdentityServer.command)
    let loud = try LocalIdentityServer.configuration(try stage.invocation(verbosity: .verbose))
    loud.log("GET /a")
    #expect(stage.errors.contains("GET /a\n"))
    stage.clear()
    for verbosity in [Console.Verbosity.normal, .quiet] {
      let silent = try LocalIdentityServer.configuration(try stage.invocation(verbosity: verbosity))
      silent.log("GET /a")
    }
    #expect(stage.errors == "" && stage.output == "")
  }

  @Test func `has a secret of its own each time, and what the command line says`() throws {
    let stage = try FeatureStage(LocalIdentityServer.command)
    let one = try LocalIdentityServer.configuration(try stage.invocation("--port", "0", "--user", "a@b"))
    let other = try LocalIdentityServer.configuration(try stage.invocation())
    #expect(one.port == 0 && one.users.map(\.username) == ["a@b"] && other.port == 4505)
    #expect(!one.outboxSecret.isEmpty && one.outboxSecret != other.outboxSecret)
  }
}

/// A transfer that a user begins.
@Suite(.timeLimit(.minutes(1)))
struct `A transfer of a command line` {
  private static func request(_ words: String...) throws -> (url: String, headers: [[String]]) {
    let stage = try FeatureStage(
      [.value("header", "NAME:VALUE", "A field", isRepeatable: true)], arguments: [CommandArgument("URL", "It")])
    let given = words.dropFirst().first ?? "A: b"
    let request = try OwnTransfer.request("PUT", try stage.invocation(words[0], "--header", given, "--header", "X:1"))
    #expect(request.method == "PUT")
    return (request.url, [request.headers.values(of: "a"), request.headers.values(of: "x")])
  }

  static let names: [(url: String, name: String)] = [
    ("https://a/b/c.jpg", "c.jpg"), ("https://a/b/c.jpg?d/e", "c.jpg"), ("https://a/b/c#d/e", "c"),
    ("https://a/b/", "b"),
    ("https://a", "index.html"), ("https://a/", "index.html"), ("https://a?b/c", "index.html"),
  ]

  @Test(arguments: names) func `is called after the last part of its path`(url: String, name: String) {
    #expect(OwnTransfer.name(of: url) == name)
  }

  @Test func `goes to a file in a folder that is there, and in no folder's place`() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.write("", to: "old")
    try Folder.make(directory.file("inner"))
    for name in ["new", "old", "inner/new"] {
      let place = try OwnTransfer.place(directory.file(name))
      #expect(place.absolute == directory.file(name) && "\(place.folder)/\(place.name)" == place.absolute)
    }
    for name in ["none/new", "old/new", "new/", "inner", "inner/", "inner/..", "inner/.", ""] {
      let path = "\(directory.path)/\(name)"
      let error = #expect(throws: CommandLineError.self) { try OwnTransfer.place(path) }
      #expect(error?.message == "“\(path)” is not a place for a file.")
    }
    #expect(throws: CommandLineError.self) { try OwnTransfer.place("/") }
  }

  @Test func `comes under a name that a file may have, of however many bytes its own is`() {
    let ending = ".\(getpid()).part"
    #expect(OwnTransfer.partName(of: "c.jpg") == ".c.jpg\(ending)")
    // Characters of one, four and twelve bytes.
    for (character, most) in [("a", 255), ("\u{1F600}", 63), ("\u{915}\u{94D}\u{937}\u{93F}", 21)] {
      for count in [1, most / 2, most] {
        let part = OwnTransfer.partName(of: String(repeating: character, count: count))
        #expect(part.utf8.count <= 255 && part.hasPrefix(".\(character)"), "\(count) of \(character)")
        #expect(part.hasSuffix(ending))
      }
    }
  }

  @Test func `has the fields that are given, without the spaces before a value`() throws {
    #expect(try Self.request("http://a/b").headers == [["b"], ["1"]])
    #expect(try Self.request("http://a/b", "A:b").headers == [["b"], ["1"]])
    #expect(try Self.request("http://a/b", "A:  b: c ").headers == [["b: c "], ["1"]])
    #expect(try Self.request("http://a/b", "A:").headers == [[""], ["1"]])
    for wrong in ["A", ":b"] {
      let error = #expect(throws: CommandLineError.self) { try Self.request("http://a/b", wrong) }
      #expect(error?.message == "“\(wrong)” is not a header field.")
    }
  }

  @Test(arguments: ["ftp://a/b", "a/b", "https://user@a/b", "file:///a"])
  func `goes to a server, and carries no name in its address`(url: String) {
    let error = #expect(throws: CommandLineError.self) { try Self.request(url) }
    #expect(error?.message.hasPrefix("“\(url)” is not an http or https URL") == true)
  }
}
