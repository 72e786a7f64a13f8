/// The outcome of comparing an activation rule with items.
package struct ActivationMatch: Sendable, Hashable {
  /// What became of one attachment.
  package struct Attachment: Sendable, Hashable {
    /// The position among the attachments of all items, from 0.
    package let index: Int
    /// The kind that it was taken for.
    package let attachmentClass: AttachmentClass
    /// The key that accepted it; `nil` when none did.
    package let acceptedBy: String?
    /// The reason for the answer, in one sentence.
    package let reason: String
  }

  /// Whether the extension is offered.
  package let isOffered: Bool
  /// One per attachment; empty for a rule that looks at none.
  package let attachments: [Attachment]
  /// What decided, one sentence each.
  package let reasons: [String]

  /// A sentence for every attachment, then what decided.
  package var explanation: [String] { attachments.map(\.reason) + reasons }

  /// Creates an outcome; `reasons` are sentences for a developer.
  package init(isOffered: Bool, attachments: [Attachment] = [], reasons: [String]) {
    self.isOffered = isOffered
    self.attachments = attachments
    self.reasons = reasons
  }
}
