import ContentServer
import HTTPServer
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A plan of faults` {
  private static let query = "wknd-shared/adventures-all"

  private static func name(_ fault: ContentFault?) -> String {
    switch fault {
    case .response(let response): "\(response.status)"
    case .errors: "errors"
    case .partial: "partial"
    case .changed: "changed"
    case .slow(let time): "slow \(time)"
    case .dropped: "dropped"
    case .truncated: "truncated"
    case nil: "none"
    }
  }

  @Test(arguments: [
    ("login", "200"), ("redirect", "302"), ("html", "500"), ("unauthorized", "401"), ("rate", "429"),
    ("unavailable", "503"), ("errors", "errors"), ("partial", "partial"), ("changed", "changed"),
    ("slow", "slow 5.0 seconds"), ("slow=0.5", "slow 0.5 seconds"), ("drop", "dropped"), ("truncated", "truncated"),
  ])
  func `knows a kind`(word: String, fault: String) throws {
    #expect(Self.name(try FaultPlan([word]).next(for: Self.query)) == fault)
  }

  @Test func `is slow for an hour at most`() throws {
    for (word, fault) in [("slow=0", "slow 0.0 seconds"), ("slow=3600", "slow 3600.0 seconds")] {
      #expect(Self.name(try FaultPlan([word]).next(for: Self.query)) == fault)
    }
    let problem = #expect(throws: ContentFault.Problem.self) { try FaultPlan(["slow=3600.001"]) }
    #expect(problem?.message == "“slow=3600.001” has no number of seconds from 0 to 3600.")
  }

  @Test func `says what happens when`() throws {
    let plan = try FaultPlan(["rate:\(Self.query):2", "drop:wknd-shared/*:1", "login:pictures", "errors:other/one"])
    #expect((0..<4).map { _ in Self.name(plan.next(for: Self.query)) } == ["429", "429", "dropped", "none"])
    #expect(Self.name(plan.next(for: "pictures")) == "200")
    #expect((0..<3).map { _ in Self.name(plan.next(for: "other/one")) } == ["errors", "errors", "errors"])
    #expect(Self.name(plan.next(for: "other/one-more")) == "none")
  }

  @Test func `is of queries where it does not say of what`() throws {
    for word in ["errors", "errors:", "errors:*"] {
      let plan = try FaultPlan([word])
      #expect(Self.name(plan.next(for: Self.query)) == "errors")
      #expect(Self.name(plan.next(for: "pictures")) == "none")
    }
    let counted = try FaultPlan(["errors::1"])
    #expect((0..<2).map { _ in Self.name(counted.next(for: Self.query)) } == ["errors", "none"])
  }

  @Test(arguments: [
    "", "fire", "slow=", "slow=-1", "slow=nan", "slow=1e9", "login=1", "drop:a/b:0", "drop:a/b:-1", "drop:a/b:x",
    "drop:a/b:99999999999999999999", "drop:a:1:2", "\u{1B}[31m",
  ])
  func `refuses what is none, and says what it takes`(word: String) throws {
    let problem = #expect(throws: ContentFault.Problem.self) { try FaultPlan([word]) }
    #expect(problem?.message.contains("\u{1B}") == false)
    #expect(problem?.recovery.contains("truncated") == true)
  }

  @Test func `knows content of another model`() throws {
    guard case .changed(let change) = try FaultPlan(["changed"]).next(for: Self.query) else {
      Issue.record("no change")
      return
    }
    let data: JSONValue = ["adventureList": ["items": [["_path": "/a", "title": "A", "price": 5000, "size": 1.5]]]]
    #expect(
      change(data) == [
        "adventureList": [
          "items": [
            [
              "_path": "/a", "adventureTitle": "A", "adventurePrice": "$5000 USD", "adventureSize": "$1.5 USD",
            ]
          ]
        ]
      ])
  }
}
