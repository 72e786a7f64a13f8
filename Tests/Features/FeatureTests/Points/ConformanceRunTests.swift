import ExtensionHosting
import ExtensionProtocol
import ExtensionTesting
import FeatureChecks
import HostServices
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Conformance

/// The checks that ran, in order, and how many ran at once.
private final class RanChecks: Sendable {
  private struct State {
    var names: [String] = []
    var inside = 0
    var most = 0
  }

  private let state = Mutex(State())
  var names: [String] { state.withLock { $0.names } }
  var most: Int { state.withLock { $0.most } }

  func enter(_ name: String) {
    state.withLock { state in
      state.names.append(name)
      state.inside += 1
      state.most = max(state.most, state.inside)
    }
  }

  func leave() { state.withLock { $0.inside -= 1 } }
}

/// A feature with one check that uses a host.
private enum Tried: ConformanceFeature {
  @TaskLocal static var ran = RanChecks()
  static let point = ExtensionPoint("com.example.tried")

  static var checks: [ConformanceCheck] {
    [
      ConformanceCheck("scenario", "It works.", advice: "Mend it.", points: [point], requires: []) { _ in
        Tried.ran.enter("scenario")
        Tried.ran.leave()
        return nil
      }
    ]
  }
}

/// None of its checks starts the extension.
@Suite(.timeLimit(.minutes(1))) struct `A run of checks` {
  private let folder: TemporaryDirectory
  private let ran = RanChecks()

  init() throws { folder = try TemporaryDirectory() }

  private func check(
    _ name: String, points: [ExtensionPoint]? = nil, requires: [String] = [], throwing error: (any Error)? = nil
  ) -> ConformanceCheck {
    let ran = ran
    return ConformanceCheck(name, "It keeps \(name).", advice: "Mend it.", points: points, requires: requires) { _ in
      ran.enter(name)
      for _ in 0..<20 { await Task.yield() }
      ran.leave()
      if let error { throw error }
      return "saw \(name)"
    }
  }

  private func findings(
    _ wire: [ConformanceCheck], conversation: [ConformanceCheck] = [],
    features: [any ConformanceFeature.Type] = [], only names: [String] = []
  ) async throws -> [CheckFinding] {
    var list = CheckList(features, hosts: Features.hosts, points: [Tried.point])
    (list.wire, list.conversation) = (wire, conversation)
    let target = LaunchTarget(identity: .testing(point: Tried.point), executable: "/nonexistent")
    return try await ConformanceRun(
      target, list, only: names, registry: ExtensionRegistry(RegistrySources()),
      state: StateDirectory(path: folder.path)
    ).findings()
  }

  @Test func `begins with what a chosen check requires, once, and reports the chosen alone`() async throws {
    let wire = [check("a"), check("b", requires: ["a"]), check("c", requires: ["b", "a"]), check("d")]
    let found = try await findings(wire, only: ["c"])
    #expect(found.map(\.check.name) == ["c"] && found.map(\.outcome) == [.passed(remark: "saw c")])
    #expect(ran.names == ["a", "b", "c"])
  }

  @Test func `skips what requires a check that did not pass, or that there is not`() async throws {
    let found = try await findings([
      check("a", throwing: CheckFailure("It is odd.", lines: ["x"])), check("b", requires: ["a"]),
      check("c", requires: ["b"]), check("d", throwing: CheckSkipped("Not here.")), check("e", requires: ["d"]),
      check("f", requires: ["none"]),
    ])
    #expect(
      found.map(\.outcome) == [
        .failed(seen: "It is odd.", lines: ["x"]), .skipped(why: "“a” did not pass."),
        .skipped(why: "“b” did not pass."), .skipped(why: "Not here."), .skipped(why: "“d” did not pass."),
        .skipped(why: "“none” did not pass."),
      ])
    #expect(found.map(\.hasFailed) == [true, false, false, false, false, false])
    #expect(!found.contains { $0.hasPassed } && ran.names == ["a", "d"])
  }

  @Test func `looks at what was said after all else, and reports it in its place`() async throws {
    let found = try await Tried.$ran.withValue(ran) {
      try await findings([check("wire")], conversation: [check("said")], features: [Tried.self])
    }
    #expect(found.map(\.check.name) == ["wire", "said", "scenario"])
    #expect(found.map(\.outcome).last == .passed(remark: nil) && ran.names == ["wire", "scenario", "said"])
  }

  @Test func `tries at most four at once, and reports all of them in order`() async throws {
    let names = (0..<11).map { "check-\($0)" }
    let found = try await findings(names.map { check($0) })
    #expect(found.map(\.check.name) == names && found.allSatisfy { $0.hasPassed })
    #expect(ran.names.sorted() == names.sorted() && (1...4).contains(ran.most))
  }

  @Test func `has the checks of its point, by their names or their rule`() async throws {
    let checks = [
      check("own", points: [Tried.point]), check("other", points: [ExtensionPoint("com.example.other")]),
      check("none", points: []), check("rule:a/b"), check("rule:a/c"), check("ruled"),
    ]
    #expect(try await findings(checks).map(\.check.name) == ["own", "rule:a/b", "rule:a/c", "ruled"])
    #expect(try await findings(checks, only: ["rule"]).map(\.check.name) == ["rule:a/b", "rule:a/c"])
    #expect(try await findings(checks, only: ["rule:a/c", "own"]).map(\.check.name) == ["own", "rule:a/c"])
    #expect(try await findings(checks, only: ["other"]).isEmpty)
    for name in ["rul", "rule:a", ""] {
      let error = await #expect(throws: ExtensionError.self) { try await findings(checks, only: ["own", name]) }
      #expect(error?.code == .invalidParams && error?.message == "There is no check “\(name)”.")
    }
  }

  @Test func `ends with what says nothing of the extension`() async throws {
    let error = await #expect(throws: ExtensionError.self) {
      try await findings([check("a"), check("b", throwing: ExtensionError(.sandboxUnavailable, "None."))])
    }
    #expect(error?.code == .sandboxUnavailable)
  }

  @Test func `knows what can be wrong in the params of a method, and since when it is one`() throws {
    let methods = try PointMethods(of: Chess.definition).methods
    let move = try #require(methods.first { $0.name == Chess.Move.method })
    let explain = try #require(methods.first { $0.name == Chess.Explain.method })
    let wrong = try #require(WrongParams.all(of: move))
    let object = "With {\"conformance\":true} as"
    #expect(
      wrong.map(\.fault).sorted() == [
        "\(object) “board”", "\(object) “requestID”", "Without “board”", "Without “requestID”",
      ])
    for one in wrong {
      // Each is wrong by one fault.
      let isWrong = ["board", "requestID"].filter { one.params[$0]?.stringValue == nil }
      #expect(isWrong.count == 1 && isWrong.allSatisfy { one.fault.hasSuffix("“\($0)”") }, "\(one)")
    }
    #expect(move.isRequestScoped && !move.isOptional && !explain.isRequestScoped && explain.isOptional)
    try move.requireVersion(.first)
    try explain.requireVersion(PointVersion(1, 1))
    let skipped = #expect(throws: CheckSkipped.self) { try explain.requireVersion(.first) }
    #expect(skipped?.why == "It came with 1.1 of the point, and the extension speaks 1.0.")
  }
}
