import AppExtensions

/// Counts the words of each text.
@main
struct __NAME__: ActionExtension {
  func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem] {
    var counts: [ExtensionItem] = []
    for attachment in items.flatMap(\.attachments) {
      let words = try await context.text(of: attachment).split(whereSeparator: \.isWhitespace)
      counts.append(ExtensionItem(attachments: [.text("\(words.count) words")]))
    }
    return counts
  }
}
