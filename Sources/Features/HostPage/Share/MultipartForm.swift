import Text

/// A form with files, in the encoding `multipart/form-data` (RFC 7578). Pure.
struct MultipartForm {
  /// A file of a form.
  struct File: Sendable, Equatable {
    /// The last part of the name that the browser gave; never empty.
    let name: String
    let bytes: [UInt8]
  }

  /// The values of the fields without files, by name; of two with one name the first.
  private(set) var fields: [String: String] = [:]
  /// The files, in order; those without a name and bytes are left out.
  private(set) var files: [File] = []

  private static let (mostParts, longestHead) = (64, 8 << 10)

  /// - Parameters:
  ///   - contentType: the field `Content-Type` of the request.
  ///   - body: the form.
  /// - Returns: `nil` when it is no such form, or not one from its first byte to its end.
  init?(contentType: String, body: [UInt8]) {
    guard let boundary = Self.boundary(in: contentType) else { return nil }
    let mark = Array("--\(boundary)".utf8)
    guard body.starts(with: mark) else { return nil }
    var rest = body[mark.count...]
    let separator = [0x0D, 0x0A] + mark
    for _ in 0...Self.mostParts {
      if rest.starts(with: [0x2D, 0x2D]) { return }
      guard rest.starts(with: [0x0D, 0x0A]) else { return nil }
      rest = rest.dropFirst(2)
      guard let headEnd = Self.place(of: [0x0D, 0x0A, 0x0D, 0x0A], in: rest.prefix(Self.longestHead)) else {
        return nil
      }
      let head = String(decoding: rest[..<headEnd], as: UTF8.self)
      rest = rest[(headEnd + 4)...]
      guard let end = Self.place(of: separator, in: rest) else { return nil }
      add(head, Array(rest[..<end]))
      rest = rest[(end + separator.count)...]
    }
    return nil
  }

  private mutating func add(_ head: String, _ bytes: [UInt8]) {
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-disposition:") }
    guard let line, let name = Self.parameter("name", of: line) else { return }
    guard let path = Self.parameter("filename", of: line) else {
      if fields[name] == nil { fields[name] = String(decoding: bytes, as: UTF8.self) }
      return
    }
    let last = path.lastName ?? ""
    guard !last.isEmpty || !bytes.isEmpty else { return }
    files.append(File(name: last.isEmpty || last.utf8.first == UInt8(ascii: ".") ? "file\(last)" : last, bytes: bytes))
  }

  private static func boundary(in contentType: String) -> String? {
    let parts = contentType.split(separator: ";").map { $0.drop { $0 == " " } }
    guard parts.first?.lowercased() == "multipart/form-data",
      let part = parts.first(where: { $0.lowercased().hasPrefix("boundary=") })
    else { return nil }
    let boundary = part.dropFirst("boundary=".count).filter { $0 != "\"" }
    return (1...70).contains(boundary.utf8.count) ? String(boundary) : nil
  }

  /// A parameter in quotation marks, in which browsers escape these marks and line ends by percent signs.
  private static func parameter(_ name: String, of line: Substring) -> String? {
    // By scalars: a value may begin with a combining mark.
    let scalars = line.unicodeScalars
    guard let start = scalars.firstRange(of: "; \(name)=\"".unicodeScalars)?.upperBound,
      let end = scalars[start...].firstIndex(of: "\"")
    else { return nil }
    return String(scalars[start..<end]).replacing("%22", with: "\"").replacing("%0D", with: "").replacing(
      "%0A", with: "")
  }

  private static func place(of wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = wanted.first else { return nil }
    var start = bytes.startIndex
    while let index = bytes[start...].firstIndex(of: first) {
      if bytes[index...].starts(with: wanted) { return index }
      start = index + 1
    }
    return nil
  }
}
