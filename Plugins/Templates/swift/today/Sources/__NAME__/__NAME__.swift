import AppExtensions

/// A Today widget that counts how often it was looked at.
@main
struct __NAME__: TodayExtension {
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    let defaults = context.defaults(suiteName: "group.__APP_ID__")
    let visits = try await defaults.integer(forKey: "visits") + 1
    try await defaults.set(visits, forKey: "visits")
    return .newData(WidgetView(title: "__APP__", text: "Visit \(visits)"))
  }
}
