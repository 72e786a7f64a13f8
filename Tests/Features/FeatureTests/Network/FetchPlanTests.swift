import HTTPClient
import Testing

@testable import HostServices
@testable import Fetching

/// What the plan of a request says that the network may do: no test can have a public name lead to a private address.
@Suite(.timeLimit(.minutes(1)))
struct `A plan of a request` {
  private let rules = FetchRules(entries: ["https://api.example.com", "https://files.example.com", "printer.local"])

  private func plan(_ url: String) throws -> FetchPlan {
    try FetchPlan(Network.Fetch(url: url), rules: rules) { _ in [] }
  }

  @Test(
    arguments: [
      ("https://api.example.com/a", [.global]), ("https://printer.local", [.global, .privateNetwork]),
    ] as [(String, Set<AddressReach>)])
  func `checks the address of its server`(url: String, reaches: Set<AddressReach>) throws {
    #expect(try plan(url).request.allowedReaches == reaches)
  }

  @Test(
    arguments: [
      ("https://printer.local", "https://files.example.com/b", [.global]),
      ("https://api.example.com", "https://printer.local/", [.global, .privateNetwork]),
    ] as [(String, String, Set<AddressReach>)])
  func `checks the address of each redirect anew`(url: String, target: String, reaches: Set<AddressReach>) throws {
    let request = try plan(url).request
    let response = HTTPResponse(status: 302, headers: ["Location": target], url: url)
    let next = try #require(try FetchPlan.next(after: response, to: request, rules: rules))
    #expect(next.allowedReaches == reaches)
  }
}
