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
    let answer = try await context.fetchBytes(feed, headers: ["Accept": "text/plain"])
    guard answer.status == 200 else { return .newData("The feed answers \(answer.status).") }
    var text: [UInt8] = []
    for try await bytes in answer {
      text += bytes
      // However long the feed is, no more than these lines is shown, and no more is fetched.
      if text.count(where: { $0 == UInt8(ascii: "\n") }) >= 10 { break }
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let rows = lines.prefix(10).map { WidgetView.Row(title: String($0)) }
    return .newData(WidgetView(title: "Headlines", rows: rows))
  }
}
