/// Replaces `$(OTHER)` by the value of the other key, whichever definition of it came last.
struct XCConfigExpansion {
  private let definitions: [String: XCConfigDefinition]
  private var finished: [String: String] = [:]
  private(set) var warnings: [XCConfig.Warning] = []
  private static let maximumValueBytes = 64 << 10
  /// Of all values together, which may each stand for others many times.
  private static let maximumBytes = 1 << 20
  private static let maximumDepth = 64
  private var bytes = 0

  init(_ definitions: [String: XCConfigDefinition]) { self.definitions = definitions }

  mutating func settings(order: [String]) throws(ConfigurationError) -> [XCConfig.Setting] {
    var settings: [XCConfig.Setting] = []
    for key in order {
      guard let definition = definitions[key] else { continue }
      settings.append(XCConfig.Setting(key: key, value: try value(of: key, through: []), place: definition.place))
    }
    return settings
  }

  private mutating func value(of key: String, through path: [String]) throws(ConfigurationError) -> String {
    if let value = finished[key] { return value }
    guard let definition = definitions[key] else { return "" }
    guard path.count < Self.maximumDepth else {
      throw ConfigurationError(
        "The settings refer to each other more than \(Self.maximumDepth) times in a row.",
        recovery: "Use fewer references.", key: path.first, place: definition.place)
    }
    let path = path + [key]
    var result = ""
    var rest = definition.value[...]
    // By bytes: a bracket and an accent behind it are one Character.
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "$")) {
      result += rest[..<start]
      let tail = rest[start...]
      guard tail.utf8.starts(with: "$(".utf8), let end = tail.utf8.firstIndex(of: UInt8(ascii: ")")) else {
        result += "$"
        rest = tail[tail.utf8.index(after: start)...]
        continue
      }
      let name = String(tail[tail.utf8.index(start, offsetBy: 2)..<end])
      result += try reference(name, in: definition, path: path)
      rest = tail[tail.utf8.index(after: end)...]
      guard result.utf8.count <= Self.maximumValueBytes else {
        throw ConfigurationError(
          "The value of \(key) grows beyond \(Self.maximumValueBytes) bytes.", recovery: "Use fewer references.",
          key: key,
          place: definition.place)
      }
    }
    result += rest
    bytes += result.utf8.count
    guard bytes <= Self.maximumBytes else {
      throw ConfigurationError(
        "The values grow beyond \(Self.maximumBytes) bytes.", recovery: "Use fewer references.", key: key,
        place: definition.place)
    }
    finished[key] = result
    return result
  }

  private mutating func reference(
    _ name: String, in definition: XCConfigDefinition, path: [String]
  ) throws(ConfigurationError) -> String {
    // There is nothing below this file that a value could be inherited from.
    if name.isEmpty || name == "inherited" { return "" }
    if path.contains(name) {
      throw ConfigurationError(
        "The settings refer to each other: \((path + [name]).joined(separator: " → ")).",
        recovery: "Write one of the values without $(\(name)).", key: path.first, place: definition.place)
    }
    if definitions[name] == nil {
      warnings.append(
        XCConfig.Warning(
          "$(\(name)) is not set, so it has no value.", recovery: "Define \(name), or remove the reference.",
          place: definition.place))
    }
    return try value(of: name, through: path)
  }
}
