import Testing

@testable import JSON

@Suite(.timeLimit(.minutes(1))) struct `A shape` {
  @Test func `writes what the compiler's own code writes`() throws {
    try #expect(JSONCoding.encode(Shaped.Everything()) == JSONCoding.encode(Synthesised.Everything()))
    try #expect(JSONCoding.encode([Shaped.Wrapped(id: 7)]) == Array(#"[{"id":7}]"#.utf8))
    try #expect(JSONCoding.encode([String: Shaped.Child]()) == Array("{}".utf8))
  }

  @Test func `reads what it wrote, and as the whole text, an array, or a part`() throws {
    let everything = Shaped.Everything()
    let bytes = try JSONCoding.encode(everything)
    try #expect(JSONCoding.decode(Shaped.Everything.self, from: bytes) == everything)
    let array = try JSONCoding.encode([everything, everything])
    try #expect(JSONCoding.decode([Shaped.Everything].self, from: array) == [everything, everything])
    let part = try JSONCoding.encode(["k": [everything]])
    try #expect(JSONCoding.decode([String: [Shaped.Everything]].self, from: part) == ["k": [everything]])
    // Short texts are not asked what they can do.
    try #expect(JSONCoding.decode(Shaped.Wrapped.self, from: Array(#"{"id":-1}"#.utf8)) == Shaped.Wrapped(id: -1))
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 1000]) func `reads arrays of any length`(count: Int) throws {
    let children = (0..<count).map { Shaped.Child(name: "\($0)", children: []) }
    let whole = Shaped.Child(name: String(repeating: "n", count: 300), children: children)
    try #expect(JSONCoding.decode(Shaped.Child.self, from: JSONCoding.encode(whole)) == whole)
    var wide = Shaped.Everything()
    wide.strings = (0..<count).map { String(repeating: "s", count: $0 % 40) }
    try #expect(JSONCoding.decode(Shaped.Everything.self, from: JSONCoding.encode(wide)) == wide)
  }

  static let padding = "\"padding\":\"\(String(repeating: "p", count: 300))\""

  @Test(arguments: [
    #"{"name":"a","children":[],PADDING}"#,
    #"{PADDING,"children":[],"name":"a"}"#,
    #" { "children" : [ ] , PADDING , "other" : { "name" : [ 1, {} ] } , "name" : "a" } "#,
    #"{PADDING,"n\u0061me":"a","children":[],"":null}"#,
  ]) func `takes members in any order, with white space, and leaves out the unknown`(text: String) throws {
    let text = text.replacing("PADDING", with: Self.padding)
    try #expect(read(Shaped.Child.self, text) == Shaped.Child(name: "a", children: []))
  }

  @Test(arguments: [
    (#"{PADDING,"name":"a","name":"a","children":[]}"#, "name"),
    (#"{PADDING,"name":"a","n\u0061me":"a","children":[]}"#, "name"),
    (#"{PADDING,"x":1,"name":"a","children":[],"x":1}"#, "x"),
    (#"{PADDING,"x":1,"name":"a","children":[],"\u0078":1}"#, "x"),
    (#"{PADDING,"name":"a","children":[{"name":"b","name":"b","children":[]}]}"#, "name"),
  ]) func `refuses a name that comes twice`(text: String, name: String) {
    let text = text.replacing("PADDING", with: Self.padding)
    let error = #expect(throws: JSONError.self) { try read(Shaped.Child.self, text) }
    #expect(error?.reason == .duplicateKey(name))
  }

  @Test func `keeps to the depth that is permitted`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      // One level for the object and one for the array of each.
      var child = Shaped.Child(name: String(repeating: "n", count: 300), children: [])
      for _ in 1..<depth { child = Shaped.Child(name: "n", children: [child]) }
      return (try? JSONCoding.encode(child)) ?? []
    }
    try #expect(JSONCoding.decode(Shaped.Child.self, from: nested(4), maximumDepth: 8).children.count == 1)
    let error = #expect(throws: JSONError.self) {
      try JSONCoding.decode(Shaped.Child.self, from: nested(4), maximumDepth: 7)
    }
    #expect(error?.reason == .tooDeep(limit: 7))
  }

  @Test func `counts as many values as the tape`() throws {
    for value in [Shaped.Everything(), Shaped.Everything(none: 1, some: nil, children: [], wrapped: nil)] {
      let bytes = try JSONCoding.encode(value)
      var (direct, taped) = (0, 0)
      try bytes.withUnsafeBytes { text in
        _ = try JSONCoding.decode(Shaped.Everything.self, from: text, maximumDepth: 64, counting: &direct)
        _ = try JSONCoding.decode(Synthesised.Everything.self, from: text, maximumDepth: 64, counting: &taped)
      }
      #expect(direct == taped)
    }
  }

  @Test func `leaves nothing behind when the text is wrong`() throws {
    let count = Counted.Count()
    Counted.$count.withValue(count) {
      let others = Array(repeating: "{}", count: 100).joined(separator: ",")
      let good = #"{"first":{},"others":[\#(others)],"last":1}"#
      _ = try? read(Holder.self, good)
      #expect(count.objects == 0)
      for wrong in [good.replacing(":1}", with: ":true}"), good.replacing("{}]", with: "{}}"), good + "x"] {
        #expect(throws: (any Error).self) { try read(Holder.self, wrong) }
        #expect(count.objects == 0)
      }
      if let holder = try? read(Holder.self, good) { #expect(count.objects == 101, "\(holder.last)") }
    }
  }

  @Test func `says where a number is that JSON does not have`() {
    var everything = Shaped.Everything()
    everything.matrix = [[1], [2, .nan]]
    let error = #expect(throws: EncodingError.self) { try JSONCoding.encode(["a": everything]) }
    guard case .invalidValue(_, let context)? = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["a", "matrix", "Index 1", "Index 1"])
  }

  @Test func `traps when a stored property has no member, or a member is none`() async {
    await #expect(processExitsWith: .failure) {
      _ = try JSONCoding.decode(Forgetful.self, from: Array(#"{"kept":1}"#.utf8))
    }
    await #expect(processExitsWith: .failure) { _ = try JSONCoding.encode(Computing()) }
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONCoding.decode(type, from: Array(text.utf8))
  }
}
