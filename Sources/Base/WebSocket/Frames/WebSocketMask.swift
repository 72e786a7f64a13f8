/// The masking of a client's payload (RFC 6455, 5.3): the same again takes it off.
enum WebSocketMask {
  /// Masks the bytes from `start` on.
  ///
  /// - Parameters:
  ///   - mask: four bytes.
  ///   - place: where in the payload the first of these bytes stands.
  static func apply(_ mask: [UInt8], to bytes: inout [UInt8], from start: Int, place: Int) {
    let span = (0..<4).map { mask[(place + $0) & 3] }
    unsafe bytes.withUnsafeMutableBytes { bytes in
      var word: UInt64 = 0
      for index in 0..<8 { word |= UInt64(span[index & 3]) << UInt64(8 * index) }
      word = UInt64(littleEndian: word)
      var at = start
      while at &+ 8 <= bytes.count {
        let masked = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) ^ word
        unsafe bytes.storeBytes(of: masked, toByteOffset: at, as: UInt64.self)
        at &+= 8
      }
      while at < bytes.count {
        unsafe bytes[at] ^= span[(at &- start) & 3]
        at &+= 1
      }
    }
  }
}
