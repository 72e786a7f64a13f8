package import PropertyList

/// When an extension is offered: the value of `NSExtensionActivationRule`, understood.
package enum ActivationRule: Sendable, Hashable {
  /// The dictionary form: counts by kind of attachment.
  case dictionary(DictionaryRule)
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)

  /// Something that a rule gets wrong, or that deserves a look.
  package struct Problem: Sendable, Hashable {
    /// Whether the rule still works.
    package let isWarning: Bool
    /// The key inside the rule; `nil` for the rule as a whole.
    package let key: String?
    package let message: String
    package let recovery: String
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
    switch text.filter({ !$0.isWhitespace }).uppercased() {
    case "TRUEPREDICATE":
      let problem = Problem(
        isWarning: true, key: nil,
        message: "TRUEPREDICATE offers the extension for everything; it is for debugging only.",
        recovery: "Say what the extension accepts before it is released.")
      return (.constant(true), [problem])
    case "FALSEPREDICATE": return (.constant(false), [])
    default:
      let problem = Problem(
        isWarning: false, key: nil,
        message: "Predicates other than TRUEPREDICATE and FALSEPREDICATE are not supported yet.",
        recovery: "Write the rule in its dictionary form.")
      return (nil, [problem])
    }
  }

  /// Compares the rule with what a user wants to share or act on.
  package func match(_ items: [ActivationItem], types: TypeGraph = .standard) -> ActivationMatch {
    switch self {
    case .dictionary(let rule): rule.match(items, types: types)
    case .constant(let value):
      ActivationMatch(
        isOffered: value, attachments: [],
        reasons: [
          "The rule is \(value ? "TRUEPREDICATE: it accepts everything" : "FALSEPREDICATE: it accepts nothing")."
        ])
    }
  }
}

/// The outcome of comparing a rule with items.
package struct ActivationMatch: Sendable, Hashable {
  /// What became of one attachment.
  package struct Attachment: Sendable, Hashable {
    /// The position among the attachments of all items, from 0.
    package let index: Int
    package let attachmentClass: AttachmentClass
    /// The key that accepted it; `nil` when none did.
    package let acceptedBy: String?
    /// One sentence.
    package let reason: String
  }

  /// Whether the extension is offered.
  package let isOffered: Bool
  /// One per attachment; empty for a rule that looks at none.
  package let attachments: [Attachment]
  /// What decided, one sentence each.
  package let reasons: [String]

  /// The reasons of the attachments, then what decided.
  package var explanation: [String] { attachments.map(\.reason) + reasons }

  package init(isOffered: Bool, attachments: [Attachment], reasons: [String]) {
    self.isOffered = isOffered
    self.attachments = attachments
    self.reasons = reasons
  }
}
