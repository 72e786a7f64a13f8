import AppExtensions

/// A Today widget that lists adventures: title, activity, trip length and price. Expanded, it shows all of them.
@main
struct AdventuresToday: TodayExtension {
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    // A host that names no size shows the widget as it likes.
    _ = try? await context.setLargestAvailableDisplayMode(.expanded)
    let answer = try await context.content("wknd-shared/adventures-all", as: AdventureList.self)
    let adventures = answer.data.adventureList.items
    if adventures.isEmpty { return .newData("No adventures today.") }
    return .newData(WidgetView(title: "Adventures", rows: adventures.map(\.row)))
  }
}

/// The answer to `wknd-shared/adventures-all`. Any field of an adventure may be null.
struct AdventureList: Codable, Sendable {
  struct Items: Codable, Sendable {
    var items: [Adventure]
  }
  var adventureList: Items
}

struct Adventure: Codable, Sendable {
  var slug: String?
  var title: String?
  var activity: String?
  var tripLength: String?
  var price: Double?

  var row: WidgetView.Row {
    let facts = [activity, tripLength].compactMap(\.self).joined(separator: ", ")
    return WidgetView.Row(
      title: title ?? slug ?? "Untitled", subtitle: facts.isEmpty ? nil : facts, value: price.map(dollars),
      url: slug.map { "adventures://adventure/\($0)" })
  }

  /// 1250.5 as `$1,250.50`.
  private func dollars(_ price: Double) -> String {
    let cents = (price * 100).rounded()
    guard cents.isFinite, abs(cents) < 1e15 else { return "$\(price)" }
    let whole = Int64(abs(cents)) / 100
    let rest = Int64(abs(cents)) % 100
    var digits = String(whole)
    var grouped = ""
    while digits.count > 3 {
      grouped = ",\(digits.suffix(3))\(grouped)"
      digits.removeLast(3)
    }
    return "\(cents < 0 ? "-" : "")$\(digits)\(grouped).\(rest < 10 ? "0" : "")\(rest)"
  }
}
