/// What a folder of content may have at most.
package struct ContentLimits: Sendable, Hashable {
  /// Files of all kinds.
  package var files = 50_000
  /// How deep folders may be nested below the root.
  package var depth = 24
  /// The size of a model, fragment, text or query, in bytes.
  package var fileBytes = 4 << 20
  /// The size of all models, fragments, texts and queries together, in bytes.
  package var totalBytes = 512 << 20
  /// The size of an asset that is read, in bytes.
  package var assetBytes = 256 << 20
  /// How many problems are reported.
  package var problems = 100

  package init() {}
}
