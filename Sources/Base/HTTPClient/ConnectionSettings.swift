internal import CCurl
internal import EventLoop

extension HTTPClient.Configuration {
  /// Tells curl what holds for each connection of the client, whatever goes over it.
  @unsafe func setConnection(of handle: UnsafeMutableRawPointer, to origin: HTTPOrigin) {
    unsafe ccurl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    unsafe ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
    unsafe ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    unsafe ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(connectTimeout.wholeMilliseconds))
    unsafe ccurl_set_string(handle, CURLOPT_USERAGENT, userAgent)
    if let certificateFile { unsafe ccurl_set_string(handle, CURLOPT_CAINFO, certificateFile) }
    if origin.isLoopback || !usesProxyOfEnvironment { unsafe ccurl_set_string(handle, CURLOPT_PROXY, "") }
  }
}

extension AddressReach {
  /// The reach of an address that curl is about to connect to.
  @unsafe init(_ address: UnsafeMutablePointer<curl_sockaddr>) {
    let count = unsafe Int(address.pointee.addrlen)
    self.init(
      socketAddress: unsafe Array(UnsafeRawBufferPointer(start: ccurl_address_bytes(address), count: count)))
  }
}
