internal import CMicroHTTPD

/// The library underneath.
package enum HTTPServerLibrary {
  /// The version of libmicrohttpd in use, for example `0.9.75`.
  package static var version: String { unsafe String(cString: MHD_get_version()) }
}
