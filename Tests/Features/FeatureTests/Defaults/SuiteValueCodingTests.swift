import ExtensionProtocol
import PropertyList
import Testing

@testable import HostServices

/// Stores outlive versions of this program, so that the bytes are as they are.
@Suite(.timeLimit(.minutes(1)))
struct `The stored form of a value` {
  private static let forms: [(value: PropertyListValue, bytes: [UInt8])] = [
    (false, [0]), (true, [1]), (1, [2, 1, 0, 0, 0, 0, 0, 0, 0]), (0x0102, [2, 2, 1, 0, 0, 0, 0, 0, 0]),
    (-1, [2, 255, 255, 255, 255, 255, 255, 255, 255]), (.integer(.min), [2, 0, 0, 0, 0, 0, 0, 0, 0x80]),
    (.real(1), [3, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]), (.date(-2), [4, 0, 0, 0, 0, 0, 0, 0, 0xC0]),
    ("", [5]), ("e\u{301}", [5, 0x65, 0xCC, 0x81]), (.data([]), [6]), (.data([0, 9]), [6, 0, 9]), ([], [7]),
    ([true, "a"], [7, 1, 0, 0, 0, 1, 2, 0, 0, 0, 5, 0x61]), ([[]], [7, 1, 0, 0, 0, 7]), ([:], [8]),
    (["b": false, "a": true], [8, 2, 0, 0, 0, 5, 0x61, 1, 0, 0, 0, 1, 2, 0, 0, 0, 5, 0x62, 1, 0, 0, 0, 0]),
  ]

  @Test(arguments: forms) func `is a tag and its bytes`(value: PropertyListValue, bytes: [UInt8]) throws {
    #expect(try SuiteValueCoding.encode(value) == bytes)
    #expect(try SuiteValueCoding.decode(bytes) == value)
  }

  @Test(
    arguments: [
      [], [9], [255], [0, 0], [1, 0], [2], [2, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [3, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F], [3, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F], [4, 0, 0, 0, 0, 0, 0, 0xF0, 0xFF],
      [5, 0xFF], [5, 0xCC], [7, 1], [7, 1, 0, 0], [7, 0, 0, 0, 0], [7, 2, 0, 0, 0, 1], [7, 1, 0, 0, 0, 9],
      [7, 1, 0, 0, 0, 1, 0], [7, 1, 0, 0, 1, 1], [8, 2, 0, 0, 0, 5, 0x61], [8, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1],
    ] as [[UInt8]])
  func `is nothing else`(bytes: [UInt8]) {
    let error = #expect(throws: ExtensionError(.storeFailed, "")) { try SuiteValueCoding.decode(bytes) }
    #expect(error?.message == "A stored value of \(bytes.count) bytes cannot be read.")
    #expect(error?.recovery == "Write the key again, or remove it.")
  }

  /// Lists in lists, so many.
  private func nested(_ count: Int, _ inner: PropertyListValue? = nil) -> PropertyListValue {
    (1..<count).reduce(.array(inner.map { [$0] } ?? [])) { value, _ in .array([value]) }
  }

  @Test func `is 64 levels deep at most`() throws {
    for value in [nested(64), nested(63, "x"), .dictionary(["a": nested(63)])] {
      let bytes = try SuiteValueCoding.encode(value)
      #expect(try SuiteValueCoding.decode(bytes) == value)
      let size = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
      #expect(throws: ExtensionError(.storeFailed, "")) { try SuiteValueCoding.decode([7] + size + bytes) }
    }
    for value in [nested(65), nested(64, "x"), .dictionary(["a": nested(64)])] {
      #expect(throws: ExtensionError(.invalidParams, "")) { try SuiteValueCoding.encode(value) }
    }
  }

  @Test(
    arguments: [.real(.nan), .real(.infinity), .date(-.infinity), [.real(.nan)], ["a": .date(.nan)]]
      as [PropertyListValue])
  func `has no number that is not finite`(value: PropertyListValue) {
    #expect(throws: ExtensionError(.invalidParams, "")) { try SuiteValueCoding.encode(value) }
  }

  @Test func `of lists is read where values are longer than a byte can count`() throws {
    let long = PropertyListValue.string(String(repeating: "x", count: 70_000))
    let bytes = try SuiteValueCoding.encode([long, 1])
    #expect(Array(bytes.prefix(6)) == [7, 0x71, 0x11, 1, 0, 5])
    #expect(try SuiteValueCoding.decode(bytes) == [long, 1])
  }
}
