import ExtensionHosting
import ExtensionProtocol
import JSON
import JSONRPC

/// Checks the answers of an extension to params that do not fit.
extension PointMethods.Method {
  var paramsCheck: ConformanceCheck {
    ConformanceCheck(MethodRule.params.check(of: name), MethodRule.params.rule, advice: MethodRule.params.advice) {
      [self] context in
      guard let wrong = WrongParams.all(of: self) else {
        throw CheckSkipped("No params could be made from its schema.")
      }
      if wrong.isEmpty { throw CheckSkipped("Nothing in its params can be wrong.") }
      return try await context.withWire(greets: false) { wire in
        let greeting = try await wire.handshake(within: context.timeout)
        let version = greeting["result"]?["pointVersion"]?.stringValue.flatMap { PointVersion($0) } ?? .first
        try requireVersion(version)
        let remark =
          schema.isNotification
          ? try await notify(wrong, over: wire, context) : try await call(wrong, over: wire, context)
        try await wire.mustAnswer("well", within: context.timeout, after: "wrong params of \(name)")
        return remark
      }
    }
  }

  private func call(_ wrong: [WrongParams], over wire: RawWire, _ context: CheckContext) async throws -> String? {
    for (index, wrong) in wrong.enumerated() {
      let id = JSONValue.integer(Int64(index + 1))
      let answer = try await wire.call(id, name, .object(wrong.params), within: context.timeout)
      switch answer.errorCode {
      case -32602: continue
      case -32601 where isOptional: return "it does not serve it"
      case -32601: throw CheckFailure("It does not serve \(name), which every extension of the point has to.")
      default: throw CheckFailure("\(wrong.fault) it answered \(name) with \(wire.shortened(answer)).")
      }
    }
    return "\(wrong.count) wrong params"
  }

  private func notify(_ wrong: [WrongParams], over wire: RawWire, _ context: CheckContext) async throws -> String? {
    for wrong in wrong { await wire.notify(name, .object(wrong.params)) }
    try await wire.mustAnswer("heard", within: context.timeout, after: "\(name) with wrong params")
    let strays = await wire.strays(besides: [0, "heard"])
    guard strays.isEmpty else { throw CheckFailure("It answered a notification: \(strays[0]).") }
    return "\(wrong.count) wrong params"
  }
}
