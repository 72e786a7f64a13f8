import AppExtensions
import Glibc

/// A Share extension that keeps what a user shares for the app Adventures, in their common app group. A picture is sent to
/// the folder of a web server that the group's value `uploads` names, and goes on its way when this process is gone.
@main
struct AdventuresShare: ShareExtension {
  static let suiteName = "group.com.example.adventures"
  static let pictures: Set<String> = ["public.image", "public.jpeg", "public.png"]
  static let lists = ["Ideas", "Booked", "Packing"]

  let placeholder: String? = "What did you find?"

  func preview(of items: [ExtensionItem]) async -> String? {
    items.flatMap(\.attachments).first { $0.registeredTypeIdentifiers.contains("public.url") }?.inline?.value
  }

  func charactersRemaining(in post: SharePost) -> Int? { 280 - post.contentText.count }

  func isContentValid(_ post: SharePost) async -> Bool { post.contentText.count <= 280 }

  func configurationItems(for items: [ExtensionItem]) async throws -> [Share.ConfigurationItem] {
    [Share.ConfigurationItem(id: "list", title: "List", value: "Ideas", choices: Self.lists)]
  }

  /// A word that begins with “#” becomes the name of a list.
  func completions(of post: SharePost) async -> [Share.Completion] {
    guard let hash = post.contentText.lastIndex(of: "#") else { return [] }
    let begun = post.contentText[hash...].dropFirst()
    return Self.lists.filter { $0.lowercased().hasPrefix(begun.lowercased()) && $0 != begun }
      .map { Share.Completion(title: "#\($0)", contentText: "\(post.contentText[..<hash])#\($0)") }
  }

  func didSelectPost(_ post: SharePost, in context: ExtensionContext) async throws -> [ExtensionItem] {
    var url: String?
    var text = post.contentText
    for attachment in post.items.flatMap(\.attachments) {
      if attachment.registeredTypeIdentifiers.contains("public.url") {
        url = try await context.text(of: attachment)
      } else if !Self.pictures.isDisjoint(with: attachment.registeredTypeIdentifiers) {
        try await upload(attachment, in: context)
      } else if text.isEmpty {
        text = try await context.text(of: attachment)
      }
    }
    let sharedAt = now()
    let key = "shared.\(Int64(sharedAt * 1000)).\(context.requestID)"
    var entry: [String: PropertyListValue] = ["text": .string(text), "date": .date(sharedAt)]
    if let list = post.configuration["list"] { entry["list"] = .string(list) }
    if let url { entry["url"] = .string(url) }
    if let title = post.items.first?.attributedTitle { entry["title"] = .string(title) }
    try await context.defaults(suiteName: Self.suiteName).set(.dictionary(entry), forKey: key)
    return [
      ExtensionItem(title: "Shared with Adventures", contentText: text, attachments: url.map { [.url($0)] } ?? [])
    ]
  }

  /// Hands a picture over to a background session. What becomes of it, the app hears.
  private func upload(_ picture: ItemProvider, in context: ExtensionContext) async throws {
    let folder = try await context.defaults(suiteName: Self.suiteName).string(forKey: "uploads")
    guard let folder else { return }
    let session = try await context.backgroundSession(
      "com.example.adventures.share.uploads", sharedContainer: Self.suiteName)
    let name = (picture.suggestedName ?? "picture").filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
    try await picture.loadFile(for: "public.image", in: context) { path in
      _ = try await session.upload("\(folder)/\(name)", file: path)
    }
  }

  /// Seconds since 1970.
  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
