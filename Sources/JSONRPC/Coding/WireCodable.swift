/// A type that reads and writes its own JSON, several times faster than through `Codable`.
///
/// A type that has both is read and written by this one once it is registered (`JSONCoding.register`); the two forms must
/// be the same.
package protocol WireCodable {
  /// Reads one value. Unknown members are skipped.
  init(wire reader: inout JSONReader) throws(JSONError)
  /// Writes one value.
  func write(to writer: inout JSONWriter)
}
