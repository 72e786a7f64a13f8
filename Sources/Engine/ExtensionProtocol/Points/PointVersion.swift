/// The version of an extension point's definition: a minor one may add methods and optional members, a major one may
/// break what was there.
public struct PointVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Differs between definitions that do not understand each other.
  public let major: Int
  /// Grows with what is added.
  public let minor: Int

  /// The version of a definition that says none, and of a peer that says none.
  public static let first = PointVersion(1, 0)

  private static let numbers = 0...999_999

  /// A version of two numbers, each from 0 to 999999.
  public init(_ major: Int, _ minor: Int) {
    precondition(Self.numbers ~= major && Self.numbers ~= minor, "a version has two numbers from 0 to 999999")
    self.major = major
    self.minor = minor
  }

  /// A version as text: `1.2`. Whole numbers without signs and leading zeros, joined by a dot.
  ///
  /// - Returns: `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> Int? in
      guard 1...6 ~= part.utf8.count, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return part.count > 1 && part.first == "0" ? nil : Int(part)
    }
    guard parts.count == 2, numbers.count == 2 else { return nil }
    self.init(numbers[0], numbers[1])
  }

  /// The version as text: `1.2`.
  public var description: String { "\(major).\(minor)" }

  /// Whether a version is older than another.
  public static func < (left: Self, right: Self) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}

extension PointVersion: Codable {
  /// Decodes the version from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let version = PointVersion(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "A version is written like 1.2.")
    }
    self = version
  }

  /// Encodes the version as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
