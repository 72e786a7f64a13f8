import AppExtensions

/// Shows the headlines of a feed of plain text, one in a line. The feed's URL is in the app's shared defaults.
@main
struct Headlines: TodayExtension {
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    let defaults = context.defaults(suiteName: "group.com.example.adventures")
    guard let feed = try await defaults.string(forKey: "headlines.url") else {
      return .newData("There is no feed yet.")
    }
    if context.permissions.state(of: "network") == .undecided {
      _ = try await context.requestPermission("network", reason: "To fetch the headlines from \(feed).")
    }
    let answer = try await context.fetch(feed, headers: ["Accept": "text/plain"])
    guard answer.status == 200, let text = answer.body.text else {
      return .newData("The feed answers \(answer.status).")
    }
    let rows = text.split(separator: "\n").prefix(10).map { WidgetView.Row(title: String($0)) }
    return .newData(WidgetView(title: "Headlines", rows: rows))
  }
}
