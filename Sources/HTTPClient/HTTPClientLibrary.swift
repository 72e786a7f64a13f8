internal import CCurl

/// The library underneath.
package enum HTTPClientLibrary {
  /// The versions of libcurl and of what it uses, for example `libcurl/7.88.1 OpenSSL/3.0.15 …`.
  package static var version: String { unsafe String(cString: curl_version()) }
}
