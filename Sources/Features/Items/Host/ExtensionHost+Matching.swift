import JSON
import Activation
public import Contracts
public import ExtensionHosting
public import ExtensionProtocol

extension ExtensionHost {
  /// The extensions that take what a user wants to share or act on, by their activation rules, in the order of identifiers.
  ///
  /// Asking again for the same items costs nothing: answers are kept by rule, known types and items.
  ///
  /// - Parameters:
  ///   - items: what is to be passed on. An attachment with a suggested name counts as a file.
  ///   - points: where an extension may be; all whose extensions take items when absent.
  ///   - includingRefused: whether the extensions that do not take the items are in the answer too, with the reasons.
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
  /// What a rule sees of an item.
  fileprivate init(_ item: ExtensionItem) {
    self.init(
      title: item.attributedTitle, contentText: item.attributedContentText,
      attachments: item.attachments.map { ActivationAttachment($0) }, userInfo: item.userInfo ?? [:])
  }
}

extension ActivationAttachment {
  /// What a rule sees of an attachment.
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
