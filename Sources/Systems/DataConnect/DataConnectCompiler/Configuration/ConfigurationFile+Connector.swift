import YAML

extension ConfigurationFile {
  private static let file = "connector.yaml"
  /// The other languages that SDKs are made for.
  private static let otherLanguages = [
    "javascriptSdk": "JavaScript", "kotlinSdk": "Kotlin", "dartSdk": "Dart", "adminNodeSdk": "Node.js",
    "llmTools": "language models",
  ]

  /// Returns the content of `connector.yaml`; `nil` when required keys are missing.
  mutating func connector() -> ConnectorConfiguration? {
    guard let root = mapping(root, Self.file, keys: ["connectorId", "authMode", "generate"]) else { return nil }
    let id = text(root, "connectorId", Self.file, isRequired: true)
    if let id, !id.isConnectorID {
      add(
        "\(id.quoted) is not a name for a connector.",
        fix: "Begin with a letter, and use small letters, digits and hyphens, at most 63.",
        at: root["connectorId"]?.place)
    }
    if let mode = root["authMode"], !mode.isNull {
      warn(
        "authMode means nothing any more.", fix: "Remove it: @auth says who may call an operation.",
        at: mode.place)
    }
    let known = ["swiftSdk"] + Self.otherLanguages.keys.sorted()
    let generate = mapping(root["generate"], "generate", keys: known)
    for entry in generate?.entries ?? [] {
      guard let language = Self.otherLanguages[entry.key] else { continue }
      warn(
        "\(entry.key) is passed over: nothing is generated here for \(language).",
        fix: "Generate it with the tools of that platform.", at: entry.place)
    }
    let packages = objects(generate?["swiftSdk"]).compactMap { swift($0) }
    return id.map { ConnectorConfiguration(connectorID: $0, swiftPackages: packages) }
  }

  private mutating func swift(_ node: YAMLNode) -> SwiftGeneration? {
    let what = "swiftSdk"
    let keys = ["outputDir", "package", "observablePublisher", "clientCache"]
    guard let node = mapping(node, what, keys: keys) else { return nil }
    let directory = text(node, "outputDir", what, isRequired: true)
    let package = text(node, "package", what, isRequired: true)
    if let package, !package.isSwiftModule {
      add(
        "\(package.quoted) is not a name for a Swift package.",
        fix: "Use letters, digits and _, and begin with a letter.",
        at: node["package"]?.place)
    }
    let publisher = word(node, "observablePublisher", what, SwiftGeneration.Publisher.self)
    let cache = clientCache(node["clientCache"])
    guard let directory, let package else { return nil }
    return SwiftGeneration(
      outputDirectory: directory, package: package, publisher: publisher ?? .observableMacro, cache: cache)
  }

  private mutating func clientCache(_ node: YAMLNode?) -> ClientCache? {
    let what = "clientCache"
    guard let node else { return nil }
    // "clientCache:" with nothing behind it asks for one with the usual values.
    if node.isNull { return ClientCache(maxAge: 0, maxSize: nil, storage: .persistent) }
    guard let node = mapping(node, what, keys: ["maxAge", "maxSize", "storage"]) else { return nil }
    var maxAge = 0
    if let text = text(node, "maxAge", what) {
      if let milliseconds = text.duration {
        maxAge = milliseconds
      } else {
        add("\(text.quoted) is not a time.", fix: "Write it as 30s, 5m or 1h.", at: node["maxAge"]?.place)
      }
    }
    var maxSize: Int?
    if let text = text(node, "maxSize", what) {
      maxSize = Int(text).flatMap { (1...(1 << 40)).contains($0) ? $0 : nil }
      if maxSize == nil {
        add("\(text.quoted) is not a size.", fix: "Write a number of bytes.", at: node["maxSize"]?.place)
      }
    }
    let storage = word(node, "storage", what, ClientCache.Storage.self)
    return ClientCache(maxAge: maxAge, maxSize: maxSize, storage: storage ?? .persistent)
  }
}

extension String {
  fileprivate var isConnectorID: Bool {
    guard let first = utf8.first, (1...63).contains(utf8.count) else { return false }
    let isLetter = (0x41...0x5A).contains(first & 0xDF)
    return isLetter
      && utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F }
  }

  fileprivate var isSwiftModule: Bool { isGraphQLName && !hasPrefix("__") }

  /// A time such as `30s` in milliseconds, at most a year.
  fileprivate var duration: Int? {
    let digits = prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let units = ["ms": 1.0, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let number = Double(digits), let unit = units[String(dropFirst(digits.count))], number.isFinite else {
      return nil
    }
    let milliseconds = number * unit
    return (0...31_536_000_000).contains(milliseconds) ? Int(milliseconds) : nil
  }
}
