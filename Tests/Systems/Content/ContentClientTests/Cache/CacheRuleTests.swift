import Testing

@testable import ContentClient

@Suite(.timeLimit(.minutes(1)))
struct `A Cache-Control field` {
  typealias Case = (fields: [String], age: Int, revalidate: Int, error: Int, noStore: Bool)

  static let cases: [Case] = [
    ([], 0, 0, 0, false),
    (["max-age=60"], 60, 0, 0, false),
    (["Max-Age = 60 , public"], 60, 0, 0, false),
    (["max-age=\"60\""], 60, 0, 0, false),
    (["max-age=60, s-maxage=7200, stale-while-revalidate=86400, stale-if-error=86400"], 60, 86_400, 86_400, false),
    (["max-age=60", "stale-if-error=5"], 60, 0, 5, false),
    (["max-age=60, max-age=5"], 60, 0, 0, false),
    (["max-age=-5"], 0, 0, 0, false),
    (["max-age=ten"], 0, 0, 0, false),
    (["max-age=99999999999999999999"], 0, 0, 0, false),
    (["max-age=9999999999999"], 1 << 31, 0, 0, false),
    (["private=\"a, no-store\", max-age=5"], 5, 0, 0, false),
    (["no-store"], 0, 0, 0, true),
    (["NO-STORE, max-age=60"], 60, 0, 0, true),
    (["no-cache, max-age=60, stale-if-error=60"], 0, 0, 0, false),
    (["max-age=60, stale-if-error=60, must-revalidate"], 60, 0, 0, false),
    ([",,=,= ,\"", "max-age=1"], 1, 0, 0, false),
  ]

  @Test(arguments: cases.indices) func `says what may be kept`(index: Int) {
    let (fields, age, revalidate, error, noStore) = Self.cases[index]
    let control = CacheControl(fields: fields)
    #expect(control.maximumAge == age)
    #expect(control.staleWhileRevalidate == revalidate)
    #expect(control.staleIfError == error)
    #expect(control.forbidsStorage == noStore)
  }

  @Test func `does not help an answer that varies by everything`() {
    #expect(CacheControl(fields: ["max-age=60"], vary: ["Origin", "*"]).forbidsStorage)
    #expect(!CacheControl(fields: ["max-age=60"], vary: ["Origin, Accept-Encoding"]).forbidsStorage)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A kept answer` {
  private func answer(_ field: String, age: Int = 0, tag: String? = nil) -> CachedAnswer {
    CachedAnswer(body: [], entityTag: tag, control: CacheControl(fields: [field]), storedAt: 1_000, initialAge: age)
  }

  @Test func `is fresh, then stale, then expired`() {
    let kept = answer("max-age=10, stale-while-revalidate=5, stale-if-error=20")
    let moments = [
      (1_000, "fresh"), (1_009, "fresh"), (1_010, "hurry"), (1_014, "hurry"), (1_015, "error"), (1_029, "error"),
    ]
    for (now, name) in moments {
      let expected: CachedAnswer.Freshness =
        name == "fresh" ? .fresh : name == "hurry" ? .staleWhileRevalidate : .staleIfError
      #expect(kept.freshness(now: now) == expected)
      #expect(kept.mayReplaceFailure(now: now))
    }
    #expect(kept.freshness(now: 1_030) == .expired)
    #expect(!kept.mayReplaceFailure(now: 1_030))
  }

  @Test func `counts the age that it came with`() {
    let kept = answer("max-age=10", age: 8)
    #expect(kept.age(now: 1_001) == 9)
    #expect(kept.freshness(now: 1_001) == .fresh)
    #expect(kept.freshness(now: 1_002) == .expired)
  }

  @Test func `is expired when the clock was set back`() {
    #expect(answer("max-age=10, stale-if-error=10").freshness(now: 999) == .expired)
    #expect(!answer("max-age=10, stale-if-error=10").mayReplaceFailure(now: 999))
  }

  @Test func `is kept only for a use`() {
    #expect(answer("max-age=10").isWorthKeeping)
    #expect(answer("stale-if-error=10").isWorthKeeping)
    #expect(answer("", tag: "\"a\"").isWorthKeeping)
    #expect(!answer("").isWorthKeeping)
    #expect(!answer("max-age=10", age: 10).isWorthKeeping)
    #expect(!answer("no-store, max-age=10", tag: "\"a\"").isWorthKeeping)
  }
}
