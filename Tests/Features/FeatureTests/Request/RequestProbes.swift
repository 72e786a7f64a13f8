import AppExtensions

/// A Share extension that does what a test tells it.
struct ShareProbe: ShareExtension {
  typealias Validate = @Sendable (SharePost) -> Share.ContentState
  typealias Post = @Sendable (SharePost, ExtensionContext) async throws -> [ExtensionItem]

  @TaskLocal static var validation: Validate = { _ in Share.ContentState(isValid: true) }
  @TaskLocal static var posting: Post = { _, _ in [] }
  @TaskLocal static var configuration: [Share.ConfigurationItem] = []
  @TaskLocal static var completing: @Sendable (SharePost) -> [Share.Completion] = { _ in [] }
  @TaskLocal static var hostState: @Sendable (Request.HostStateDidChange.State) -> Void = { _ in }
  private let validation = Self.validation
  private let posting = Self.posting
  private let configuration = Self.configuration
  private let completing = Self.completing
  private let hostState = Self.hostState

  let placeholder: String? = "Say something"
  func preview(of items: [ExtensionItem]) async -> String? { items.first?.attributedTitle }
  func isContentValid(_ post: SharePost) async -> Bool { validation(post).isValid }
  func charactersRemaining(in post: SharePost) -> Int? { validation(post).charactersRemaining }
  func configurationItems(for items: [ExtensionItem]) async throws -> [Share.ConfigurationItem] { configuration }
  func completions(of post: SharePost) async -> [Share.Completion] { completing(post) }
  func hostStateDidChange(to state: Request.HostStateDidChange.State) async { hostState(state) }

  func didSelectPost(_ post: SharePost, in context: ExtensionContext) async throws -> [ExtensionItem] {
    try await posting(post, context)
  }
}

/// An Action extension that does what a test tells it.
struct ActionProbe: ActionExtension {
  typealias Perform = @Sendable ([ExtensionItem], ExtensionContext) async throws -> [ExtensionItem]

  @TaskLocal static var performing: Perform = { items, _ in items }
  @TaskLocal static var showing: WidgetView?
  private let performing = Self.performing
  private let showing = Self.showing

  func view(for items: [ExtensionItem], in context: ExtensionContext) async throws -> WidgetView? { showing }

  func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem] {
    try await performing(items, context)
  }
}
