import HTTP

/// Values in the addresses of the page's own links.
enum PageAddress {
  /// Returns a text as the value of a field in an address.
  static func encoded(_ text: String) -> String { PercentEncoding.component(text) }
}
