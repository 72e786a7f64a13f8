import Activation
public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSON

extension ExtensionHost {
  /// Returns the extensions that accept items which a user shares or acts on, by their activation rules, sorted by
  /// identifier.
  ///
  /// Repeated calls for the same items are cheap: answers are cached by rule, known types and items.
  ///
  /// - Parameters:
  ///   - items: the items. An attachment with a suggested name counts as a file.
  ///   - points: the extension points to search; by default all whose extensions accept items.
  ///   - includingRefused: whether to include the extensions that do not accept the items, with the reasons.
  public func extensions(
    matching items: [ExtensionItem], at points: [ExtensionPoint]? = nil,
    includingRefused: Bool = false
  ) -> [ExtensionMatch] {
    let allowed = (points ?? configuration.points.pointsTakingItems).filter {
      !configuration.refusedPoints.contains($0)
    }
    return registry.matches(items.map { ActivationItem($0) }, at: allowed, cache: activation)
      .filter { includingRefused || $0.match.isOffered }
      .map { ExtensionMatch(entry: $0.entry, isOffered: $0.match.isOffered, explanation: $0.match.explanation) }
  }
}

extension ActivationItem {
  /// Creates the form of an item that rules read.
  fileprivate init(_ item: ExtensionItem) {
    self.init(
      title: item.attributedTitle, contentText: item.attributedContentText,
      attachments: item.attachments.map { ActivationAttachment($0) }, userInfo: item.userInfo ?? [:])
  }
}

extension ActivationAttachment {
  /// Creates the form of an attachment that rules read.
  fileprivate init(_ provider: ItemProvider) {
    let address = provider.inline.flatMap { ["public.url", "public.file-url"].contains($0.type) ? $0.value : nil }
    let scheme = address.flatMap { URLScheme.of($0) }
    let isFileURL = scheme == "file"
    let types = provider.registeredTypeIdentifiers
    self.init(
      isFileURL && !types.contains("public.file-url") ? ["public.file-url"] + types : types, urlScheme: scheme,
      isFile: isFileURL || provider.suggestedName != nil,
      isPageResult: provider.propertyList?[PageResults.resultsKey] != nil)
  }
}

/// Whether an extension takes what a user wants to share or act on, and why.
public struct ExtensionMatch: Sendable {
  /// The extension.
  public let entry: RegistryEntry
  /// Whether its activation rule takes the items.
  public let isOffered: Bool
  /// A sentence for every attachment, then what decided.
  public let explanation: [String]
}
