internal import CNGHTTP2
internal import HTTP

/// Fields as nghttp2 takes them: names in lower case, and all bytes in one place.
struct HTTP2FieldList {
  private var bytes: [UInt8] = []
  private var ends: [(name: Int, value: Int)] = []

  /// - Parameter fields: those with names or values that would break the header are left out.
  init(_ fields: [HTTPField]) {
    for field in fields {
      guard FieldSyntax.isToken(field.name.drop { $0 == ":" }), FieldSyntax.isValue(field.value) else { continue }
      bytes.append(contentsOf: field.name.lowercased().utf8)
      let name = bytes.count
      bytes.append(contentsOf: field.value.utf8)
      ends.append((name, bytes.count))
    }
  }

  /// Gives the fields to a call of the library, which copies them.
  @unsafe func withFields(_ body: (UnsafePointer<nghttp2_nv>?, Int) -> Int32) -> Int32 {
    var bytes = bytes
    return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return body(nil, 0) }
      var begin = 0
      let fields = unsafe ends.map { end in
        defer { begin = end.value }
        return unsafe nghttp2_nv(
          name: start + begin, value: start + end.name, namelen: end.name - begin, valuelen: end.value - end.name,
          flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
      }
      return unsafe fields.withUnsafeBufferPointer { unsafe body($0.baseAddress, $0.count) }
    }
  }
}
