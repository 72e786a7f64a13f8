import AppExtensions

/// A Share extension that does what a test tells it.
struct ShareProbe: ShareExtension {
  typealias Validate = @Sendable (SharePost) -> Share.ValidateContent.Result
  typealias Post = @Sendable (SharePost, ExtensionContext) async throws -> [ExtensionItem]

  @TaskLocal static var validation: Validate = { _ in Share.ValidateContent.Result(isValid: true) }
  @TaskLocal static var posting: Post = { _, _ in [] }
  private let validation = Self.validation
  private let posting = Self.posting

  func validate(_ post: SharePost) async -> Share.ValidateContent.Result { validation(post) }

  func didSelectPost(_ post: SharePost, in context: ExtensionContext) async throws -> [ExtensionItem] {
    try await posting(post, context)
  }
}

/// An Action extension that does what a test tells it.
struct ActionProbe: ActionExtension {
  typealias Perform = @Sendable ([ExtensionItem], ExtensionContext) async throws -> [ExtensionItem]

  @TaskLocal static var performing: Perform = { items, _ in items }
  private let performing = Self.performing

  func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem] {
    try await performing(items, context)
  }
}
