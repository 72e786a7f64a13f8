import ContentClient
import HTTPClient
import JSON
import Testing

private func page(_ nodes: [Int], end: String?, more: Bool? = true) -> FakeAEM.Answer {
  let edges = nodes.map { #"{"cursor":"c\#($0)","node":{"n":\#($0)}}"# }.joined(separator: ",")
  let cursor = end.map { "\"\($0)\"" } ?? "null"
  let next = more.map { ",\"hasNextPage\":\($0)" } ?? ""
  return .json(#"{"data":{"articlePaginated":{"edges":[\#(edges)],"pageInfo":{"endCursor":\#(cursor)\#(next)}}}}"#)
}

private func list(_ numbers: [Int]) -> FakeAEM.Answer {
  .json(#"{"data":{"adventureList":{"items":[\#(numbers.map { "{\"n\":\($0)}" }.joined(separator: ","))]}}}"#)
}

private func numbers(_ pages: ListPages) async throws -> [[Int64?]] {
  var all: [[Int64?]] = []
  for try await page in pages { all.append(page.fragments.map { $0["n"]?.integerValue }) }
  return all
}

@Suite(.timeLimit(.minutes(1)))
struct `Pages` {
  @Test func `by cursor follow the cursor to the end`() async throws {
    let server = FakeAEM(page([1, 2], end: "c2"), page([3, 4], end: "c4"), page([5], end: "c5", more: false))
    let pages = server.client().pages(query: "a/articles-all", variables: ["x": 1], by: .cursor(size: 2))
    #expect(try await numbers(pages) == [[1, 2], [3, 4], [5]])
    let suffixes = server.requests.map { $0.url.split(separator: "articles-all").last.map(String.init) }
    #expect(
      suffixes == [
        "%3Bx%3D1%3Bfirst%3D2;", "%3Bx%3D1%3Bfirst%3D2%3Bafter%3Dc2;", "%3Bx%3D1%3Bfirst%3D2%3Bafter%3Dc4;",
      ])
  }

  @Test func `by cursor begin behind a cursor`() async throws {
    let server = FakeAEM(page([5], end: "c5", more: false))
    var iterator = server.client().pages(query: "a/b", by: .cursor(size: 2, after: "c4")).makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first?.cursor == "c5" && first?.hasNext == false)
    #expect(try await iterator.next() == nil)
    #expect(server.requests.first?.url.contains("after%3Dc4") == true)
  }

  @Test func `by cursor go on behind the last edge where nothing else is said`() async throws {
    let server = FakeAEM(page([1, 2], end: nil, more: nil), page([3], end: nil, more: false))
    #expect(try await numbers(server.client().pages(query: "a/b", by: .cursor(size: 2))) == [[1, 2], [3]])
    #expect(server.requests.last?.url.hasSuffix("/a/b%3Bfirst%3D2%3Bafter%3Dc2;") == true)
  }

  @Test func `by cursor go on behind one that only looks like the one before`() async throws {
    let server = FakeAEM(
      page([1], end: "\u{e9}"), page([2], end: "e\u{301}"), page([3], end: "x"), page([4], end: "\u{e9}"),
      page([5], end: "y"))
    #expect(try await numbers(server.client().pages(query: "a/b", by: .cursor(size: 1))) == [[1], [2], [3], [4]])
  }

  @Test(arguments: [
    // The same cursor again, at once and later; none; no edges.
    [page([1], end: "c1"), page([1], end: "c1"), page([1], end: "c1")],
    [page([1], end: "c1"), page([2], end: "c2"), page([1], end: "c1"), page([2], end: "c2")],
    [
      .json(#"{"data":{"aPaginated":{"edges":[{"node":{"n":1}}],"pageInfo":{"hasNextPage":true}}}}"#),
      page([1], end: "x"),
    ],
    [page([1], end: "c1"), page([], end: "c2"), page([2], end: "c3")],
    [page([1], end: ""), page([2], end: "c2")],
    [.json(#"{"data":{"aPaginated":{"edges":[{"node":{"n":1}}],"pageInfo":null}}}"#), page([1], end: "x")],
  ])
  func `by cursor end when the server would go round`(answers: [FakeAEM.Answer]) async throws {
    let server = FakeAEM()
    for answer in answers { server.answer(answer) }
    let found = try await numbers(server.client().pages(query: "a/b", by: .cursor(size: 1)))
    #expect(found.count < answers.count)
  }

  @Test func `by offset end with a page that is not full`() async throws {
    let server = FakeAEM(list([1, 2]), list([3, 4]), list([5]))
    let pages = server.client().pages(query: "a/b", by: .offset(size: 2, from: 10))
    #expect(try await numbers(pages) == [[1, 2], [3, 4], [5]])
    #expect(server.requests.map { $0.url.contains("limit%3D2") } == [true, true, true])
    #expect(server.requests.last?.url.contains("offset%3D14") == true)
  }

  @Test func `by offset end when the query does not know the variables`() async throws {
    let server = FakeAEM(list([1, 2]), list([1, 2]), list([1, 2]))
    #expect(try await numbers(server.client().pages(query: "a/b", by: .offset(size: 2))) == [[1, 2], []])
    #expect(server.requests.count == 2)
  }

  @Test func `by offset end where there is no number for the next`() async throws {
    let server = FakeAEM(list([1]), list([2]))
    let pages = server.client().pages(query: "a/b", by: .offset(size: 1, from: .max))
    #expect(try await numbers(pages) == [[1]])
    #expect(server.requests.map { $0.url.contains("offset%3D9223372036854775807") } == [true])
  }

  @Test func `are as many as are allowed`() async throws {
    let server = FakeAEM()
    for number in 0..<20 { server.answer(page([number], end: "c\(number)")) }
    let pages = server.client().pages(query: "a/b", by: .cursor(size: 1), maximumPages: 7)
    #expect(try await numbers(pages).count == 7)
    #expect(server.requests.count == 7)
  }

  @Test(arguments: [
    ListPaging.cursor(size: 0), .cursor(size: 1_001), .offset(size: -1), .offset(size: 1, from: -1),
  ])
  func `cannot have any size`(paging: ListPaging) async throws {
    let server = FakeAEM()
    let error = await #expect(throws: ContentError.self) {
      try await numbers(server.client().pages(query: "a/b", by: paging))
    }
    #expect(error?.kind == .invalidQuery)
    #expect(server.requests.isEmpty)
  }

  @Test func `of a field without such pages are an error`() async throws {
    let server = FakeAEM(list([1]), page([1], end: nil))
    let lists = server.client()
    for paging in [ListPaging.cursor(size: 1), .offset(size: 1)] {
      let error = await #expect(throws: ContentError.self) { try await numbers(lists.pages(query: "a/b", by: paging)) }
      #expect(error?.kind == .unexpectedContent)
    }
  }

  @Test func `end with an error, and with their task`() async throws {
    let server = FakeAEM(page([1], end: "c1"), .status(404), page([2], end: "c2"))
    var iterator = server.client().pages(query: "a/b", by: .cursor(size: 1)).makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    await #expect(throws: ContentError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    let client = server.client()
    let error = await #expect(throws: ContentError.self) {
      try await withThrowingTaskGroup { group in
        group.addTask {
          withUnsafeCurrentTask { $0?.cancel() }
          _ = try await numbers(client.pages(query: "a/b", by: .cursor(size: 1)))
        }
        try await group.waitForAll()
      }
    }
    #expect(error?.kind == .cancelled)
  }
}
