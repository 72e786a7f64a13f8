internal import HTTP
package import JSON
import Text

/// A persisted query of AEM with its variables, in the form that a URL contains.
///
/// Source of the form: AEM Headless, persisted queries, and what its JavaScript client sends. The variables follow the
/// path as `;name=value` in their given order, which is a part of the key of every cache on the way. The whole is
/// percent-encoded once and closed by a literal `;`.
package struct PersistedQuery: Sendable {
  /// The query's name, as `configuration/name`.
  package let path: String
  /// The variables, in the order in which the URL contains them.
  package let variables: JSONObject

  /// Creates a query from its name and variables.
  ///
  /// - Parameters:
  ///   - path: the name as `configuration/name`; one leading `/` is allowed and removed.
  ///   - variables: the client sends strings unchanged, also strings that look like JSON; every other value as JSON.
  /// - Throws: `invalidQuery` for a name of another form, and for a variable's name with `;` or `=`, which would begin
  ///   another variable.
  package init(_ path: String, variables: JSONObject = [:]) throws(ContentError) {
    let slash = UInt8(ascii: "/")
    let plain = String(Substring(path.utf8.first == slash ? path.utf8.dropFirst() : path.utf8[...]))
    let parts = plain.utf8.split(separator: slash, omittingEmptySubsequences: false).map { Substring($0) }
    let isClean = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
    guard parts.count == 2, isClean, plain.utf8.count <= 1_024 else {
      throw ContentError(
        .invalidQuery, "\"\(quotable(path))\" is not the path of a persisted query.",
        recovery: "Write it as configuration/name, for example wknd-shared/adventures-all.")
    }
    for name in variables.keys where name.isEmpty || name.utf8.contains(where: { ";=".utf8.contains($0) }) {
      throw ContentError(
        .invalidQuery, "\"\(quotable(name))\" is not the name of a variable.",
        recovery: "Use the names that the persisted query declares, without ; and =.")
    }
    self.path = plain
    self.variables = variables
  }

  /// A reason for which a URL cannot carry the variables.
  package enum Obstacle: Equatable, Sendable, CustomStringConvertible {
    /// AEM splits at `;` after decoding: what follows would become another variable.
    case semicolon(variable: String)
    /// Servers refuse a URL with an encoded NUL.
    case nul(variable: String)
    /// Servers and proxies on the way refuse longer ones.
    case length(bytes: Int)

    /// The reason with the name of the variable, as a part of a sentence.
    package var description: String {
      switch self {
      case .semicolon(let name):
        "the value of \"\(quotable(name))\" holds a semicolon, which ends a value in a URL of AEM"
      case .nul(let name): "the value of \"\(quotable(name))\" holds a NUL, which no URL can carry"
      case .length(let bytes): "the variables make a URL of \(bytes) bytes, of which servers take no more than 8000"
      }
    }
  }

  /// Bytes of a path with its variables. Common servers read request lines of 8 KiB.
  package static let maximumTargetBytes = 8_000

  /// Returns the reason for which a URL cannot carry the variables; nil when it can.
  package func obstacle(to target: String) -> Obstacle? {
    for (name, value) in variables {
      let text = Self.text(of: value)
      if text.utf8.contains(UInt8(ascii: ";")) { return .semicolon(variable: name) }
      if text.utf8.contains(0) || name.utf8.contains(0) { return .nul(variable: name) }
    }
    return target.utf8.count > Self.maximumTargetBytes ? .length(bytes: target.utf8.count) : nil
  }

  /// Whether a URL can carry the variables.
  package var fitsURL: Bool { obstacle(to: target) == nil }

  /// The path of a URL without variables, from its first `/`: for POST.
  package var endpoint: String {
    "/graphql/execute.json/" + path.pathParts().map { PercentEncoding.component($0) }.joined(separator: "/")
  }

  /// The path of the URL with its variables, from its first `/`: for GET.
  package var target: String {
    if variables.isEmpty { return endpoint }
    let list = variables.map { ";\($0.key)=\(Self.text(of: $0.value))" }.joined()
    return endpoint + PercentEncoding.component(list) + ";"
  }

  private static func text(of value: JSONValue) -> String {
    if case .string(let text) = value { text } else { webText(of: value) }
  }
}
