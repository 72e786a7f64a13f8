internal import ConfigurationFiles
internal import HTTP

/// The fields of a form, in order. Any of them may be a secret, and so all are treated as such.
struct FormFields: Sendable, Equatable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  private(set) var all: [(name: String, value: Secret)] = []

  init() {}

  init(dictionaryLiteral elements: (String, String)...) { all = elements.map { ($0.0, Secret($0.1)) } }

  static func == (left: FormFields, right: FormFields) -> Bool {
    left.all.elementsEqual(right.all) { $0.name == $1.name && $0.value == $1.value }
  }

  subscript(name: String) -> Secret? {
    get { all.first { $0.name == name }?.value }
    set {
      all.removeAll { $0.name == name }
      if let newValue { all.append((name, newValue)) }
    }
  }

  /// The values of the fields that no message may contain.
  var secrets: [Secret] { all.filter { Self.secretNames.contains($0.name) }.map(\.value) }

  private static let secretNames: Set<String> = [
    "password", "new_password", "oob", "continuation_token", "refresh_token", "code", "code_verifier", "device_code",
    "token", "client_secret",
  ]

  /// Whether the server takes the form once: a second one with the same tokens would be taken for a theft.
  var isSpent: Bool { all.contains { Self.spentNames.contains($0.name) } }

  private static let spentNames: Set<String> = ["continuation_token", "refresh_token", "code", "device_code"]

  /// The names of the fields, without their values.
  var description: String { all.map(\.name).joined(separator: "&") }

  /// `application/x-www-form-urlencoded` (WHATWG URL, 5.2).
  var body: [UInt8] { Array(query.utf8) }

  /// The fields as the query of a URL.
  var query: String {
    all.map { "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value.revealed()))" }.joined(
      separator: "&")
  }
}
