@testable import JSON

/// The same properties twice: as a shape, and with what the compiler makes.
enum Shaped {
  struct Everything: JSONShaped, Equatable {
    var int = -5
    var int8 = Int8.min
    var int16 = Int16.max
    var int32 = Int32.min
    var int64 = Int64.min
    var int128 = Int128(-7)
    var uint = UInt.max
    var uint8 = UInt8.max
    var uint16 = UInt16.max
    var uint32 = UInt32.max
    var uint64 = UInt64.max
    var float = Float(0.1)
    var double = -0.1
    var bool = true
    var string = "é\"\\\n"
    var none: Int?
    var some: String? = "s"
    var strings = ["a", "b\u{1}", "a longer text than a string holds in itself"]
    var optionals: [Int?] = [1, nil, 3]
    var matrix = [[1.5], [], [2]]
    var dictionary = ["k": [1]]
    var color = Color.green
    var json: JSONValue = ["a": [1, .null, 2.5]]
    var children = [Child(name: "n", children: [Child(name: "m", children: [])])]
    var wrapped: Wrapped? = Wrapped(id: 1)

    static let jsonShape = JSONShape<Everything>(
      JSONMember("int", \.int), JSONMember("int8", \.int8), JSONMember("int16", \.int16), JSONMember("int32", \.int32),
      JSONMember("int64", \.int64), JSONMember("int128", \.int128), JSONMember("uint", \.uint),
      JSONMember("uint8", \.uint8), JSONMember("uint16", \.uint16), JSONMember("uint32", \.uint32),
      JSONMember("uint64", \.uint64), JSONMember("float", \.float), JSONMember("double", \.double),
      JSONMember("bool", \.bool), JSONMember("string", \.string), JSONMember("none", \.none),
      JSONMember("some", \.some),
      JSONMember("strings", \.strings), JSONMember("optionals", \.optionals), JSONMember("matrix", \.matrix),
      JSONMember("dictionary", \.dictionary), JSONMember("color", \.color), JSONMember("json", \.json),
      JSONMember("children", \.children), JSONMember("wrapped", \.wrapped))
  }

  struct Child: JSONShaped, Equatable {
    var name: String
    var children: [Child]
    static let jsonShape = JSONShape<Child>(JSONMember("name", \.name), JSONMember("children", \.children))
  }

  struct Wrapped: JSONShaped, Equatable {
    let id: Int
    static let jsonShape = JSONShape<Wrapped>(JSONMember("id", \.id))
  }
}

enum Color: String, Codable { case red, green }

/// What the compiler makes.
enum Synthesised {
  struct Everything: Codable, Equatable {
    var int = -5
    var int8 = Int8.min
    var int16 = Int16.max
    var int32 = Int32.min
    var int64 = Int64.min
    var int128 = Int128(-7)
    var uint = UInt.max
    var uint8 = UInt8.max
    var uint16 = UInt16.max
    var uint32 = UInt32.max
    var uint64 = UInt64.max
    var float = Float(0.1)
    var double = -0.1
    var bool = true
    var string = "é\"\\\n"
    var none: Int?
    var some: String? = "s"
    var strings = ["a", "b\u{1}", "a longer text than a string holds in itself"]
    var optionals: [Int?] = [1, nil, 3]
    var matrix = [[1.5], [], [2]]
    var dictionary = ["k": [1]]
    var color = Color.green
    var json: JSONValue = ["a": [1, .null, 2.5]]
    var children = [Child(name: "n", children: [Child(name: "m", children: [])])]
    var wrapped: Wrapped? = Wrapped(id: 1)
  }

  struct Child: Codable, Equatable {
    var name: String
    var children: [Child]
  }

  struct Wrapped: Codable, Equatable {
    let id: Int
  }
}

/// Counts its objects.
final class Counted: Codable, Sendable {
  @TaskLocal static var count: Count?

  final class Count: @unchecked Sendable {
    var objects = 0
  }

  private let count = Counted.count

  init() { count?.objects += 1 }
  init(from decoder: any Decoder) throws { count?.objects += 1 }
  func encode(to encoder: any Encoder) throws {}
  deinit { count?.objects -= 1 }
}

struct Holder: JSONShaped {
  var first: Counted
  var others: [Counted]
  var last: Int
  static let jsonShape = JSONShape<Holder>(
    JSONMember("first", \.first), JSONMember("others", \.others), JSONMember("last", \.last))
}

struct Forgetful: JSONShaped {
  var kept = 1
  var isForgotten = false
  static let jsonShape = JSONShape<Forgetful>(JSONMember("kept", \.kept))
}

struct Computing: JSONShaped {
  var stored = 1
  var computed: Int {
    get { stored }
    set { stored = newValue }
  }
  static let jsonShape = JSONShape<Computing>(JSONMember("computed", \.computed))
}
