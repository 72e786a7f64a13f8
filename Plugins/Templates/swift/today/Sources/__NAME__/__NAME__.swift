import AppExtensions

/// A Today widget that counts how often it was looked at.
@main
struct __NAME__: TodayExtension {
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    let defaults = context.defaults(suiteName: "group.__APP_ID__")
    let visits = try await defaults.add(1, forKey: "visits")
    return .newData(WidgetView(title: "__APP__", text: "Visit \(visits)"))
  }
}
