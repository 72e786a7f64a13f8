import PropertyList

/// The dictionary form of an activation rule (App Extension Keys, `NSExtensionActivationRule`).
package struct DictionaryRule: Sendable, Hashable {
  /// The common beginning of every key.
  static let prefix = "NSExtensionActivation"

  /// The largest number of attachments (`…SupportsAttachmentsWithMaxCount`), or nil.
  package private(set) var maxAttachments: Int?
  /// The smallest number of attachments (`…SupportsAttachmentsWithMinCount`), or nil.
  package private(set) var minAttachments: Int?
  /// The largest number of files (`…SupportsFileWithMaxCount`), or nil.
  package private(set) var files: Int?
  /// The largest number of images (`…SupportsImageWithMaxCount`), or nil.
  package private(set) var images: Int?
  /// The largest number of movies (`…SupportsMovieWithMaxCount`), or nil.
  package private(set) var movies: Int?
  /// Whether text is supported (`…SupportsText`), or nil.
  package private(set) var text: Bool?
  /// The largest number of web URLs (`…SupportsWebURLWithMaxCount`), or nil.
  package private(set) var webURLs: Int?
  /// The largest number of web pages (`…SupportsWebPageWithMaxCount`), or nil.
  package private(set) var webPages: Int?
  /// The version of the rule's form (`…DictionaryVersion`), 1 or 2.
  package private(set) var version = 1
  /// Whether every attachment must match (`…UsesStrictMatching`).
  package private(set) var usesStrictMatching = false

  /// Whether one unsupported attachment is enough to refuse: always in version 1, on request in version 2.
  package var isStrict: Bool { usesStrictMatching || version < 2 }

  static func compile(
    _ entries: [String: PropertyListValue]
  ) -> (rule: DictionaryRule?, problems: [ActivationRule.Problem]) {
    var reader = Reader(entries: entries)
    var rule = DictionaryRule()
    rule.maxAttachments = reader.count("SupportsAttachmentsWithMaxCount")
    rule.minAttachments = reader.count("SupportsAttachmentsWithMinCount")
    rule.files = reader.count("SupportsFileWithMaxCount")
    rule.images = reader.count("SupportsImageWithMaxCount")
    rule.movies = reader.count("SupportsMovieWithMaxCount")
    rule.text = reader.bool("SupportsText")
    rule.webURLs = reader.count("SupportsWebURLWithMaxCount")
    rule.webPages = reader.count("SupportsWebPageWithMaxCount")
    rule.usesStrictMatching = reader.bool("UsesStrictMatching") ?? false
    rule.version = reader.version()
    reader.warnOfUnknownKeys()
    reader.warnOfNothingSupported(rule)
    return (reader.problems.contains { !$0.isWarning } ? nil : rule, reader.problems)
  }

  /// Whether some attachment or text could be accepted.
  fileprivate var acceptsSomething: Bool {
    text == true || [files, images, movies, webURLs, webPages].contains { ($0 ?? 0) > 0 }
  }

  /// Takes the values of a rule and notes what is wrong with them.
  private struct Reader {
    let entries: [String: PropertyListValue]
    var problems: [ActivationRule.Problem] = []

    private mutating func value(_ name: String) -> (key: String, value: PropertyListValue?) {
      let key = DictionaryRule.prefix + name
      return (key, entries[key])
    }

    private mutating func fail(_ key: String, _ message: String, _ recovery: String) {
      problems.append(.init(isWarning: false, key: key, message: message, recovery: recovery))
    }

    mutating func count(_ name: String) -> Int? {
      let (key, value) = value(name)
      guard let value else { return nil }
      let written = value.stringValue.flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
      if let written {
        problems.append(
          .init(
            isWarning: true, key: key, message: "The count is written as a string.",
            recovery: "Write <integer>\(written)</integer>."))
      }
      guard let number = written ?? value.integerValue, number >= 0 else {
        let found = value.integerValue.map { "\($0)" } ?? "of type \(value.typeName)"
        fail(key, "The count is \(found), not an integer of 0 or more.", "Write <integer>1</integer>, for example.")
        return nil
      }
      return Int(clamping: number)
    }

    mutating func bool(_ name: String) -> Bool? {
      let (key, value) = value(name)
      guard let value else { return nil }
      if let bool = value.boolValue { return bool }
      fail(key, "The value is of type \(value.typeName), not bool.", "Write <true/> or <false/>.")
      return nil
    }

    mutating func version() -> Int {
      let (key, value) = value("DictionaryVersion")
      guard let value else { return 1 }
      if let version = value.integerValue, 1...2 ~= version { return Int(version) }
      fail(key, "The version of a rule is the integer 1 or 2.", "Write <integer>2</integer>, or leave the key out.")
      return 1
    }

    mutating func warnOfUnknownKeys() {
      let known = DictionaryRule.keys.map(\.name)
      for key in entries.keys.sorted().filter({ !known.contains($0) }).prefix(20) {
        problems.append(
          .init(
            isWarning: true, key: key, message: "The key is not known and has no effect.",
            recovery: "Check its spelling against NSExtensionActivationSupports… of the App Extension Keys."))
      }
    }

    mutating func warnOfNothingSupported(_ rule: DictionaryRule) {
      let hasErrors = problems.contains { !$0.isWarning }
      if !hasErrors, !rule.acceptsSomething {
        problems.append(
          .init(
            isWarning: true, key: nil, message: "The rule supports nothing, so the extension is never offered.",
            recovery: "Give a count above 0 for what the extension accepts."))
      }
      if let least = rule.minAttachments, let most = rule.maxAttachments, least > most {
        problems.append(
          .init(
            isWarning: true, key: nil,
            message: "The least number of attachments, \(least), is above the most, \(most).",
            recovery: "Make the least at most the most."))
      }
    }
  }
}
