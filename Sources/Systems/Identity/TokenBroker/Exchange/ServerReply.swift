internal import ConfigurationFiles
internal import HTTPClient
internal import JSON
internal import Time

/// The answer of an identity server, before its content is checked.
struct ServerReply: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The kind of body and its content.
  enum Body: Sendable, Equatable {
    case object(JSONObject)
    case empty
    case webPage
    /// JSON of another kind, broken JSON, or no JSON at all.
    case other
  }

  let status: Int
  let body: Body
  /// The pause that the server asks for, in seconds, at most a day; nil when it asks for none.
  let retryAfter: Int?

  init(status: Int, body: Body, retryAfter: Int? = nil) {
    (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
  }

  init(_ response: HTTPResponse) {
    status = response.status
    retryAfter = response.retryAfter(now: UnixTime.now.seconds)
    let start = response.body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    if start == nil {
      body = .empty
    } else if start == UInt8(ascii: "<") {
      body = .webPage
    } else if let value = try? JSONCoding.parse(response.body, maximumDepth: 16), case .object(let object) = value {
      body = .object(object)
    } else {
      body = .other
    }
  }

  var isSuccess: Bool { (200..<300).contains(status) }

  private var object: JSONObject? { if case .object(let object) = body { object } else { nil } }

  /// Returns a text of at most so many bytes; nil for an absent or longer one, and for one with control characters.
  func text(_ name: String, most: Int = 4_096) -> String? {
    guard let text = paragraph(name, most: most), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return text
  }

  /// A text that may have line breaks.
  func paragraph(_ name: String, most: Int) -> String? {
    guard let text = object?[name]?.stringValue, (1...most).contains(text.utf8.count) else { return nil }
    return text
  }

  func secret(_ name: String) -> Secret? { text(name, most: TokenGrant.longestToken).map { Secret($0) } }

  /// Returns a whole number, also from a text as some servers send it, limited to the bounds.
  func integer(_ name: String, in bounds: ClosedRange<Int>) -> Int? {
    let number: Double? =
      switch object?[name] {
      case .string(let text): Double(text)
      case let value?: value.doubleValue
      case nil: nil
      }
    guard let number, number.isFinite else { return nil }
    if number <= Double(bounds.lowerBound) { return bounds.lowerBound }
    if number >= Double(bounds.upperBound) { return bounds.upperBound }
    return Int(number)
  }

  func flag(_ name: String) -> Bool { object?[name]?.boolValue ?? false }

  func objects(_ name: String, most: Int = 64) -> [JSONObject]? {
    object?[name]?.arrayValue?.prefix(most).compactMap(\.objectValue)
  }

  /// The whole numbers of an array, in order.
  func integers(_ name: String) -> [Int] {
    let values = object?[name]?.arrayValue?.prefix(16) ?? []
    return values.compactMap { $0.integerValue.flatMap { Int(exactly: $0) } }
  }

  func strings(_ name: String, most: Int = 64) -> [String] {
    object?[name]?.arrayValue?.prefix(most).compactMap(\.stringValue) ?? []
  }

  /// The secrets of the answer, which no message may contain.
  var secrets: [Secret] {
    ["access_token", "refresh_token", "id_token", "continuation_token", "device_code"].compactMap { secret($0) }
  }

  var description: String { "an answer with status \(status)" }
  var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
