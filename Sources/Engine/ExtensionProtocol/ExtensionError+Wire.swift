import JSON
public import JSONRPC

/// The wire form: `{code, message, data: {name, recovery?, details?, cause?}}`, JSON-RPC 2.0's error object.
extension ExtensionError: ErrorObjectConvertible {
  /// The error object; empty members are left out, and details are sorted by name.
  public var errorObject: ErrorObject {
    var data = JSONObject()
    data["name"] = .string(code.name)
    if let recovery { data["recovery"] = .string(recovery) }
    if !details.isEmpty {
      var object = JSONObject()
      for key in details.keys.sorted() { object[key] = details[key] }
      data["details"] = .object(object)
    }
    if !cause.isEmpty { data["cause"] = .array(cause.map { .string($0) }) }
    return ErrorObject(code: code.number, message: message, data: .object(data))
  }

  /// Takes an error object of any JSON-RPC peer: members that are not ours are kept under `details`.
  public init(_ object: ErrorObject) {
    var code = Code(number: object.code)
    var details: [String: JSONValue] = [:]
    var recovery: String?
    var cause: [String] = []
    switch object.data {
    case .object(let data):
      for (key, value) in data {
        switch (key, value) {
        case ("name", .string(let name)):
          if code.recovery == nil { code = Code(number: object.code, name: name) }
        case ("recovery", .string(let text)): recovery = text
        case ("details", .object(let object)): for (name, value) in object { details[name] = value }
        case ("cause", .array(let messages)):
          cause = messages.compactMap { if case .string(let text) = $0 { text } else { nil } }
        default: details[key] = value
        }
      }
    case .some(let value): details["data"] = value
    case nil: break
    }
    self.init(code, object.message, recovery: recovery, details: details, cause: cause)
  }

  /// Creates the error that an extension answered a call with.
  ///
  /// An error that only a host can establish about an extension, for example that it exited, becomes `handlerFailed`,
  /// with the answer under `answered` in the details. So callers can rely on the code of an error.
  ///
  /// - Parameter id: the identifier of the extension, which replaces whatever the extension wrote in the details.
  package init(claim object: ErrorObject, of id: String) {
    self.init(object)
    isClaim = true
    if Code.foundByHost.contains(code) {
      details = ["answered": ["code": .integer(Int64(code.number)), "name": .string(code.name)]]
      code = .handlerFailed
      recovery = code.recovery
    }
    details["extension"] = .string(id)
    // What a process wrote is the host's to say.
    details["standardError"] = nil
    // Nor is the host's advice an extension's.
    details["hostAdvice"] = nil
  }

  /// Any error as one of ours: itself, an error object, a cancellation, or a handler that failed.
  public init(wrapping error: any Error) {
    switch error {
    case let error as ExtensionError: self = error
    case let object as ErrorObject: self.init(object)
    case is CancellationError: self.init(.cancelled, "The request was cancelled.")
    case let convertible as any ErrorObjectConvertible: self.init(convertible.errorObject)
    default: self.init(.handlerFailed, "\(error)")
    }
  }
}
