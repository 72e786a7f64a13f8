import AppExtensions

@main
struct Clock: TodayExtension {
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    let defaults = context.defaults(suiteName: "group.com.example.adventures")
    let visits = try await defaults.add(1, forKey: "visits")
    return .newData("Visit \(visits)")
  }
}
