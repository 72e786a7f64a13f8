import Text

/// A key of any name.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The largest number of unknown keys that are remembered of one answer.
private let mostUnknownKeys = 8

extension Decoder {
  /// Returns the keys of an object that a type does not have, each with its place and the key that may have been meant:
  /// `rows[0].titel (did you mean title?)`. At most 8; empty for what is not an object.
  ///
  /// - Parameter place: the path of the object with a dot behind it; empty at the top.
  func unknownKeys(besides known: [String], at place: String = "") -> [String] {
    guard let container = try? container(keyedBy: AnyKey.self) else { return [] }
    let unknown = container.allKeys.map(\.stringValue).filter { !known.contains($0) }
    return unknown.prefix(mostUnknownKeys).map { key in
      let key = String(key.prefix(64).filter { !$0.isWhitespace && $0.isASCII && $0 != "\u{7F}" && $0 >= " " })
      let meant = nearMisses(of: key, in: known).first.map { " (did you mean \($0)?)" } ?? ""
      return "\(place)\(key)\(meant)"
    }
  }
}

extension [String] {
  /// The unknown keys of an object in which another one, with unknown keys of its own, has a place.
  func unknownKeys(at place: String) -> [String] { prefix(mostUnknownKeys).map { "\(place)\($0)" } }
}
