import ContentRepository
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A content repository` {
  static func builtIn() throws -> ContentState { try ContentRepository(root: nil).state }

  @Test(
    arguments: [
      ("adventures-all", [:], 16), ("adventure-by-slug", ["slug": "bali-surf-camp"], 1),
      ("adventure-by-price", ["price": "5000", "priceOperator": "EQUAL"], 1),
      ("adventures-by-activity", ["activity": "SURFING"], 2),
      ("article-by-slug", ["slug": "five-huts"], 1),
      ("article-by-author", ["authorFirstName": "Sofia", "authorLastName": "Sjöberg"], 2),
    ] as [(String, JSONObject, Int)])
  func `answers the nine queries`(name: String, variables: JSONObject, count: Int) async throws {
    let state = try Self.builtIn()
    let query = try #require(state.persistedQueries(configuration: "wknd-shared").first { $0.name == name })
    let answer = await state.run(
      query.text, variables: variables, variablesAreText: true, configuration: "wknd-shared")
    print(answer.description.prefix(3000))
    #expect(answer["errors"] == nil)
    let root = try #require(answer["data"]?.objectValue?.first?.value)
    #expect(root["items"]?.arrayValue?.count == count)
  }
}
