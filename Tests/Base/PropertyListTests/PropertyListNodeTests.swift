import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A property list node` {
  private let node = PropertyListNode(
    .dictionary([
      .init(
        "UTTypes",
        PropertyListNode(
          .array([PropertyListNode(.dictionary([.init("X", PropertyListNode(.scalar("v"), line: 4))]), line: 3)]),
          line: 2))
    ]), line: 1)

  @Test func `is found by its key path`() {
    let path = PropertyListKeyPath("UTTypes").appending(0).appending("X")
    #expect(path.description == "UTTypes[0].X")
    #expect(node.node(at: path)?.value == "v")
    #expect(node.node(at: path)?.line == 4)
    #expect(node.node(at: path.appending("more")) == nil)
    #expect(node.node(at: PropertyListKeyPath("UTTypes").appending(1)) == nil)
  }

  @Test func `tells the line of the nearest node above a path`() {
    #expect(node.line(nearest: .root) == 1)
    #expect(node.line(nearest: PropertyListKeyPath("UTTypes").appending(0).appending("Y")) == 3)
    #expect(node.line(nearest: PropertyListKeyPath("UTTypes").appending(7)) == 2)
    #expect(node.line(nearest: PropertyListKeyPath("None", "X")) == 1)
  }

  @Test func `comes from a value and goes back to it`() {
    let value: PropertyListValue = ["a": [1, true, ["b": .data([1])]], "c": 2.5]
    #expect(PropertyListNode(value).value == value)
  }

  @Test(arguments: [
    ("a b", "R.a b"), ("é", "R.é"), ("", "R[\"\"]"), ("a[", "R[\"a[\"]"), ("]", "R[\"]\"]"), ("a\"", "R[\"a\"\"]"),
  ])
  func `writes keys in brackets that could be read otherwise`(key: String, path: String) {
    #expect(PropertyListKeyPath("R").appending(key).description == path)
    #expect(PropertyListKeyPath(key).description == (path.hasPrefix("R.") ? key : String(path.dropFirst())))
  }

  @Test func `writes keys with dots in brackets`() {
    let path = PropertyListKeyPath("Entitlements", "com.apple.groups").appending(0)
    #expect(path.description == "Entitlements[\"com.apple.groups\"][0]")
    #expect(PropertyListKeyPath.root.description == "")
  }
}
