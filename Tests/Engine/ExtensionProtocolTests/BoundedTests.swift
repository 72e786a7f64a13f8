import ExtensionProtocol
import JSON
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A bounded number` {
  private struct Members: Codable, Equatable {
    @NonNegative<Int> var count: Int
    @NonNegative<Int64?> var size: Int64?
    @Exact<Double?> var progress: Double?
    @Length<Int?> var width: Int?

    init(count: Int = 1, size: Int64? = nil, progress: Double? = nil, width: Int? = nil) {
      self.count = count
      self.size = size
      self.progress = progress
      self.width = width
    }
  }

  private static let largest = 9_007_199_254_740_991.0
  private static let taken: [(JSONValue, Members)] = [
    (["count": 0], Members(count: 0)),
    (["count": 9_007_199_254_740_991, "size": .null], Members(count: Int(largest))),
    (["count": 1, "size": 5, "progress": -0.5, "width": 9], Members(size: 5, progress: -0.5, width: 9)),
    (["count": 1, "progress": 9_007_199_254_740_991], Members(progress: largest)),
    (
      ["count": 1, "progress": -9_007_199_254_740_991, "width": 1_000_000],
      Members(progress: -largest, width: 1_000_000)
    ),
    (["count": 1, "size": 0, "width": 0], Members(size: 0, width: 0)),
  ]

  @Test(arguments: taken.indices)
  func `is taken inside of its bounds, and written as it is`(index: Int) throws {
    let (value, members) = Self.taken[index]
    #expect(try JSONCoding.decode(Members.self, from: value) == members)
    let again = try JSONValue(parsing: String(decoding: JSONCoding.encode(members), as: UTF8.self))
    #expect(try JSONCoding.decode(Members.self, from: again) == members)
    #expect(again["size"] == members.size.map { .integer($0) })
  }

  @Test(
    arguments: [
      [:], ["count": -1], ["count": 9_007_199_254_740_992], ["count": .integer(.min)], ["count": .integer(.max)],
      ["count": .unsigned(.max)], ["count": 1.5], ["count": "1"], ["count": 1, "size": -1],
      ["count": 1, "size": .integer(.min)], ["count": 1, "progress": 1e300], ["count": 1, "progress": -1e16],
      ["count": 1, "width": 1_000_001], ["count": 1, "width": 1e9], ["count": 1, "width": -1],
      ["count": 1, "progress": 9_007_199_254_740_992], ["count": 1, "progress": -9_007_199_254_740_992],
      ["count": 1, "size": 9_007_199_254_740_992],
    ] as [JSONValue])
  func `is refused outside of them`(value: JSONValue) {
    #expect(throws: (any Error).self) { try JSONCoding.decode(Members.self, from: value) }
  }

  @Test func `is not written outside of them`() {
    for members in [
      Members(count: -1), Members(size: -1), Members(progress: 9_007_199_254_740_992), Members(width: 1_000_001),
      Members(progress: .nan),
    ] {
      #expect(throws: EncodingError.self, "\(members)") { try JSONCoding.encode(members) }
    }
  }

  private struct Lists: Codable, Equatable {
    @Length<[Int]> var widths: [Int]
    @NonNegative<[String: Int]> var sizes: [String: Int]
    @Timestamp<Int> var time: Int
  }

  @Test func `may be one of many, and each of them counts`() throws {
    let most = Lists(widths: [0, 1_000_000], sizes: ["a": 0], time: 253_402_300_799)
    let value: JSONValue = ["widths": [0, 1_000_000], "sizes": ["a": 0], "time": 253_402_300_799]
    #expect(try JSONCoding.decode(Lists.self, from: value) == most)
    #expect(try JSONCoding.value(of: most) == value)
    for wrong: JSONValue in [
      ["widths": [0, 1_000_001], "sizes": [:], "time": 0], ["widths": [-1, 0], "sizes": [:], "time": 0],
      ["widths": [], "sizes": ["a": 1, "b": -1], "time": 0], ["widths": [], "sizes": [:], "time": 253_402_300_800],
      ["widths": [], "sizes": [:], "time": -1],
    ] {
      #expect(throws: DecodingError.self, "\(wrong)") { try JSONCoding.decode(Lists.self, from: wrong) }
    }
  }
}
