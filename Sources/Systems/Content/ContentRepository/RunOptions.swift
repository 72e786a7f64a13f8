/// How a server answers queries.
package struct RunOptions: Sendable, Hashable {
  /// Whether pictures have a `_dynamicUrl`. Without, it is null, as on an AEM that runs on one's own machine.
  package var hasDynamicURLs: Bool
  /// What `_authorUrl` begins with, such as `http://localhost:4502`; without, it is null.
  package var authorURL: String?
  /// What `_publishUrl` begins with; without, it is null.
  package var publishURL: String?

  package init(hasDynamicURLs: Bool = true, authorURL: String? = nil, publishURL: String? = nil) {
    self.hasDynamicURLs = hasDynamicURLs
    self.authorURL = authorURL
    self.publishURL = publishURL
  }
}
