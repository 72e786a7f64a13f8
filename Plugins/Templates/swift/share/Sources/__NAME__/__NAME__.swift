import AppExtensions

/// Keeps what the user shares in the group store.
@main
struct __NAME__: ShareExtension {
  var placeholder: String? { "What do you want to say?" }

  func charactersRemaining(in post: SharePost) -> Int? { 280 - post.contentText.count }

  func isContentValid(_ post: SharePost) async -> Bool { post.contentText.count <= 280 }

  func didSelectPost(_ post: SharePost, in context: ExtensionContext) async throws -> [ExtensionItem] {
    try await context.defaults(suiteName: "group.__APP_ID__").set(post.contentText, forKey: "latest")
    return [ExtensionItem(attachments: [.text("Shared: \(post.contentText)")])]
  }
}
