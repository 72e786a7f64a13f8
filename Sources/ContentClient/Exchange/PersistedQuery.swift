package import JSONRPC

/// A persisted query of AEM with its variables: how it is written in a URL.
///
/// Source of the form: AEM Headless, persisted queries, and what its JavaScript client sends. The variables follow the
/// path as `;name=value` in their given order, which is a part of the key of every cache on the way. The whole is
/// percent-encoded once and closed by a literal `;`.
package struct PersistedQuery: Sendable {
  /// `configuration/name`.
  package let path: String
  package let variables: JSONObject

  /// - Parameters:
  ///   - path: `configuration/name`; one leading `/` is allowed and dropped.
  ///   - variables: strings are sent as they are, every other value as JSON.
  /// - Throws: `invalidQuery` for another form, and for a name with `;` or `=`, which would become another variable.
  package init(_ path: String, variables: JSONObject = [:]) throws(ContentError) {
    let slash = UInt8(ascii: "/")
    let plain = String(Substring(path.utf8.first == slash ? path.utf8.dropFirst() : path.utf8[...]))
    let parts = plain.utf8.split(separator: slash, omittingEmptySubsequences: false).map { Substring($0) }
    let isClean = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
    guard parts.count == 2, isClean else {
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

  /// Whether a URL can carry the variables. AEM splits at `;` after decoding, so a value that holds one cannot be told
  /// from two variables.
  package var fitsURL: Bool { !variables.contains { Self.text(of: $0.value).utf8.contains(UInt8(ascii: ";")) } }

  /// The path of a URL without variables, from its first `/`: for POST.
  package var endpoint: String {
    "/graphql/execute.json/" + path.split(separator: "/").map { Self.encoded(String($0)) }.joined(separator: "/")
  }

  /// The path of the URL with its variables, from its first `/`: for GET.
  package var target: String {
    if variables.isEmpty { return endpoint }
    let list = variables.map { ";\($0.key)=\(Self.text(of: $0.value))" }.joined()
    return endpoint + Self.encoded(list) + ";"
  }

  private static func text(of value: JSONValue) -> String {
    if case .string(let text) = value { text } else { webText(of: value) }
  }

  /// What `encodeURIComponent` leaves as it is (ECMA-262, 19.2.6.4); all else becomes `%XX` of its UTF-8.
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        result.append(byte)
      case _ where "-_.!~*'()".utf8.contains(byte): result.append(byte)
      default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
