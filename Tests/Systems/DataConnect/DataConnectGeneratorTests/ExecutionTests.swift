import DataConnectGenerator
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled("the module is not built", { SwiftCheck.isBuilt }))
struct `A program with generated code` {
  @Test func `talks to a transport`() throws {
    let generator = try Project.compile(
      """
      mutation add($id: UUID!, $mood: Mood!, $moods: [Mood!], $count: Int64, $text: String) @auth(level: PUBLIC) {
        film_insert(data: {id: $id, mood: $mood, moods: $moods, count: $count, text: $text})
      }
      query films @auth(level: PUBLIC) { films { id mood moods count when any } }
      """,
      schema: """
        enum Mood { DULL BRIGHT }
        type Film @table { mood: Mood! moods: [Mood!] count: Int64 text: String when: Timestamp any: Any }
        """)
    let output = try SwiftCheck.output(generator, main: Self.main)
    #expect(
      output == """
        add {"id":"00112233445566778899aabbccddeeff","mood":"NEW","moods":["DULL","OLD"],"count":"9007199254740993",\
        "text":null}
        00112233-4455-6677-8899-AABBCCDDEEFF
        films {}
        BRIGHT [Movies.Mood._UNKNOWN("MISTY"), Movies.Mood.DULL] 9007199254740993 1970-01-01T00:00:01Z "12"
        true true

        """)
  }

  private static let main = """
    import DataConnect
    import FoundationEssentials
    import JSON

    struct Fake: DataConnectTransport {
      func execute(_ request: OperationRequest) async throws -> OperationResponse {
        print(request.operation, JSONValue.object(request.variables))
        let text =
          request.kind == .mutation
          ? #"{"film_insert":{"id":"00112233445566778899aabbccddeeff"}}"#
          : #"{"films":[{"id":"00112233445566778899aabbccddeeff","mood":"BRIGHT","moods":["MISTY","DULL"],"#
            + #""count":"9007199254740993","when":"1970-01-01T00:00:01Z","any":"12"}]}"#
        return OperationResponse(data: try JSONValue(parsing: text))
      }
      func subscribe(_ request: OperationRequest) -> AsyncThrowingStream<OperationResponse, any Error> {
        AsyncThrowingStream { $0.finish() }
      }
    }

    @main struct Program {
      static func main() async throws {
        DataConnect.install(Fake())
        let connector = DataConnect.moviesConnector
        let id = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!
        let added = try await connector.addMutation.execute(id: id, mood: ._UNKNOWN("NEW")) {
          $0.moods = [.DULL, ._UNKNOWN("OLD")]
          $0.count = 9_007_199_254_740_993
          $0.text = nil
        }
        print(added.data.film_insert.id)
        let ref = connector.filmsQuery.ref()
        let film = try await ref.execute().data!.films[0]
        print(film.mood.rawValue, film.moods!, film.count!, film.when!, film.any!.value)
        print(film.filmKey == added.data.film_insert, ref === connector.films.ref())
      }
    }
    """
}
