public import ExtensionProtocol
import JSONRPC

/// A method that an extension serves at its extension point, called with the context of the request.
public typealias PointHandler = MethodHandler<ExtensionContext>

extension MethodHandler where Context == ExtensionContext {
  /// Serves a request of the user's: the context is that of the request.
  public init<Method: RemoteMethod & RequestScoped>(
    _ type: Method.Type, _ body: @escaping @Sendable (Method, ExtensionContext) async throws -> Method.Result
  ) {
    self.init(answering: type) { params, context in
      Answer(try await body(params, context.scoped(to: params.requestID)))
    }
  }
}

extension MethodHandler where Context == ExtensionSession {
  /// Serves in a session what a point's handler serves in a context.
  public init(_ handler: PointHandler) {
    self.init(method: handler.method, deadline: handler.deadline, isNotification: handler.isNotification) {
      message, session throws(ErrorObject) in
      try handler.prepare(message, ExtensionContext(session: session))
    }
  }
}

/// A method that an extension serves.
public typealias SessionHandler = MethodHandler<ExtensionSession>

/// Compares what an extension serves with the definitions of its points, before it says a word.
package enum HandlerCheck {
  /// What is wrong, as sentences for the author; `nil` when nothing is.
  package static func fault(in handlers: [SessionHandler], of points: [ExtensionPointDefinition]) -> String? {
    var served: Set<String> = []
    for handler in handlers where !served.insert(handler.method).inserted {
      return "Two handlers serve \(handler.method). Leave one of them out."
    }
    guard !points.isEmpty else { return nil }
    var names: String { points.map { "\($0.point.rawValue) \($0.version)" }.joined(separator: " and ") }
    let all = points.flatMap(\.allCalls)
    let calls = Dictionary(all.map { ($0.method, $0) }, uniquingKeysWith: { first, _ in first })
    for handler in handlers {
      guard let call = calls[handler.method] else {
        // A handler for a method that is never called is harmless, unless its name is a misspelt method of the point.
        let isOwn = points.contains { handler.method.hasPrefix("\($0.prefix)/") }
        if handler.isNotification, !isOwn { continue }
        return """
          There is a handler of \(handler.method), which is not a method of the extension point \(names). \
          Its methods are \(calls.keys.sorted().joined(separator: ", ")).
          """
      }
      guard call.isNotification == handler.isNotification else {
        return call.isNotification
          ? "\(handler.method) is a notification: make its handler with PointHandler(notification:)."
          : "\(handler.method) is a request: make its handler with PointHandler(_:)."
      }
    }
    let missing = all.filter { !$0.isOptional && !served.contains($0.method) }
    guard !missing.isEmpty else { return nil }
    let methods = Set(missing.map(\.method)).sorted().joined(separator: ", ")
    return "There is no handler of \(methods), which every extension for \(names) has. Add one."
  }
}
