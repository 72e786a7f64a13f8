internal import HTTP
internal import HTTPServer
internal import Images
internal import Text

/// An error in the query of a picture's URL.
struct PictureFault: Error, Equatable {
  let message: String
}

/// The request of a rendition: the query of a `_dynamicUrl`, and the formats that the client accepts.
struct PictureRequest: Equatable {
  private(set) var transform = ImageTransform()
  /// Whether what comes out depends on the client's `Accept`.
  private(set) var prefersWebP = false

  /// The widest picture that is made.
  static let mostPixels = 4096

  /// - Parameters:
  ///   - name: the file's name in the URL; its ending is a format where the query has none.
  ///   - query: still percent-encoded. Names that are not known are passed over; of a name that comes twice the last
  ///     counts.
  ///   - accept: the client's field.
  init(name: String, query: String?, accept: String?) throws(PictureFault) {
    var named: ImageTransform.Format?
    for pair in FormPairs.split(query ?? "") {
      guard let key = PercentEncoding.decoded(pair.name), let value = PercentEncoding.decoded(pair.value ?? "") else {
        throw PictureFault(message: "The query is not UTF-8.")
      }
      if key == "format" {
        guard let format = Self.format(named: value) else { throw Self.wrong(key, value) }
        named = format
      } else {
        try read(key, value)
      }
    }
    transform.format = named ?? name.split(separator: ".").last.flatMap { Self.format(named: String($0)) }
    if prefersWebP, Self.takesWebP(accept), named != .WEBPLL, named != .WEBPLY { transform.format = .WEBP }
  }

  private mutating func read(_ key: String, _ value: String) throws(PictureFault) {
    switch key {
    case "width":
      guard let width = Self.number(value) else { throw Self.wrong(key, value) }
      transform.width = min(Self.mostPixels, max(1, width))
    case "quality":
      guard let quality = Self.number(value) else { throw Self.wrong(key, value) }
      transform.quality = min(100, max(1, quality))
    case "preferwebp": prefersWebP = value.lowercased() == "true"
    case "crop":
      let numbers = try Self.numbers(key, value, count: 4)
      transform.crop = ImageTransform.Crop(
        xOrigin: numbers[0], yOrigin: numbers[1], width: numbers[2], height: numbers[3])
    case "size":
      let numbers = try Self.numbers(key, value, count: 2)
      transform.size = ImageTransform.Size(
        width: min(Self.mostPixels, numbers[0]), height: min(Self.mostPixels, numbers[1]))
    case "rotate":
      let quarters: [String: ImageTransform.Rotation] = [
        "90": .R90, "R90": .R90, "180": .R180, "R180": .R180, "270": .R270, "R270": .R270,
      ]
      guard let rotation = quarters[value] else { throw Self.wrong(key, value) }
      transform.rotation = rotation
    case "flip":
      guard let flip = ImageTransform.Flip(rawValue: value.uppercased()) else { throw Self.wrong(key, value) }
      transform.flip = flip
    default: break
    }
  }

  private static func wrong(_ key: String, _ value: String) -> PictureFault {
    PictureFault(message: "“\(key)” cannot be “\(value.shownInMessage())”.")
  }

  private static func number(_ text: String) -> Int? { Int32(text).map { Int($0) } }

  private static func numbers(_ key: String, _ value: String, count: Int) throws(PictureFault) -> [Int] {
    let parts = value.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { number(String($0)) }
    guard parts.count == count, numbers.count == count, numbers.allSatisfy({ $0 >= 0 }) else {
      throw wrong(key, value)
    }
    return numbers
  }

  /// Returns the format for a name of AEM or for the ending of a file.
  private static func format(named name: String) -> ImageTransform.Format? {
    switch name.uppercased() {
    case "JPEG": .JPG
    case let name: ImageTransform.Format(rawValue: name)
    }
  }

  /// Whether the field names the type, without refusing it (RFC 9110, 12.5.1).
  private static func takesWebP(_ accept: String?) -> Bool {
    (accept ?? "").lowercased().split(separator: ",").contains { range in
      let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard parts.first == "image/webp" else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
  }
}
