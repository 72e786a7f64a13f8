internal import JSON

/// An entry of `extensions.dataConnect`: which entity is at a place of the data, and how long it stays fresh.
struct CacheHint: Sendable, Equatable {
  /// A step from a value into it.
  enum Step: Sendable, Hashable {
    case name(String)
    case index(Int)
  }

  /// No data is deeper, as no answer is.
  private static let deepest = 64

  /// From the data's root.
  var path: [Step]
  /// The object at the path.
  var entity: String?
  /// The elements of the list at the path, "" for one that is none.
  var entities: [String]
  /// How long the whole is fresh; `nil` where the server does not say.
  var maximumAge: Duration?

  init(path: [Step], entity: String? = nil, entities: [String] = [], maximumAge: Duration? = nil) {
    self.path = path
    self.entity = entity
    self.entities = entities
    self.maximumAge = maximumAge
  }

  /// `nil` for what is no such entry: hints are hints.
  init?(_ value: JSONValue) {
    guard let object = value.objectValue, let steps = object["path"]?.arrayValue, steps.count <= Self.deepest else {
      return nil
    }
    var path: [Step] = []
    for step in steps {
      if let name = step.stringValue {
        path.append(.name(name))
      } else if let index = step.integerValue.flatMap({ Int(exactly: $0) }), index >= 0 {
        path.append(.index(index))
      } else {
        return nil
      }
    }
    self.path = path
    entity = object["entityId"]?.stringValue.flatMap(Self.usable)
    entities = object["entityIds"]?.arrayValue?.map { $0.stringValue.flatMap(Self.usable) ?? "" } ?? []
    maximumAge = object["maxAge"]?.stringValue.flatMap(Self.duration)
  }

  /// An identity that is kept is short.
  private static func usable(_ id: String) -> String? { id.isEmpty || id.utf8.count > 256 ? nil : id }

  /// A duration as protocol buffers write it in JSON: "3.5s"; at most a year counts.
  static func duration(_ text: String) -> Duration? {
    guard text.hasSuffix("s"), text.utf8.count <= 32, let seconds = Double(text.dropLast()), seconds >= 0 else {
      return nil
    }
    return .milliseconds(Int64(min(seconds, 31_536_000) * 1_000))
  }
}
