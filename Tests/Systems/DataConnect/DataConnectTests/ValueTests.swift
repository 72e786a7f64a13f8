import DataConnect
import FoundationEssentials
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A value of Data Connect` {
  @Test(arguments: ["2026-02-28", "2024-02-29", "0001-01-01", "9999-12-31"])
  func `is a day`(text: String) throws {
    let day = try LocalDate(localDateString: text)
    #expect(day.description == text)
    #expect(try LocalDate(localDateString: "\(text)T10:00:00Z") == day)
  }

  @Test func `is a date of Foundation, and back`() throws {
    let date = Date(timeIntervalSince1970: 1_769_860_800.5)
    let time = Timestamp(date: date)
    #expect(time.seconds == 1_769_860_800 && time.nanoseconds == 500_000_000 && time.dateValue() == date)
    #expect(Timestamp(date: Date(timeIntervalSince1970: -0.25)).nanoseconds == 750_000_000)
    #expect(Timestamp(date: .distantFuture).seconds > 0 && abs(Timestamp().dateValue().timeIntervalSinceNow) < 60)
    let zone = try #require(TimeZone(secondsFromGMT: 3_600))
    let day = LocalDate(date: Date(timeIntervalSince1970: 1_769_815_800), timeZone: zone)
    #expect(day.description == "2026-01-31")
    #expect(LocalDate(date: day.dateValue(timeZone: zone), timeZone: zone) == day)
    #expect(LocalDate(date: day.dateValue()) == day)
  }

  @Test func `has the names of Firebase`() {
    let path: [DataConnectPathSegment] = [.field("movies"), .listIndex(0)]
    let error = OperationFailureResponse.ErrorInfo(message: "no", path: path)
    let response = OperationFailureResponse(errors: [error], value: ["a": "x"])
    #expect(
      response.data(asType: [String: Int].self) == nil && response.data(asType: [String: String].self) == ["a": "x"])
    #expect(CacheSettings(maxAge: 2.5).maxAge == .milliseconds(2_500) && CacheSettings(maxAge: .nan).maxAge == .zero)
  }

  @Test(arguments: [
    "2026-02-29", "2026-13-01", "2026-1-1", "٢٠٢٦-٠١-٠١", "", "2026-01-01x", "0000-01-01", "+026-01-01",
  ])
  func `is no day`(text: String) {
    let error = #expect(throws: DataConnectCodecError.self) { try LocalDate(localDateString: text) }
    #expect(error?.code == .invalidLocalDateFormat)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0, 0), ("2026-01-31T12:00:00.5Z", 1_769_860_800, 500_000_000),
    ("2026-01-31T13:00:00+01:00", 1_769_860_800, 0), ("1969-12-31T23:59:59.000000001Z", -1, 1),
    ("1583-01-01T00:00:00Z", -12_212_553_600, 0), ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
  ])
  func `is a point in time`(text: String, seconds: Int64, nanoseconds: Int32) throws {
    let time = try Timestamp(text)
    #expect(time.seconds == seconds && time.nanoseconds == nanoseconds)
    #expect(try Timestamp(time.description) == time)
  }

  @Test func `writes a point in time with as many digits as it needs`() {
    #expect(Timestamp(seconds: 0).description == "1970-01-01T00:00:00Z")
    #expect(Timestamp(seconds: -1, nanoseconds: 120_000_000).description == "1969-12-31T23:59:59.120Z")
    #expect(Timestamp(seconds: 951_782_400, nanoseconds: 1000).description == "2000-02-29T00:00:00.000001Z")
    #expect(Timestamp(seconds: .max).description == "9999-12-31T23:59:59Z")
    #expect(Timestamp(seconds: .min).description == "0001-01-01T00:00:00Z")
  }

  @Test(arguments: [
    "2026-01-31", "2026-01-31T12:00:00", "2026-01-31T24:00:00Z", "2026-01-31T12:00:00.Z", "2026-02-30T12:00:00Z",
    "2026-01-31T12:00:00.1234567890Z", "2026-01-31T12:00:00+1:00", "0001-01-01T00:00:00+23:00",
  ])
  func `is no point in time`(text: String) {
    let error = #expect(throws: DataConnectCodecError.self) { try Timestamp(text) }
    #expect(error?.code == .invalidTimestampFormat)
  }

  @Test func `is read back as it is written, or refused`() {
    let bytes: [UInt8] = Array("09TZtz+-:.xé".utf8) + [0, 0xFF]
    for text in ["2026-01-31T12:00:00.123456Z", "0001-01-01T00:00:00+23:59", "9999-12-31"] {
      for index in text.utf8.indices {
        let offset = text.utf8.distance(from: text.utf8.startIndex, to: index)
        for byte in bytes {
          var changed = Array(text.utf8)
          changed[offset] = byte
          let foreign = String(decoding: changed, as: UTF8.self)
          if let time = try? Timestamp(foreign) { #expect((try? Timestamp(time.description)) == time, "\(foreign)") }
          if let day = try? LocalDate(localDateString: foreign) {
            #expect((try? LocalDate(localDateString: day.description)) == day, "\(foreign)")
          }
        }
      }
    }
  }

  @Test func `is any JSON, and nothing is made of texts`() throws {
    struct Part: Codable, Equatable { var a: [Int?], b: String, c: Double, d: [String: Bool] }
    let part = Part(a: [1, nil], b: "123", c: 1.5, d: ["x": true])
    let any = try AnyValue(codableValue: part)
    #expect(any.value["b"] == "123" && any.value["a"] == [1, .null])
    #expect(try any.decodeValue(Part.self) == part)
    #expect(try AnyValue(.null).decodeValue(Part.self) == nil)
    #expect(throws: DataConnectCodecError.self) { try AnyValue("x").decodeValue(Part.self) }
    #expect(throws: DataConnectCodecError.self) { try AnyValue(codableValue: [Double.nan]) }
  }

  @Test func `is set or not`() {
    struct Holder: Hashable { @OptionalVariable var x: Int? }
    var holder = Holder()
    #expect(!holder.$x.isSet && holder.x == nil)
    holder.x = nil
    #expect(holder.$x.isSet && holder != Holder())
    #expect(Holder(x: OptionalVariable(wrappedValue: 1)).x == 1)
  }

  /// `nil` for what is no such value.
  private func read<Value: Decodable>(_ value: JSONValue, as type: Value.Type) -> Value? {
    try? AnyValue(value).decodeValue(type)
  }

  @Test func `is a UUID of 32 digits, with four hyphens at most`() throws {
    let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
    let digits = "0102030405060708090a0b0c0d0e0fff"
    #expect(try AnyValue(codableValue: [uuid]).value == [.string(digits)])
    let hyphens = ["01020304-0506-0708-090A-0b0c0d0e0fff", "0102-030405060708090a0b0c0d0e0fff"]
    for text in [digits, digits.uppercased()] + hyphens {
      #expect(read(.string(text), as: UUID.self) == uuid, "\(text)")
    }
    let start = String(digits.dropLast(2))
    for text in ["", start, start + "f", digits + "0", start + "fg", start + "é", "{\(digits)}"] {
      #expect(read(.string(text), as: UUID.self) == nil, "\(text)")
    }
    let error = #expect(throws: DataConnectCodecError.self) {
      try AnyValue("01020304-0506-0708-090a-0b0c-0d0e0fff").decodeValue(UUID.self)
    }
    #expect(error?.code == .invalidUUID && error?.message.contains("32 hexadecimal digits") == true)
  }

  @Test func `is an integer as far as its type holds it, and a text where it has 64 bits`() throws {
    enum Level: Int64, Codable { case high = 9_007_199_254_740_993 }
    #expect(try AnyValue(codableValue: [Int64.min, 7]).value == ["-9223372036854775808", "7"])
    #expect(try AnyValue(codableValue: ["a": Int64(1)]).value == ["a": "1"])
    #expect(try AnyValue(codableValue: [Level.high]).value == ["9007199254740993"])
    #expect(try AnyValue(codableValue: [7] as [Int32]).value == [7])
    #expect(read("9007199254740993", as: Level.self) == .high)
    #expect(read("9223372036854775807", as: Int64.self) == .max && read(5, as: Int64.self) == 5)
    #expect(read("9223372036854775808", as: Int64.self) == nil && read(.unsigned(.max), as: Int64.self) == nil)
    #expect(read(.unsigned(.max), as: UInt64.self) == .max && read(-1, as: UInt64.self) == nil)
    #expect(read(2_147_483_647, as: Int32.self) == .max && read(2_147_483_648, as: Int32.self) == nil)
    #expect(read(255, as: UInt8.self) == 255 && read(256, as: UInt8.self) == nil && read(1.5, as: Int.self) == nil)
    // A text is a number for nobody else.
    #expect(read("5", as: Int32.self) == nil && read("5", as: Int.self) == nil && read("5", as: Double.self) == nil)
  }

  @Test func `of another type says where, what it is, and what it should be`() {
    struct Film: Decodable { var years: [Int32] }
    func message<Value: Decodable>(_ value: JSONValue, _ type: Value.Type) -> String? {
      #expect(throws: DataConnectCodecError.self) { try AnyValue(value).decodeValue(type) }?.message
    }
    #expect(message("x", Film.self) == "The result is a string where an object is expected.")
    #expect(message(["a": [:]], [String: Film].self) == "The result has nothing at \".a.years\".")
    #expect(
      message(["a": ["years": [1, "x"]]], [String: Film].self)
        == "The result at \".a.years[1]\" is a string where an integer that Int32 can hold is expected.")
    // A foreign text is cut, and has no control characters.
    for (text, shown) in [
      (String(repeating: "é", count: 60), String(repeating: "é", count: 60)),
      (String(repeating: "é", count: 61), String(repeating: "é", count: 60) + "…"), ("a\u{7}\n", "a\u{FFFD}\u{FFFD}"),
    ] {
      let expected = "\"\(shown)\" is not a point in time: write it as 2026-01-31T12:00:00Z."
      #expect(message(.string(text), Timestamp.self) == expected)
    }
  }

  @Test func `is inside of what can be written, however far away a date is`() throws {
    let zone = try #require(TimeZone(secondsFromGMT: -3_600))
    for (seconds, time, day) in [
      (1e15, "9999-12-31T23:59:59Z", "9999-12-31"), (-1e15, "0001-01-01T00:00:00Z", "0001-01-01"),
      (253_402_300_799, "9999-12-31T23:59:59Z", "9999-12-31"), (-62_135_596_800, "0001-01-01T00:00:00Z", "0001-01-01"),
      (3_599, "1970-01-01T00:59:59Z", "1969-12-31"), (3_600, "1970-01-01T01:00:00Z", "1970-01-01"),
    ] as [(Double, String, String)] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(Timestamp(date: date).description == time)
      #expect(LocalDate(date: date, timeZone: zone).description == day)
    }
    #expect(Timestamp(seconds: 0, nanoseconds: -1).nanoseconds == 0)
    #expect(Timestamp(seconds: 0, nanoseconds: 1_000_000_000).nanoseconds == 999_999_999)
  }

  @Test func `of a cache is an age from 0 to a year`() {
    let ages: [(Double, Int)] = [
      (-1, 0), (0, 0), (0.0015, 1), (31_535_999.5, 31_535_999_500), (31_536_000, 31_536_000_000),
      (31_536_001, 31_536_000_000), (.infinity, 0),
    ]
    for (seconds, milliseconds) in ages {
      #expect(CacheSettings(maxAge: seconds).maxAge == .milliseconds(milliseconds), "\(seconds)")
    }
    let usual = CacheSettings()
    #expect(usual.storage == .persistent && usual.maxAge == .zero && usual.maxSize == nil)
  }
}
