package import PropertyList

/// When an extension is offered: the value of `NSExtensionActivationRule`, understood.
package enum ActivationRule: Sendable, Hashable {
  /// The dictionary form: counts by kind of attachment.
  case dictionary(DictionaryRule)
  /// A rule in the predicate form.
  case predicate(Predicate)
  /// No rule, or an invalid one; the value is a sentence that says which. The extension is never offered.
  case never(String)

  /// Something that a rule gets wrong, or that deserves a look.
  package struct Problem: Sendable, Hashable {
    /// Whether the rule still works.
    package let isWarning: Bool
    /// The key inside the rule; `nil` for the rule as a whole.
    package let key: String?
    /// What is wrong, one sentence.
    package let message: String
    /// What to do about it, one sentence.
    package let recovery: String
  }

  /// The rule of a manifest, whatever it is: without one, or with one that has errors, the extension is never offered.
  package init(_ value: PropertyListValue?) {
    guard let value else {
      self = .never("The manifest has no activation rule.")
      return
    }
    let (rule, problems) = Self.compile(value)
    self = rule ?? .never(problems.first { !$0.isWarning }?.message ?? "The rule cannot be understood.")
  }

  /// Understands a rule.
  ///
  /// - Returns: the rule, unless a problem is an error, and every problem.
  package static func compile(_ value: PropertyListValue) -> (rule: ActivationRule?, problems: [Problem]) {
    switch value {
    case .dictionary(let entries):
      let (rule, problems) = DictionaryRule.compile(entries)
      return (rule.map { .dictionary($0) }, problems)
    case .string(let text): return predicate(text)
    default:
      let problem = Problem(
        isWarning: false, key: nil, message: "The rule is of type \(value.typeName), not dictionary or string.",
        recovery: "Write a dictionary of counts, or a predicate.")
      return (nil, [problem])
    }
  }

  private static func predicate(_ text: String) -> (rule: ActivationRule?, problems: [Problem]) {
    let predicate: Predicate
    do throws(PredicateError) {
      predicate = try Predicate(text)
    } catch {
      let place = "line \(error.line), column \(error.column) of the predicate"
      let problem = Problem(
        isWarning: false, key: nil, message: "In \(place): \(error.message)", recovery: error.recovery)
      return (nil, [problem])
    }
    var problems = predicate.unknownKeys.prefix(20).map { key in
      Problem(
        isWarning: true, key: nil, message: "The predicate looks at the key “\(key)”, which no item has.",
        recovery: "Use extensionItems, attachments, registeredTypeIdentifiers, attributedTitle, attributedContentText "
          + "and userInfo.")
    }
    if predicate.constant == true { problems.append(truePredicate) }
    return (.predicate(predicate), problems)
  }

  /// What is wrong with a rule that accepts everything: it may be used while one works on an extension, and is refused
  /// where an extension is to be released.
  package static let truePredicate = Problem(
    isWarning: true, key: nil,
    message: "TRUEPREDICATE offers the extension for everything; it is for debugging only.",
    recovery: "Say what the extension accepts before it is released.")

  /// Compares the rule with what a user wants to share or act on.
  package func match(_ items: [ActivationItem], in types: TypeGraph = .standard) -> ActivationMatch {
    switch self {
    case .dictionary(let rule): rule.match(items, in: types)
    case .predicate(let predicate): predicate.match(items, in: types)
    case .never(let reason): ActivationMatch(isOffered: false, reasons: [reason])
    }
  }
}
