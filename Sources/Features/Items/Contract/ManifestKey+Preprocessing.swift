import ExtensionProtocol
import PropertyList

extension ManifestKey {
  /// `NSExtensionJavaScriptPreprocessingFile`: runs on web pages only, before they are passed on (App Extension Keys,
  /// `NSExtensionActivationSupportsWebPageWithMaxCount`).
  static let preprocessing = file("NSExtensionJavaScriptPreprocessingFile", ending: ".js") { reader, path, _ in
    guard let name = reader.value(path)?.stringValue else { return }
    let rule = PropertyListKeyPath("NSExtension", "NSExtensionAttributes", "NSExtensionActivationRule")
    let count = rule.appending("NSExtensionActivationSupportsWebPageWithMaxCount")
    guard reader.value(rule)?.dictionaryValue != nil, reader.value(count).map({ $0 == .integer(0) }) ?? true else {
      return
    }
    reader.fail(
      count, "Web pages are preprocessed by “\(name)”, and the activation rule takes none.",
      "Give a count above 0, or leave NSExtensionJavaScriptPreprocessingFile out.")
  }
}
