import ExtensionHosting
import ExtensionProtocol
import ExtensionTesting
import FeatureChecks
import HostServices
import JSON
import JSONRPC
import TestSupport
import Testing

@testable import Conformance

/// What checks know of the messages between a host and an extension.
@Suite(.timeLimit(.minutes(1))) struct `A conversation that checks look at` {
  private let folder: TemporaryDirectory
  private let context: CheckContext

  init() throws {
    folder = try TemporaryDirectory()
    let target = LaunchTarget(identity: .testing(), executable: "/nonexistent")
    let host = try ConformanceHost(
      for: target.identity, CheckList([], hosts: Features.hosts, points: []),
      registry: ExtensionRegistry(RegistrySources()), state: StateDirectory(path: folder.path), timeout: .seconds(5))
    context = CheckContext(target: target, timeout: .seconds(5), host: host, feature: nil)
  }

  private func see(_ direction: FrameTap.Direction, _ message: JSONValue) {
    context.host.recorder.tap(context.target.identity.id).see(direction, Array(JSONCoding.text(of: message).utf8))
  }

  private func host(_ message: JSONValue) { see(.outgoing, message) }
  private func peer(_ message: JSONValue) { see(.incoming, message) }
  private func begin() { host(["id": 0, "method": .string(Initialize.method)]) }

  @Test func `is the last one: what was said in an earlier one does not count`() async throws {
    begin()
    host(["id": 1, "method": "a/b"])
    peer(["id": 1, "result": [:]])
    peer(["id": "e", "method": "s/x"])
    #expect(try await context.hasAnswered("a/b"))
    #expect(try await context.hasCalled("s/x"))
    begin()
    host(["id": 1, "method": "a/b"])
    #expect(try await !context.hasAnswered("a/b"))
    #expect(try await !context.hasCalled("s/x"))
    // A request of the extension's own is no answer, whatever its id.
    peer(["id": 1, "method": "s/y"])
    peer(["id": 2, "result": [:]])
    #expect(try await !context.hasAnswered("a/b"))
    #expect(try await !context.hasCalled("a/b"))
    #expect(try await context.conversations().map(\.count) == [4, 4])
  }

  @Test func `has the error of the last request of a method`() async throws {
    begin()
    host(["id": 1, "method": "a/b"])
    host(["id": 2, "method": "a/b"])
    peer(["id": 2, "error": ["code": -32025, "message": "No."]])
    peer(["id": 1, "result": [:]])
    #expect(try await context.ownError(answering: "a/b")?["message"] == "No.")
    #expect(try await context.ownError(answering: "a/c") == nil)
    host(["id": 3, "method": "a/b"])
    #expect(try await context.ownError(answering: "a/b") == nil)
    peer(["id": 3, "result": [:]])
    #expect(try await context.ownError(answering: "a/b") == nil)
    #expect(try await context.hasAnswered("a/b"))
  }

  @Test func `has what the host refused of a call, and of no other`() async throws {
    begin()
    peer(["id": "x", "method": "s/x"])
    peer(["id": "y", "method": "s/y"])
    host(["id": "y", "error": ["code": -32001, "message": "Y."]])
    host(["id": "x", "result": [:]])
    #expect(try await context.refusal(of: "s/x") == nil)
    #expect(try await context.refusal(of: "s/y")?["message"] == "Y.")
    peer(["id": "z", "method": "s/x"])
    host(["id": "z", "error": ["code": -32001, "message": "X."]])
    #expect(try await context.refusal(of: "s/x")?["message"] == "X.")
    begin()
    #expect(try await context.refusal(of: "s/x") == nil)
  }

  @Test(arguments: [(-32051, false), (-32050, true), (-32020, true), (-32019, false)] as [(Int64, Bool)])
  func `excuses a failure by an error of a framework`(code: Int64, isExcused: Bool) async throws {
    begin()
    host(["id": 1, "method": "a/b"])
    peer(["id": 1, "error": ["code": .integer(code), "message": "No."]])
    let excuse = try? await context.excusing("a/c", "a/b") { throw CheckFailure("It failed.") }
    #expect(excuse == (isExcused ? "an error: No." : nil))
    let other = await #expect(throws: CheckFailure.self) {
      _ = try await context.excusing("a/c") { throw CheckFailure("It failed.") }
    }
    #expect(other?.seen == "It failed.")
    // What went well needs no excuse.
    let none = try await context.excusing("a/b") {}
    #expect(none == nil)
  }
}
