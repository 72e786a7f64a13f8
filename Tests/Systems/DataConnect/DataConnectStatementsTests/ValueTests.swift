import DataConnectStatements
import JSON
import Testing

@Suite struct `Values of clients` {
  private static let digits = "a0eebc999c0b4ef8bb6d6bb9bd380a11"
  private static let hyphenated = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"

  @Test(arguments: [
    digits, digits.uppercased(), hyphenated, "urn:uuid:\(hyphenated)", "URN:UUID:\(hyphenated.uppercased())",
    "{\(hyphenated)}", "{\(digits)}",
  ]) func `have four forms of UUIDs`(_ text: String) {
    #expect(UUIDText.canonical(text) == Self.digits)
  }

  @Test(arguments: [
    "", "{}", "a0eebc999c0b4ef8bb6d6bb9bd380a1", "\(digits)0", "g0eebc999c0b4ef8bb6d6bb9bd380a11",
    "a0eebc9-99c0b-4ef8-bb6d-6bb9bd380a11", "{\(hyphenated)", "urn:uuid:", "urn:uuid:{\(hyphenated)}", "' OR 1=1 --",
    "٠0eebc999c0b4ef8bb6d6bb9bd380a11", "\(hyphenated)\0",
  ]) func `have no other forms of UUIDs`(_ text: String) { #expect(UUIDText.canonical(text) == nil) }

  @Test(arguments: [
    ("2026-01-31", "2026-01-31"), ("2024-02-29", "2024-02-29"), ("2026-01-31T23:00:00Z", "2026-01-31"),
    ("2026-01-31 anything", "2026-01-31"), ("0001-01-01", "0001-01-01"),
  ]) func `have days, whose times are dropped`(_ text: String, _ day: String) { #expect(TimeText.date(text) == day) }

  @Test(arguments: [
    "", "2026-02-29", "2026-13-01", "2026-00-01", "2026-1-1", "0000-01-01", "12026-01-01", "2026-01-31x", "-026-01-01",
    "+026-01-01", "２026-01-01",
  ]) func `have no other days`(_ text: String) { #expect(TimeText.date(text) == nil) }

  @Test(arguments: [
    ("2026-01-31T12:00:00Z", "2026-01-31 12:00:00+00:00"), ("2026-01-31t12:00:00z", "2026-01-31 12:00:00+00:00"),
    ("1583-01-01T00:00:00.1+05:30", "1583-01-01 00:00:00.1+05:30"),
    ("9999-12-31T23:59:59.123456789-08:00", "9999-12-31 23:59:59.123456-08:00"),
  ]) func `have times with offsets`(_ text: String, _ time: String) { #expect(TimeText.timestamp(text) == time) }

  @Test(arguments: [
    "", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:61Z",
    "1582-12-31T00:00:00Z", "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00.1234567890Z", "2026-01-31T12:00:00+0530",
    "2026-01-31T12:00:00Z' OR 1=1", "2026-02-30T12:00:00Z", "now", "infinity", "2026-01-31T12:00:00+24:00",
    "2026-01-31T12:00:00+16:00",
  ]) func `have no other times`(_ text: String) { #expect(TimeText.timestamp(text) == nil) }

  @Test func `are quoted in arrays`() {
    #expect(ArrayText.text(of: []) == "{}")
    #expect(ArrayText.text(of: ["a", nil, "NULL", "", "{,}", "\"\\"]) == #"{"a",NULL,"NULL","","{,}","\"\\"}"#)
  }

  @Test func `are null, or not set`() throws {
    let given: JSONObject = ["null": .null, "list": [1, .null]]
    let values = InputObject(
      members: given.map { ($0.key, InputValue($0.value, path: [$0.key])) }, path: ["where"])
    #expect(values["absent"] == nil && values["null"]?.isNull == true && values.given("null") == nil)
    #expect(values["list"]?.elements.map(\.isNull) == [false, true])
    #expect(values["list"]?.elements.last?.path == ["list", "1"])
    #expect(throws: StatementError.self) { try values["list"]?.object() }
  }
}
