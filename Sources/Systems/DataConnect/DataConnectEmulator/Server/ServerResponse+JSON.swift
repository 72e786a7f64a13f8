import HTTPServer
import JSON

extension ServerResponse {
  private static let contentType = ServerField("Content-Type", "application/json; charset=utf-8")

  /// - Parameter json: JSON text.
  init(json: [UInt8], status: Int = 200) {
    self.init(status: status, headers: [Self.contentType, ServerField("Cache-Control", "no-store")], body: json)
  }

  init(_ value: JSONValue, status: Int = 200) {
    self.init(json: Array(JSONCoding.text(of: value).utf8), status: status)
  }

  init(_ failure: RequestFailure) { self.init(failure.json, status: failure.status) }
}

extension RequestFailure {
  /// `{"code": 404, "message": "…", "status": "NOT_FOUND"}`.
  var json: JSONValue {
    ["code": JSONValue(status), "message": .string(message), "status": .string(code.rawValue)]
  }
}
