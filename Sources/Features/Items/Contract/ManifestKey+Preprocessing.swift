import ExtensionProtocol
import PropertyList

extension ManifestKey {
  /// `NSExtensionJavaScriptPreprocessingFile`: runs on web pages only, before they are passed on (App Extension Keys,
  /// `NSExtensionActivationSupportsWebPageWithMaxCount`).
  static let preprocessing = file("NSExtensionJavaScriptPreprocessingFile", ending: ".js") { reader, path, _ in
    guard let name = reader.value(path)?.stringValue else { return }
    let rule = PropertyListKeyPath("NSExtension", "NSExtensionAttributes", "NSExtensionActivationRule")
    let count = rule.appending("NSExtensionActivationSupportsWebPageWithMaxCount")
    let takesNone = reader.value(count).map { $0 == .integer(0) || $0 == "0" } ?? true
    guard reader.value(rule)?.dictionaryValue != nil, takesNone else { return }
    // As published apps have it: their extensions are offered in a browser, for the page's URL.
    let urls = reader.value(rule.appending("NSExtensionActivationSupportsWebURLWithMaxCount"))
    if let urls, urls != .integer(0), urls != "0" {
      return reader.warn(
        rule, "The activation rule takes web URLs and no web pages, so “\(name)” is never run.",
        "Add NSExtensionActivationSupportsWebPageWithMaxCount, or leave NSExtensionJavaScriptPreprocessingFile out.")
    }
    reader.fail(
      count, "Web pages are preprocessed by “\(name)”, and the activation rule takes none.",
      "Give a count above 0, or leave NSExtensionJavaScriptPreprocessingFile out.")
  }
  .described(
    "A file of JavaScript that runs on a web page before it is passed on, by its name without the ending `.js`.",
    example: "Page")
}
