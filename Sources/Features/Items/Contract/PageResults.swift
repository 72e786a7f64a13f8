public import JSON

/// The results of a web page's preprocessing for an action, and the action's results for the page.
///
/// This project runs no JavaScript: the host passes the dictionary that `run` would pass to its completion function,
/// and receives the one that `finalize` would be called with.
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

  /// Creates an attachment with the results of a page's preprocessing.
  public static func pageResults(_ results: JSONObject, itemID: String = "page") -> ItemProvider {
    propertyList([PageResults.resultsKey: .object(results)], itemID: itemID)
  }

  /// Creates an attachment with the arguments of a page's `finalize` function.
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
  /// The results of the page's preprocessing, if an item contains them.
  public var pageResults: JSONObject? { dictionary(PageResults.resultsKey) }
  /// The arguments of the page's `finalize` function, if an item contains them.
  public var finalizeArguments: JSONObject? { dictionary(PageResults.finalizeKey) }

  private func dictionary(_ key: String) -> JSONObject? {
    for attachment in flatMap(\.attachments) {
      if let found = attachment.propertyList?[key]?.objectValue { return found }
    }
    return nil
  }
}
