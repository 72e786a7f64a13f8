import AppExtensions

/// An Action extension without a user interface: it returns the first sentence of each text, with a count of its words.
@main
struct AdventuresDigest: ActionExtension {
  func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem] {
    var digests: [ExtensionItem] = []
    for item in items {
      var texts: [String] = []
      for attachment in item.attachments { texts.append(try await context.text(of: attachment)) }
      if texts.isEmpty, let text = item.attributedContentText { texts.append(text) }
      digests += texts.map { text in
        ExtensionItem(title: "Digest", attachments: [.text(digest(of: text))])
      }
    }
    guard !digests.isEmpty else {
      throw ExtensionError(.contentInvalid, "There is no text to digest.", recovery: "Pass a text or a text file.")
    }
    return digests
  }

  private func digest(of text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else { return "Nothing (0 words)" }
    var sentence: [Substring] = []
    for word in words {
      sentence.append(word)
      if word.last == "." || word.last == "!" || word.last == "?" || sentence.count == 40 { break }
    }
    return "\(sentence.joined(separator: " ")) (\(words.count) words)"
  }
}
