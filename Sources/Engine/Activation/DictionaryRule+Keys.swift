package import PropertyList

extension DictionaryRule {
  /// A key of a rule, for the reference of manifests.
  package struct Key: Sendable {
    /// The key as it is written in a manifest.
    package let name: String
    /// The type in words.
    package let form: String
    /// The meaning of the key, in one sentence.
    package let summary: String
    /// What holds without it.
    package let standard: String
    /// An example of a value.
    package let example: PropertyListValue
  }

  /// The keys that a rule may have. Any other key is reported as unknown.
  package static let keys = [
    count("SupportsAttachmentsWithMaxCount", "The most attachments of all kinds together.", default: "no bound", 5),
    count("SupportsAttachmentsWithMinCount", "The fewest attachments of all kinds together.", default: "no bound"),
    count("SupportsFileWithMaxCount", "The most files of any type."),
    count("SupportsImageWithMaxCount", "The most images."),
    count("SupportsMovieWithMaxCount", "The most movies."),
    Key(
      name: "\(prefix)SupportsText", form: "Boolean", summary: "Whether texts are accepted.", standard: "false",
      example: true),
    count("SupportsWebURLWithMaxCount", "The most URLs of the web."),
    count("SupportsWebPageWithMaxCount", "The most web pages, which may be preprocessed by a script."),
    Key(
      name: "\(prefix)DictionaryVersion", form: "integer, 1 or 2",
      summary:
        "With 2, one attachment that is accepted is enough, unless `NSExtensionActivationUsesStrictMatching` is set.",
      standard: "1", example: 2),
    Key(
      name: "\(prefix)UsesStrictMatching", form: "Boolean",
      summary: "Whether every attachment has to be accepted in version 2 as well.", standard: "false", example: true),
  ]

  private static func count(
    _ name: String, _ summary: String, default standard: String = "0", _ example: Int64 = 1
  ) -> Key {
    Key(
      name: prefix + name, form: "integer", summary: summary, standard: standard, example: .integer(example))
  }
}
