import Foundation
import Testing

/// What a peer, a manifest or a damaged file says is a number is one that it has chosen.
@Suite(.timeLimit(.minutes(4))) struct `A number that is decoded` {
  /// Those without bounds, each with the reason why nothing can come of it.
  static let exceptions: [String: String] = [
    "HealthRecord.Failure.status": "Of 32 bits, and only shown.",
    "HealthRecord.Failure.signal": "Of 32 bits, and only shown.",
    "HealthRecord.Failure.errno": "Of 32 bits, and only shown.",
    "LatencyHistogram.counts": "Its own decoding bounds what it holds.",
    "LatencyHistogram.count": "Its own decoding bounds what it holds.",
    "LatencyHistogram.longest": "Its own decoding bounds what it holds.",
    "LatencyHistogram.microseconds": "Its own decoding bounds what it holds.",
    "ProgressNotice.progress": "Compared and shown, never converted.",
    "ProgressNotice.total": "Compared and shown, never converted.",
    "Initialize.limits": "The host's own words, which an extension reads.",
    "LaunchFailure.errorNumber": "Of 32 bits, and only shown.",
    "SandboxCapabilities.landlockVersion": "Of 32 bits, and compared by the launcher.",
    "SandboxCapabilities.userID": "Of 32 bits, and only compared.",
    "SandboxLimits.data": "Written for reports, and read from nowhere.",
    "SandboxLimits.stack": "Written for reports, and read from nowhere.",
    "SandboxLimits.threads": "Written for reports, and read from nowhere.",
    "SandboxLimits.descriptors": "Written for reports, and read from nowhere.",
    "SandboxLimits.fileSize": "Written for reports, and read from nowhere.",
    "TransferResponse.status": "The journal's own words, and only handed on.",
    "TransferFailure.code": "The journal's own words, and only handed on.",
    "Part.bytes": "The journal looks at it where it reads it.",
    "Part.durableBytes": "The journal looks at it where it reads it.",
    "Part.total": "The journal looks at it where it reads it.",
  ]

  /// Of the product; benchmarks read their own results.
  private static let files = SourceTree.files(below: "Sources").filter { file in
    // The sizes of pictures are no decoded numbers: their limits bound them where a file is read.
    !["Benchmarks", "FeatureList", "Images"].contains(House.module(of: file.path))
  }

  private static func key(_ type: DecodedType, _ number: DecodedType.Number) -> String { "\(type.name).\(number.name)" }

  @Test func `has bounds wherever it comes from`() throws {
    var seen: Set<String> = []
    var count = 0
    for file in Self.files {
      for type in try DecodedType.all(in: file.code) {
        for number in type.numbers {
          count += 1
          let key = Self.key(type, number)
          seen.insert(key)
          if number.isBounded || Self.exceptions.keys.contains(where: { $0.hasSuffix(key) }) { continue }
          Issue.record(
            "\(file.path):\(number.line) \(number.text): write @NonNegative, @Exact, @Length, @Timestamp or @Bounded")
        }
      }
    }
    #expect(count > 40)
    for exception in Self.exceptions.keys { #expect(seen.contains { exception.hasSuffix($0) }, "\(exception)") }
  }

  /// The ways to compute that end the process when the number does not suit: those that bounds below 2^53 do not make safe.
  private static func patterns(_ names: [String]) throws -> [(name: String, pattern: NSRegularExpression)] {
    let member = #"(?:[\w$]+[?!]?\.)+(?:"# + names.joined(separator: "|") + #")\b(?!\s*[.(])"#
    let through = #"\.(?:"# + names.joined(separator: "|") + #")\??\.(?:map|flatMap)\s*\{[^}]*"#
    let patterns = [
      ("a product", member + #"\s*\*"#), ("a product", #"\*\s*"# + member),
      ("a product", through + #"(?:\$0\s*\*|\*\s*\$0)"#),
      ("an index", #"[\w)\]]\[\s*"# + member + #"(?:\s*[-+]\s*\d+)?\s*\]"#), ("an index", through + #"\[\$0\]"#),
      ("a shift", #"(?:<<|>>)\s*"# + member), ("a range", member + #"\s*(?:\.\.<|\.\.\.)"#),
      ("a range", #"(?:\.\.<|\.\.\.)\s*"# + member),
      ("a smaller integer", #"\bU?Int(?:8|16|32)\(\s*"# + member + #"\s*\)"#),
      ("a number without sign", #"\bUInt(?:64)?\(\s*"# + member + #"\s*\)"#), ("a time", #"\btime_t\(\s*"# + member),
      ("a piece of memory", #"repeating:[^,]*,\s*count:\s*"# + member),
    ]
    return try patterns.map { ($0, try NSRegularExpression(pattern: $1)) }
  }

  /// Names of members that nothing but a decoded number has: others say nothing of where the number is from.
  private static func names() throws -> [String] {
    let common: Set<String> = [
      "bytes", "code", "count", "counts", "data", "limits", "next", "size", "stack", "status", "time",
    ]
    let numbers = try files.flatMap { try DecodedType.all(in: $0.code).flatMap(\.numbers) }
    return Set(numbers.map(\.name)).subtracting(common).sorted()
  }

  private static func faults(in code: String, _ patterns: [(name: String, pattern: NSRegularExpression)]) -> [String] {
    patterns.flatMap { name, pattern in
      pattern.matches(in: code, range: NSRange(code.startIndex..., in: code)).compactMap { match in
        Range(match.range, in: code).map { "\(name): \(code[$0])" }
      }
    }
  }

  @Test func `is nowhere computed with in a way that its bounds do not make safe`() throws {
    let names = try Self.names()
    #expect(names.contains("charactersRemaining") && names.contains("timeoutMs"))
    let patterns = try Self.patterns(names)
    for file in Self.files {
      for fault in Self.faults(in: file.code, patterns) {
        Issue.record("\(file.path) makes of a decoded number \(fault)")
      }
    }
  }

  @Test(arguments: [
    "let a = answer.width * 2", "let a = 2 * self.answer.width", "names[answer.width]", "names[answer.width - 1]",
    "1 << answer.width", "for _ in 0..<answer.width {}", "UInt32(answer.width)", "UInt64(answer.width)",
    "[UInt8](repeating: 0, count: answer.width)", "answer.width.map { $0 * 2 }", "time_t(answer.width)",
  ])
  func `is noticed where it is`(code: String) throws {
    #expect(!Self.faults(in: code, try Self.patterns(["width"])).isEmpty)
  }

  @Test(arguments: [
    "answer.width + 1", "min(answer.width, 80)", "Int64(answer.width)", "answer.width.description * x",
    "answer.widths * 2",
  ])
  func `is not noticed where it is not`(code: String) throws {
    #expect(Self.faults(in: code, try Self.patterns(["width"])).isEmpty)
  }

  @Test func `is found in declarations of every form`() throws {
    let code = """
      public struct A: Sendable, Codable {
        @NonNegative public var bounded: Int
        public private(set) var naked: Int64 = 0
        static let limit: Int = 3
        let constant: Int = 3
        var computed: Int { 3 }
        func f() { let local: Int = 3 }
        struct B { var plain: Int }
      }
      struct C:
        Decodable
      { var list: [Double]? }
      """
    let types = try DecodedType.all(in: code)
    #expect(types.map(\.name) == ["A", "C"])
    #expect(types.first?.numbers.map(\.name) == ["bounded", "naked"])
    #expect(types.first?.numbers.map(\.isBounded) == [true, false])
  }
}
