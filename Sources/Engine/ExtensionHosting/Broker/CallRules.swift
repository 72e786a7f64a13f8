import JSON
import ExtensionProtocol

/// The methods that a host calls at each extension point, so that nothing else is sent to an extension. Created once
/// for a host.
struct CallRules: Sendable {
  private let points: ExtensionPointTable
  /// The methods of each point, with the versions that they came with.
  private let calls: [ExtensionPoint: [String: PointVersion]]
  /// The methods that every extension may receive: the wire's own messages, and what services send to their callers,
  /// which an extension need not handle.
  private let common: Set<String>

  /// - Parameters:
  ///   - points: the points of the host.
  ///   - contracts: those of its services.
  init(points: ExtensionPointTable, contracts: [any ServiceContract.Type]) {
    self.points = points
    var calls: [ExtensionPoint: [String: PointVersion]] = [:]
    for definition in points.all {
      let own = definition.calls.map { ($0.method, definition.version(of: $0)) }
      // Whatever version of the point an extension speaks.
      let others = definition.commonCalls.flatMap { $0.calls }.map { ($0.method, definition.oldest) }
      calls[definition.point] = Dictionary(own + others, uniquingKeysWith: { first, _ in first })
    }
    self.calls = calls
    let told = contracts.flatMap { $0.calls }.filter(\.isOptional)
    common = Set((MethodCatalogue.wire + told).map(\.method))
  }

  /// Returns the methods of one point with the versions that introduced them, for callers that check one process many
  /// times.
  func calls(at point: ExtensionPoint) -> [String: PointVersion] { calls[point] ?? [:] }

  /// Why a method is not called of a process; `nil` when it is.
  ///
  /// - Parameters:
  ///   - point: the point of the process.
  ///   - version: what the process speaks of the point's definition.
  ///   - name: of the extension, for people.
  func refusal(
    of method: String, at point: ExtensionPoint, version: PointVersion, of name: String
  ) -> ExtensionError? {
    if let since = calls[point]?[method] {
      guard version < since else { return nil }
      return ExtensionError(
        .methodNotFound,
        "\(name) speaks version \(version) of the extension point \(points.shortName(of: point)), and \(method) came with "
          + "\(since).",
        recovery: "Build \(name) against version \(since) of the extension point, or do without the method.",
        details: [
          "method": .string(method), "has": .string(version.description), "needs": .string(since.description),
        ])
    }
    if common.contains(method) { return nil }
    let owner = points.all.first { method.hasPrefix("\($0.prefix)/") && $0.point != point }
    let whose = owner.map { ", but of \($0.shortName)" } ?? ""
    let known = calls(at: point).keys.sorted().joined(separator: ", ")
    return ExtensionError(
      .pointDisallows,
      "\(method) is not a method of the extension point \(points.shortName(of: point))\(whose), so it was not sent to \(name).",
      recovery: known.isEmpty ? "Add the method to the definition of the point." : "Call one of \(known).",
      details: ["method": .string(method), "point": .string(point.rawValue)])
  }
}
