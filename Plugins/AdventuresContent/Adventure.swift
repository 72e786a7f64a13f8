/// An adventure as AEM has it. Any field may be null, and the price may be a text in older models.
public struct Adventure: Decodable, Sendable {
  /// A text of several lines, in one of its forms.
  public struct MultiLine: Decodable, Sendable {
    public var plaintext: String?
    public var html: String?
  }

  /// A picture. A local AEM gives no `_dynamicUrl`.
  public struct Image: Decodable, Sendable {
    public var _path: String?
    public var _dynamicUrl: String?
  }

  public var slug: String?
  public var title: String?
  public var activity: String?
  public var adventureType: String?
  public var tripLength: String?
  public var difficulty: String?
  public var groupSize: Int?
  public var price: Price?
  public var primaryImage: Image?
  public var description: MultiLine?
  public var itinerary: MultiLine?
  public var gearList: MultiLine?

  /// Where AEM has the picture.
  public var imagePath: String? { primaryImage?._dynamicUrl ?? primaryImage?._path }
}

/// A price, which is a number, or a text where a model says so.
public struct Price: Decodable, Sendable, CustomStringConvertible {
  public let description: String

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      description = Self.dollars(number)
    } else {
      description = try container.decode(String.self)
    }
  }

  /// 1250.5 as `$1,250.50`.
  private static func dollars(_ price: Double) -> String {
    let cents = (price * 100).rounded()
    guard cents.isFinite, abs(cents) < 1e15 else { return "$\(price)" }
    let whole = Int64(abs(cents)) / 100
    let rest = Int64(abs(cents)) % 100
    var digits = String(whole)
    var grouped = ""
    while digits.count > 3 {
      grouped = ",\(digits.suffix(3))\(grouped)"
      digits.removeLast(3)
    }
    return "\(cents < 0 ? "-" : "")$\(digits)\(grouped).\(rest < 10 ? "0" : "")\(rest)"
  }
}
