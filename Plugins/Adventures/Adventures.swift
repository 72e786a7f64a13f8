import AdventuresContent
import AppExtensions

/// The containing app: it shows an adventure for `adventures://adventure/<slug>`, and what users shared with it. With
/// `adventures://widget/hide` it puts its Today widget away, and with `adventures://widget/show` back; with
/// `adventures://uploads` it says what became of pictures that were sent. With `adventures://sign-in` it shows the form of
/// a sign-in (`sign-up`, `reset-password` and `sign-out` are there too), and with `adventures://api/1` and `/2` it calls
/// two web APIs in the name of who is signed in.
@main
struct Adventures: ContainingApp {
  static let bundleIdentifier = "com.example.adventures"
  static let suiteName = "group.com.example.adventures"

  func open(_ url: String, from source: OpenURL.Deliver.Source, in context: ExtensionContext) async throws -> String? {
    if url == "adventures://widget/hide" || url == "adventures://widget/show" {
      let isShown = url.hasSuffix("show")
      try await context.setHasContent(isShown, forWidget: "\(Self.bundleIdentifier).today")
      return isShown ? "The widget is back." : "The widget is put away."
    }
    if url == "adventures://uploads" { return try await uploadLines(in: context).joined(separator: "\n") }
    let page = url.dropFirst("adventures://".count).prefix { $0 != "?" && $0 != "#" }
    if let shown = try await AccountPages(context: context).page(String(page)) { return shown }
    let prefix = "adventures://adventure/"
    guard url.hasPrefix(prefix) else { return nil }
    let slug = String(url.dropFirst(prefix.count).prefix { $0 != "?" && $0 != "#" && $0 != "/" })
    guard !slug.isEmpty else { return nil }
    let content = AdventuresContent(context)
    guard let adventure = try await content.getAdventureBySlug(slug) else {
      throw ExtensionError(
        .contentFailed, "There is no adventure with the slug \"\(slug)\".",
        recovery: "Choose one of the adventures that the Today widget lists.")
    }
    // A picture that cannot be fetched does not cost the rest.
    let picture = try? await content.getImage(of: adventure, width: 600)
    return try await (adventure.lines(picture) + sharedLines(in: context)).joined(separator: "\n")
  }

  /// Keeps what became of the pictures that the Share extension sent.
  func handleEvents(forBackgroundSession session: BackgroundSession, in context: ExtensionContext) async throws {
    let defaults = context.defaults(suiteName: Self.suiteName)
    for try await event in session.events where event.type == .didComplete {
      let outcome = event.error?.localizedDescription ?? "arrived, status \(event.response?.status ?? 0)"
      // The event may come twice, and is kept once.
      try await defaults.set(.string(outcome), forKey: "upload.\(event.eventID)")
    }
  }

  private func uploadLines(in context: ExtensionContext) async throws -> [String] {
    let values = try await context.defaults(suiteName: Self.suiteName).dictionaryRepresentation()
    let keys = values.keys.filter { $0.hasPrefix("upload.") }.sorted()
    if keys.isEmpty { return ["No picture was sent yet."] }
    return keys.compactMap { key in values[key]?.stringValue.map { "A picture \($0)." } }
  }

  /// What the Share extension stored, newest first.
  private func sharedLines(in context: ExtensionContext) async throws -> [String] {
    let values = try await context.defaults(suiteName: Self.suiteName).dictionaryRepresentation()
    let keys = values.keys.filter { $0.hasPrefix("shared.") }.sorted().reversed()
    if keys.isEmpty { return [] }
    var lines = ["", "Shared with Adventures:"]
    for key in keys {
      guard case .dictionary(let entry) = values[key] else { continue }
      let parts = ["title", "text", "url"].compactMap { name -> String? in
        if case .string(let text) = entry[name], !text.isEmpty { text } else { nil }
      }
      lines.append("- \(parts.joined(separator: " · "))")
    }
    return lines
  }
}

extension Adventure {
  /// Title, facts and texts.
  fileprivate func lines(_ picture: Content.Image.Result?) -> [String] {
    var lines = [title ?? "Untitled", ""]
    let facts: [(String, String?)] = [
      ("Activity", activity), ("Type", adventureType), ("Trip length", tripLength), ("Difficulty", difficulty),
      ("Group size", groupSize.map { "\($0)" }), ("Price", price?.description),
      ("Picture", picture.map { "\($0.mimeType), \($0.bytes) bytes" }),
    ]
    lines += facts.compactMap { name, value in value.map { "\(name): \($0)" } }
    for (name, text) in [("About", description), ("Itinerary", itinerary), ("Gear", gearList)] {
      if let text = text?.plaintext, !text.isEmpty { lines += ["", name, text] }
    }
    return lines
  }
}
