import AppExtensions

/// An Action extension with a user interface: an editor that makes an itinerary of two or more texts, one for each day.
@main
struct AdventuresItinerary: ActionExtension {
  func view(for items: [ExtensionItem], in context: ExtensionContext) async throws -> WidgetView? {
    let days = try await texts(of: items, in: context).enumerated().map { index, text in
      WidgetView.Row(
        title: "Day \(index + 1)", subtitle: text.split(whereSeparator: \.isNewline).first.map(String.init))
    }
    return WidgetView(title: "Itinerary", rows: days)
  }

  func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem] {
    var day = 0
    var edited: [ExtensionItem] = []
    for item in items {
      var attachments: [ItemProvider] = []
      for attachment in item.attachments {
        day += 1
        let text = try await context.text(of: attachment)
        attachments.append(.text("Day \(day)\n\(text)", itemID: attachment.itemID))
      }
      edited.append(ExtensionItem(attachments: attachments))
    }
    return edited
  }

  private func texts(of items: [ExtensionItem], in context: ExtensionContext) async throws -> [String] {
    var texts: [String] = []
    for attachment in items.flatMap(\.attachments) { texts.append(try await context.text(of: attachment)) }
    return texts
  }
}
