public import JSON

/// What a web page's preprocessing gives to an action, and what the action gives back for it.
///
/// There is no JavaScript here: the host passes the dictionary that `run` would have passed to its completion function, and
/// takes the one that `finalize` would have been called with.
public enum PageResults {
  /// The type of the attachment that carries either.
  public static let type = "com.apple.property-list"
  /// `NSExtensionJavaScriptPreprocessingResultsKey`
  public static let resultsKey = "NSExtensionJavaScriptPreprocessingResultsKey"
  /// `NSExtensionJavaScriptFinalizeArgumentKey`
  public static let finalizeKey = "NSExtensionJavaScriptFinalizeArgumentKey"
}

extension ItemProvider {
  /// A property list, inline, as JSON text; `encoding` is `json`.
  ///
  /// - Parameter object: the dictionary, with one of the keys of ``PageResults`` or any others.
  public static func propertyList(_ object: JSONObject, itemID: String = "page") -> ItemProvider {
    let text = JSONCoding.text(of: .object(object))
    return ItemProvider(
      itemID: itemID, registeredTypeIdentifiers: [PageResults.type],
      inline: Inline(type: PageResults.type, value: text, encoding: "json"), estimatedSize: text.utf8.count)
  }

  /// What a page's preprocessing returned.
  public static func pageResults(_ results: JSONObject, itemID: String = "page") -> ItemProvider {
    propertyList([PageResults.resultsKey: .object(results)], itemID: itemID)
  }

  /// What a page's `finalize` function is called with.
  public static func finalizeArguments(_ arguments: JSONObject, itemID: String = "finalize") -> ItemProvider {
    propertyList([PageResults.finalizeKey: .object(arguments)], itemID: itemID)
  }

  /// The dictionary of a property list that travels inline as JSON; `nil` for any other attachment.
  public var propertyList: JSONObject? {
    guard let inline, inline.encoding == "json" || inline.encoding == nil, inline.type == PageResults.type else {
      return nil
    }
    return (try? JSONValue(parsing: inline.value))?.objectValue
  }
}

extension [ExtensionItem] {
  /// What the page's preprocessing returned, when one of the items carries it.
  public var pageResults: JSONObject? { dictionary(PageResults.resultsKey) }
  /// What the page's `finalize` function is to be called with, when one of the items carries it.
  public var finalizeArguments: JSONObject? { dictionary(PageResults.finalizeKey) }

  private func dictionary(_ key: String) -> JSONObject? {
    for attachment in flatMap(\.attachments) {
      if let found = attachment.propertyList?[key]?.objectValue { return found }
    }
    return nil
  }
}
