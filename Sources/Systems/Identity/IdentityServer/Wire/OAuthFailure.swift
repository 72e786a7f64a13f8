import HTTPServer
import JSON
import Time

/// A request that is not granted: a row of the table of errors.
struct OAuthFailure: Error, Sendable {
  var status = 400
  /// The error code of OAuth 2.0 (RFC 6749, 5.2).
  var error: String
  /// The number behind `AADSTS`.
  var code: Int
  var message: String
  var suberror: String?
  /// The additional members of the answer, such as a continuation token.
  var details: JSONObject = [:]
  var headers: [ServerField] = []
  /// An answer without a body, as some servers give it.
  var isEmpty = false

  init(
    status: Int = 400, _ error: String, _ code: Int, _ message: String, suberror: String? = nil,
    details: JSONObject = [:]
  ) {
    self.status = status
    self.error = error
    self.code = code
    self.message = message
    self.suberror = suberror
    self.details = details
  }

  /// Returns seconds since 1970 as `2026-11-23 01:02:03Z`, from the year 1970 to 9999.
  static func timestamp(_ seconds: Int64) -> String {
    UnixTime(seconds: min(max(seconds, 0), UnixTime.writable.upperBound)).text(separator: " ")
  }

  /// The answer with everything that is known of the failure.
  func response(to call: Call) -> ServerResponse {
    if isEmpty { return call.response(ServerResponse(status: status)) }
    let timestamp = Self.timestamp(call.now)
    let text = "\(message) Trace ID: \(call.traceID) Correlation ID: \(call.correlationID) Timestamp: \(timestamp)"
    var body: JSONObject = [
      "error": .string(error),
      "error_description": .string("AADSTS\(code): \(text)"),
      "error_codes": [.integer(Int64(code))],
      "timestamp": .string(timestamp),
      "trace_id": .string(call.traceID),
      "correlation_id": .string(call.correlationID),
      "error_uri": .string("\(call.base)/error?code=\(code)"),
    ]
    if let suberror { body["suberror"] = .string(suberror) }
    for (key, value) in details { body[key] = value }
    return call.json(body, status: status, headers: headers)
  }
}
