internal import JSONRPC

/// One content fragment, in wire form.
struct Adventure: Sendable {
  /// All fields of the model; `primaryImage` holds `_path` and what else is known of the image.
  let fields: JSONObject

  private static let longFields = ["description", "itinerary", "gearList"]

  /// The fragment as a query selects it.
  ///
  /// - Parameters:
  ///   - isWhole: whether the long texts are selected too.
  ///   - rendition: the transformation for `_dynamicUrl`; nil leaves `_dynamicUrl` null, as a local AEM does.
  func value(isWhole: Bool, rendition: ImageRendition?) -> JSONValue {
    var result = JSONObject()
    for (name, value) in fields where isWhole || !Self.longFields.contains(name) {
      result[name] = value
    }
    if var image = fields["primaryImage"]?.objectValue, let path = image["_path"]?.stringValue {
      image["_dynamicUrl"] = rendition.map { .string($0.url(of: path)) } ?? .null
      result["primaryImage"] = .object(image)
    }
    return .object(result)
  }
}

extension Adventure {
  /// The sizes of an adventure's own image.
  static let imageWidth = 600
  static let imageHeight = 400

  /// A fragment with multi-line texts made of paragraphs, and an image of its own.
  init(
    slug: String, title: String, type: String, activity: String, difficulty: String, tripLength: String,
    groupSize: Int, price: Double, description: [String], itinerary: [String], gear: [String]
  ) {
    let folder = "/content/dam/wknd-shared/en/adventures/\(slug)"
    let list = gear.map { "<li>\(Self.escaped($0))</li>" }.joined()
    fields = [
      "_path": .string("\(folder)/\(slug)"), "slug": .string(slug), "title": .string(title),
      "adventureType": .string(type), "activity": .string(activity), "difficulty": .string(difficulty),
      "groupSize": .integer(Int64(groupSize)), "price": .double(price), "tripLength": .string(tripLength),
      "primaryImage": [
        "_path": .string("\(folder)/\(slug).png"), "_dynamicUrl": .null, "mimeType": "image/png",
        "width": .integer(Int64(Self.imageWidth)), "height": .integer(Int64(Self.imageHeight)),
      ],
      "description": Self.multiLine(description),
      "itinerary": Self.multiLine(itinerary),
      "gearList": ["html": .string("<ul>\(list)</ul>"), "plaintext": .string(gear.joined(separator: "\n"))],
    ]
  }

  private static func multiLine(_ paragraphs: [String]) -> JSONValue {
    [
      "html": .string(paragraphs.map { "<p>\(escaped($0))</p>" }.joined(separator: "\n")),
      "plaintext": .string(paragraphs.joined(separator: "\n")),
    ]
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
