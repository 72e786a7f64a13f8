import JSONRPC
import ExtensionProtocol
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A version of an extension point` {
  @Test func `is two whole numbers`() {
    #expect(PointVersion("1.2") == PointVersion(1, 2) && PointVersion("0.0") == PointVersion(0, 0))
    #expect(PointVersion("999999.999999") == PointVersion(999_999, 999_999))
    #expect(PointVersion(12, 34).description == "12.34" && PointVersion.first == PointVersion(1, 0))
  }

  @Test(arguments: [
    "", "1", "1.", ".1", "1.2.3", "01.2", "1.02", "+1.2", "1.-2", " 1.2", "1.2 ", "1.x", "1234567.0", "1.1000000",
    "0.00", "١.٢", "1.2\u{0}",
  ])
  func `is no other text`(text: String) { #expect(PointVersion(text) == nil) }

  @Test func `is ordered by number and not as text`() {
    #expect(PointVersion(1, 9) < PointVersion(1, 10) && PointVersion(1, 10) < PointVersion(2, 0))
    #expect(!(PointVersion(2, 0) < PointVersion(1, 99)))
  }

  @Test func `is text on the wire, and nothing else`() throws {
    #expect(try JSONCoding.value(of: PointVersion(1, 2)) == "1.2")
    #expect(try JSONCoding.decode(PointVersion.self, from: "3.4" as JSONValue) == PointVersion(3, 4))
    for value in [1.2, "1", .null, ["1.2"]] as [JSONValue] {
      #expect(throws: (any Error).self) { try JSONCoding.decode(PointVersion.self, from: value) }
    }
  }
}
