/// An adventure as AEM has it. Any field may be null, and the price may be a text in older models.
package struct Adventure: Decodable, Sendable {
  /// A text of several lines, in one of its forms.
  package struct MultiLine: Decodable, Sendable {
    package var plaintext: String?
    package var html: String?
  }

  /// A picture. A local AEM gives no `_dynamicUrl`.
  package struct Image: Decodable, Sendable {
    package var _path: String?
    package var _dynamicUrl: String?
  }

  package var slug: String?
  package var title: String?
  package var activity: String?
  package var adventureType: String?
  package var tripLength: String?
  package var difficulty: String?
  package var groupSize: Int?
  package var price: Price?
  package var primaryImage: Image?
  package var description: MultiLine?
  package var itinerary: MultiLine?
  package var gearList: MultiLine?

  /// Where AEM has the picture.
  package var imagePath: String? { primaryImage?._dynamicUrl ?? primaryImage?._path }
}

/// A price, which is a number, or a text where a model says so.
package struct Price: Decodable, Sendable, CustomStringConvertible {
  package let description: String

  package init(from decoder: any Decoder) throws {
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
