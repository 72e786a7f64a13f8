/// The mark of a request that a host sends for an extension to a server of its own choice. A server of this machine that is
/// not meant for extensions refuses such requests.
package enum FetchMark {
  /// The name of the header field. An extension can neither set it nor leave it out.
  package static let field = "Annex-Fetch"
}
