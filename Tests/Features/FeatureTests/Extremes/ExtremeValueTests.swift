import JSONRPC
import EventLoop
import ExtensionHosting
import HostServices
import JSON
import TestSupport
import Testing

@testable import ExtensionTesting

/// Swift ends the process when arithmetic overflows, when an index is outside, or when a conversion does not fit: an extension
/// would choose the number. A host that ends here takes the whole run of the tests with it.
@Suite(.timeLimit(.minutes(5)))
struct `An extension with extreme values` {
  private static let served = Set(Features.methods.entries.filter { !$0.isCalledByHost }.map(\.method))
  /// Of the wire itself, and not of any feature: the broker and the connection serve or make them.
  private static let ofTheWire: Set<String> = ["$/log", "$/ping", "terminate"]

  /// The calls of extensions.
  static let calls = Golden.all.filter { served.contains($0.method) }
  /// The calls of hosts.
  static let answers = Golden.all.filter { golden in
    golden.call != nil && !served.contains(golden.method) && !ofTheWire.contains(golden.method)
  }

  private static let identity = Caller.Identity.testing(
    groups: ["group.a", "group.com.example.adventures"], entitlements: Features.contracts.map { $0.name },
    permissions: [AskedPermission("network")])

  /// Any point may call anything.
  private static let open = Allowlist(
    Features.contracts.map { Allowlist.Row("\($0.name)/*", nil, nil, "Open for a test.") })

  @Test(arguments: try Cases.present(calls))
  func `gets an answer to each call, whatever its params are`(golden: Golden) async throws {
    let params = try #require(try golden.line()["params"])
    let variants = ExtremeValues.variants(of: params) + [params, [:], []]
    let calls = variants.map { GoldenPeer.Call(method: golden.method, params: Self.soon($0)) }
    var stage = Stage(allowlist: Self.open)
    stage.hasEveryFeature = true
    stage.hasScratch = true
    stage.deadlines.service = .milliseconds(100)
    // Some at a time: no peer is that patient, and no host.
    for start in stride(from: 0, to: calls.count, by: 100) {
      let peer = GoldenPeer(calls: ["$/ping": Array(calls[start..<min(calls.count, start + 100)])])
      try await stage.withPeer(peer, identity: Self.identity) { process in
        _ = try? await process.call(Ping(), deadline: .seconds(60))
        _ = process.caller.instance
      }
    }
  }

  @Test(arguments: try Cases.present(answers))
  func `answers each call of the host, whatever the result is`(golden: Golden) async throws {
    let result = try #require(try golden.line()["result"])
    let call = try #require(golden.call)
    // Where the host calls it: elsewhere nothing would be sent.
    let point = Features.points.all.first { $0.allCalls.contains { $0.method == golden.method } }?.point
    let variants = ExtremeValues.variants(of: result) + [result, .null, [], "", 1]
    let results = GoldenPeer.Results(variants)
    let peer = GoldenPeer(results: [golden.method: results])
    // One peer has as many of them as the host takes before it ends the connection.
    for _ in variants where results.count > 0 {
      try? await Stage().withPeer(peer, identity: .testing(point: point)) { process in
        var before: Int
        repeat {
          before = results.count
          _ = try? await call(process)
        } while (1..<before).contains(results.count)
      }
    }
    #expect(results.count == 0)
  }

  @Test(arguments: try Cases.present(HostFlow.all))
  func `answers in the middle of a request, whatever the result is`(flow: HostFlow) async throws {
    let loop = EventLoop.onThread(name: "flow")
    defer { loop.stop() }
    let goldens = Dictionary(
      try Golden.all.map { ($0.method, try $0.line()) }, uniquingKeysWith: { first, _ in first })
    let calls = flow.calls.mapValues { methods in
      methods.compactMap { method in
        goldens[method]?["params"].map { GoldenPeer.Call(method: method, params: Self.soon($0)) }
      }
    }
    #expect(calls.values.joined().count == flow.calls.values.joined().count)
    await flow.run(with: GoldenPeer(calls: calls), on: loop)
    for method in flow.methods {
      let result = try #require(goldens[method]?["result"], "\(method)")
      for variant in ExtremeValues.variants(of: result, all: false) {
        await flow.run(with: GoldenPeer(results: [method: .init([variant])], calls: calls), on: loop)
      }
    }
  }

  @Test(arguments: try Cases.present(HostFlow.all))
  func `calls in the middle of a request, whatever the params are`(flow: HostFlow) async throws {
    let loop = EventLoop.onThread(name: "flow")
    defer { loop.stop() }
    for (method, callbacks) in flow.calls {
      for callback in callbacks {
        let golden = try #require(Golden.all.first { $0.method == callback })
        let params = try #require(try golden.line()["params"])
        for variant in ExtremeValues.variants(of: params, all: false) {
          let others = try callbacks.filter { $0 != callback }.map { other in
            let golden = try #require(Golden.all.first { $0.method == other })
            return GoldenPeer.Call(method: other, params: Self.soon(try #require(try golden.line()["params"])))
          }
          let calls = [
            GoldenPeer.Call(method: callback, params: Self.soon(variant)),
            GoldenPeer.Call(method: callback, params: Self.soon(params)),
          ]
          await flow.run(with: GoldenPeer(calls: [method: calls + others]), on: loop)
        }
      }
    }
  }

  @Test func `is tried with every method`() {
    let tried = Set((Self.calls + Self.answers).map(\.method))
    let methods = Set(Golden.all.filter { $0.call != nil }.map(\.method))
    #expect(methods.subtracting(tried).isSubset(of: Self.ofTheWire))
    for flow in HostFlow.all {
      for method in flow.methods { #expect(methods.contains(method), "\(method)") }
    }
  }

  /// With a deadline of the caller's own, as some calls wait for others, and without work that goes on behind an end.
  private static func soon(_ params: JSONValue) -> JSONValue {
    guard case .object(var object) = params else { return params }
    if object["completionWork"] == true { object["completionWork"] = nil }
    object["_meta"] = ["deadlineMs": 50]
    return .object(object)
  }
}
