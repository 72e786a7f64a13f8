import AppExtensions

/// Shows the texts, and returns them in capitals when the user agrees.
@main
struct __NAME__: ActionExtension {
  func view(for items: [ExtensionItem], in context: ExtensionContext) async throws -> WidgetView? {
    WidgetView(title: "In capitals", rows: try await texts(items, context).map { WidgetView.Row(title: $0) })
  }

  func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem] {
    try await texts(items, context).map { ExtensionItem(attachments: [.text($0.uppercased())]) }
  }

  private func texts(_ items: [ExtensionItem], _ context: ExtensionContext) async throws -> [String] {
    var texts: [String] = []
    for attachment in items.flatMap(\.attachments) { texts.append(try await context.text(of: attachment)) }
    return texts
  }
}
