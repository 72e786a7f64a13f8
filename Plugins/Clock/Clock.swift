import AppExtensions

@main
struct Clock: TodayExtension {
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    let defaults = context.defaults(suiteName: "group.com.example.adventures")
    let visits = try await defaults.integer(forKey: "visits") + 1
    try await defaults.set(visits, forKey: "visits")
    return .newData("Visit \(visits)")
  }
}
