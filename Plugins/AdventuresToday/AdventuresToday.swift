import AdventuresContent
import AppExtensions

/// A Today widget that lists adventures: title, activity, trip length and price. Expanded, it shows all of them.
@main
struct AdventuresToday: TodayExtension {
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    // A host that names no size shows the widget as it likes.
    _ = try? await context.setLargestAvailableDisplayMode(.expanded)
    let adventures = try await AdventuresContent(context).getAdventures()
    if adventures.isEmpty { return .newData("No adventures today.") }
    return .newData(WidgetView(title: "Adventures", rows: adventures.map(\.row)))
  }
}

extension Adventure {
  fileprivate var row: WidgetView.Row {
    let facts = [activity, tripLength].compactMap(\.self).joined(separator: ", ")
    return WidgetView.Row(
      title: title ?? slug ?? "Untitled", subtitle: facts.isEmpty ? nil : facts, value: price?.description,
      url: slug.map { "adventures://adventure/\($0)" })
  }
}
