public import PropertyList
import Text

/// A key of a manifest that has an effect at some extension points.
public struct ManifestKey: Sendable {
  /// The dictionaries of a manifest in which a key may occur.
  public struct Places: OptionSet, Sendable, Hashable {
    /// The places as bits.
    public let rawValue: Int
    /// Places by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The dictionary `NSExtension.NSExtensionAttributes`.
    public static let attributes = Places(rawValue: 1)
    /// The dictionary `NSExtension`.
    public static let section = Places(rawValue: 2)
    /// Other places, which only the host defines: the top of the manifest, `Annex` and its dictionaries.
    static let elsewhere = Places([])
  }

  /// What type the value has to be of.
  public enum ValueType: Sendable, Hashable {
    /// A string that is not empty.
    case string
    case bool
    /// An array of strings that are not empty.
    case strings
    case dictionary
    /// Any type; ``ManifestKey/check`` decides.
    case any
  }

  /// Looks at the value of a key that is there.
  public typealias Check = @Sendable (inout ManifestReader, PropertyListKeyPath, Manifest) -> Void

  /// The key as it is written in a manifest.
  public let name: String
  /// Where it may stand.
  public let places: Places
  /// The type of its value.
  public let type: ValueType
  /// Checks the value, also at points where the key has no effect. A value of a wrong type has been reported before.
  public let check: Check
  /// For a value that names a file of the bundle: the ending of the file, which the value leaves out. A registry checks
  /// that the file exists.
  public let fileEnding: String?
  /// What the value says, in one sentence or some, for the reference of manifests.
  public private(set) var summary = ""
  /// The type in words: “array of strings”.
  public private(set) var form: String
  /// What holds without the key, in words; empty where nothing does.
  public private(set) var standard = ""
  /// A value as a manifest may have it.
  public private(set) var example: PropertyListValue?
  /// Whether a manifest at the point has to have the key.
  public private(set) var isRequired = false

  /// A key; the parameters are as the properties say.
  public init(
    _ name: String, _ type: ValueType, in places: Places = .attributes,
    check: @escaping Check = { _, _, _ in }
  ) {
    self.init(name, type, in: places, fileEnding: nil, check: check)
  }

  private init(_ name: String, _ type: ValueType, in places: Places, fileEnding: String?, check: @escaping Check) {
    self.name = name
    self.places = places
    self.type = type
    self.check = check
    self.fileEnding = fileEnding
    form =
      switch type {
      case .string: "string"
      case .bool: "Boolean"
      case .strings: "array of strings"
      case .dictionary: "dictionary"
      case .any: "any"
      }
  }

  /// Returns the key with its text for the reference of manifests.
  ///
  /// - Parameters:
  ///   - summary: the meaning of the value.
  ///   - form: the type in words, where ``type`` is not precise enough.
  ///   - standard: the behaviour without the key.
  ///   - example: a value that ``check`` accepts at the points of the key.
  public func described(
    _ summary: String, as form: String? = nil, default standard: String = "", example: PropertyListValue
  ) -> ManifestKey {
    var key = self
    key.summary = summary
    key.form = form ?? key.form
    key.standard = standard
    key.example = example
    return key
  }
}

extension ManifestKey {
  /// Returns the key as one that manifests at the point must have.
  public func required() -> ManifestKey {
    var key = self
    key.isRequired = true
    return key
  }

  /// Returns the key with another example, for examples that depend on the extension points.
  package func showing(_ example: PropertyListValue) -> ManifestKey {
    var key = self
    key.example = example
    return key
  }

  /// A list of known words, with one at least.
  ///
  /// - Parameters:
  ///   - known: the words.
  ///   - what: what one of them is, for the message: “media type”.
  public static func words(_ name: String, among known: [String], what: String) -> ManifestKey {
    let recovery = "Use one of \(known.joined(separator: ", "))."
    return ManifestKey(name, .any) { reader, path, _ in
      let indices = reader.indices(path)
      if indices.isEmpty, reader.value(path)?.arrayValue != nil {
        reader.fail(path, "The list is empty, so the extension is never offered.", recovery)
      }
      for index in indices {
        guard let word = reader.string(path.appending(index)), !known.contains(word) else { continue }
        reader.fail(path.appending(index), "“\(word)” is not a \(what).", meant(word, known) + recovery)
      }
    }
  }

  /// One of some known words.
  ///
  /// - Parameters:
  ///   - known: the words.
  ///   - what: what one of them is, for the message: “service role”.
  public static func word(_ name: String, among known: [String], what: String) -> ManifestKey {
    ManifestKey(name, .string) { reader, path, _ in
      guard let word = reader.value(path)?.stringValue, !known.contains(word) else { return }
      reader.fail(path, "“\(word)” is not a \(what).", meant(word, known) + "Use \(known.joined(separator: " or ")).")
    }
  }

  /// “Did you mean …? ” for a word that is nearly one of those allowed; else nothing.
  private static func meant(_ word: String, _ known: [String]) -> String {
    didYouMean(nearMisses(of: word, in: known)).map { "\($0) " } ?? ""
  }

  /// A list of uniform type identifiers.
  public static func typeIdentifiers(_ name: String) -> ManifestKey {
    ManifestKey(name, .any) { reader, path, _ in reader.checkTypeIdentifiers(path) }
  }

  /// A language tag (RFC 5646).
  public static func language(_ name: String) -> ManifestKey {
    ManifestKey(name, .string) { reader, path, _ in
      guard let tag = reader.value(path)?.stringValue, !tag.isEmpty, !ManifestNames.isLanguage(tag) else { return }
      reader.fail(
        path, "“\(tag)” is not a language tag.", "Write one such as en-US or ar, or “mul” for several languages.")
    }
  }

  /// A file of the bundle, by its relative path without an ending; without a bundle, a file beside the executable.
  ///
  /// - Parameters:
  ///   - ending: the ending with its dot: `.js`.
  ///   - check: what else there is to check.
  public static func file(
    _ name: String, ending: String, check: @escaping Check = { _, _, _ in }
  ) -> ManifestKey {
    ManifestKey(name, .string, in: .attributes, fileEnding: ending) { reader, path, manifest in
      guard let file = reader.value(path)?.stringValue, !file.isEmpty else { return }
      if file.hasSuffix(ending) {
        reader.fail(path, "“\(file)” names the file with its extension.", "Leave “\(ending)” out.")
      } else if !ManifestNames.isPathBelow(file) {
        reader.fail(path, "“\(file)” does not stay inside the bundle.", "Name the file by its path below the bundle.")
      }
      check(&reader, path, manifest)
    }
  }
}

extension ManifestKey {
  /// The key `NSExtensionActivationRule`: the items for which an extension is offered. Only its type is checked here; a
  /// registry parses it.
  static let activationRule = ManifestKey("NSExtensionActivationRule", .any) { reader, path, _ in
    guard let rule = reader.value(path), rule.stringValue == nil, rule.dictionaryValue == nil else { return }
    reader.fail(
      path, "The value is of type \(rule.typeName), not dictionary or string.",
      "Write a dictionary of counts, or a predicate.")
  }.described(
    "For which items the extension is offered. Required.", as: "dictionary of counts, or string with a predicate",
    example: ["NSExtensionActivationSupportsText": true])
}
