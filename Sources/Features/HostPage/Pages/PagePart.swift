package import HTML

/// One of the pages, with an entry in the menu.
package protocol PagePart: Sendable {
  /// The last part of its address.
  var name: String { get }
  /// The word in the menu, and the heading.
  var title: String { get }
  /// The topics of the feed after which the page is no longer right.
  var topics: [String] { get }
  /// The number in the menu that calls for attention; 0 shows none.
  var count: Int { get }
  /// Returns what is below the heading. Parts with the attribute `data-key` are exchanged one by one when they change.
  func content(_ request: PageRequest) async throws -> HTML
  /// Runs while the page is served: says to the feed when the page is no longer right.
  func run(_ feed: PageFeed) async
  /// Does what a form of the page asks for.
  func act(_ request: PageRequest) async throws -> PageOutcome
}

extension PagePart {
  package var count: Int { 0 }
  package func run(_ feed: PageFeed) async {}
  package func act(_ request: PageRequest) async throws -> PageOutcome { .missing }
}

/// What follows a form.
package enum PageOutcome: Sendable {
  /// The page is shown again, with a sentence.
  case done(String)
  /// This is shown in place of the page.
  case show(HTML)
  /// The browser keeps this as a file; it is never shown.
  case file(name: String, [UInt8])
  /// The form asked for nothing that there is.
  case missing
}
