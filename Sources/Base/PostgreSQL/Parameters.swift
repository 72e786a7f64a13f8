/// The parameters of one statement, as libpq takes them.
struct Parameters {
  /// Bytes that all values together may have; the protocol has no room for more than 1 GiB.
  private static let limit = 512 << 20

  let types: [UInt32]
  private let bytes: [UInt8]
  /// Where each value begins; `nil` for NULL.
  private let offsets: [Int?]
  private let lengths: [Int32]
  private let formats: [Int32]

  /// - Throws: `misuse` for text with a NUL, or too many parameters; `tooLarge`.
  init(_ values: [PostgreSQLValue]) throws(PostgreSQLError) {
    guard values.count <= 65_535 else {
      throw PostgreSQLError(.misuse, "A statement has 65535 parameters at most, not \(values.count).")
    }
    var bytes: [UInt8] = []
    var (offsets, lengths): ([Int?], [Int32]) = ([], [])
    for value in values {
      if case .text(let text) = value, text.utf8.contains(0) {
        throw PostgreSQLError(.misuse, "PostgreSQL keeps no text with a NUL in it.")
      }
      let start = bytes.count
      value.encode(into: &bytes)
      guard bytes.count <= Self.limit else {
        throw PostgreSQLError(.tooLarge, "The values of a statement have more than \(Self.limit) bytes together.")
      }
      offsets.append(value == .null ? nil : start)
      lengths.append(Int32(bytes.count - start))
    }
    // So that an empty value at the end has an address, too.
    bytes.append(0)
    self.bytes = bytes
    self.offsets = offsets
    self.lengths = lengths
    types = values.map(\.type)
    formats = values.map { $0.isBinary ? 1 : 0 }
  }

  /// Calls the body with the arrays of libpq, which are valid until it returns.
  func withPointers<Result>(
    _ body: (
      _ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
      _ formats: UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    unsafe bytes.withUnsafeBytes { buffer in
      let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = unsafe offsets.map { offset in unsafe offset.flatMap { at in unsafe start.map { unsafe $0 + at } }
      }
      return unsafe pointers.withUnsafeBufferPointer { values in
        unsafe lengths.withUnsafeBufferPointer { lengths in
          unsafe formats.withUnsafeBufferPointer { formats in
            unsafe body(Int32(values.count), values.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}
