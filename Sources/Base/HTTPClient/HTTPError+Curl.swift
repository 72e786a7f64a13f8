internal import CCurl
internal import Glibc

extension HTTPError {
  /// Sorts a result of curl; source: https://curl.se/libcurl/c/libcurl-errors.html.
  ///
  /// - Parameters:
  ///   - detail: curl's own words for this transfer, may be empty.
  ///   - systemError: the errno of connecting, 0 when there is none.
  init(code: CURLcode, detail: String, systemError: Int, url: String) {
    let kind = Self.kind(of: code, systemError: systemError)
    let said = detail.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : detail
    self.init(kind, Self.sentence(kind, server: Self.server(of: url), said: said), url: url)
  }

  private static func kind(of code: CURLcode, systemError: Int) -> Kind {
    switch code {
    case CURLE_URL_MALFORMAT: .invalidURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .couldNotResolve
    case CURLE_COULDNT_CONNECT: systemError == Int(ECONNREFUSED) ? .refused : .unreachable
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
      .tls
    // The scheme was checked before: an unsupported protocol is a reply of HTTP/0.9, or of something else.
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_CHUNK_FAILED:
      .invalidResponse
    case CURLE_BAD_CONTENT_ENCODING: .undecodableBody
    case CURLE_ABORTED_BY_CALLBACK: .cancelled
    case CURLE_WRITE_ERROR, CURLE_FILESIZE_EXCEEDED: .tooLarge
    case CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION: .invalidRequest
    default: .connectionLost
    }
  }

  private static func sentence(_ kind: Kind, server: String, said: String) -> String {
    switch kind {
    case .invalidURL: "The URL cannot be used: \(said)."
    case .couldNotResolve: "The host of \(server) is unknown."
    case .refused: "No server answers at \(server)."
    case .forbiddenAddress: "\(server) has an address that the request may not be sent to: \(said)."
    case .unreachable: "\(server) cannot be reached: \(said)."
    case .timedOut: "\(server) did not answer in time."
    case .tls: "No secure connection to \(server): \(said)."
    case .connectionLost: "The connection to \(server) broke: \(said)."
    case .invalidResponse: "\(server) does not speak HTTP: \(said)."
    case .undecodableBody: "The body that \(server) sent cannot be decompressed: \(said)."
    case .tooLarge: "The response of \(server) is larger than allowed."
    case .cancelled: "The request to \(server) was cancelled."
    case .invalidRequest, .badRedirect: "The request to \(server) cannot be sent: \(said)."
    }
  }

  private static func server(of url: String) -> String {
    HTTPOrigin(url: url)?.description ?? "the server"
  }
}
