import AppExtensions
import ExtensionHosting
import HostServices

/// An extension point of these tests, as a host app would define it.
enum Chess: PointContract {
  static let definition = ExtensionPointDefinition(
    ExtensionPoint("com.example.chess.player"), version: PointVersion(1, 1), shortName: "chess", role: "a chess player",
    plural: "the chess players",
    calls: [
      .request(Move.self), .request(Explain.self, since: PointVersion(1, 1), isOptional: true),
      .request(History.self, isOptional: true, transfers: [.streamOut("stream")]), .notification(GameDidEnd.self),
    ], services: [Openings.self], limits: ExtensionLimits(memoryMiB: 32))

  struct Move: RemoteMethod, RequestScoped {
    static let method = "chess/move"
    struct Result: Codable, Sendable { var square: String }
    var requestID: String
    var board: String
  }

  struct Explain: RemoteMethod {
    static let method = "chess/explain"
    struct Result: Codable, Sendable { var text: String }
  }

  struct History: RemoteMethod {
    static let method = "chess/history"
    struct Result: Codable, Sendable { var stream: String }
  }

  struct GameDidEnd: RemoteNotification { static let method = "chess/gameDidEnd" }
}

/// What chess players may ask, and nobody else.
enum Openings: ServiceContract {
  static let name = "openings"
  static let methods: [any RemoteMethod.Type] = [Find.self]

  struct Find: RemoteMethod {
    static let method = "openings/find"
    struct Result: Codable, Sendable { var name: String }
    var board: String
  }
}

struct OpeningsService: HostService {
  typealias Contract = Openings
  @HandlerBuilder var handlers: [Handler] {
    Handler(Openings.Find.self) { params, _ in Openings.Find.Result(name: "Opening of \(params.board)") }
  }
}

struct Player: PointExtension {
  typealias Point = Chess

  var methods: [PointHandler] {
    [
      PointHandler(Chess.Move.self) { params, context in
        let opening = try await context.call(Openings.Find(board: params.board)).name
        return .init(square: "\(opening), \(context.requestID)")
      },
      PointHandler(answering: Chess.History.self) { _, context in
        let stream = try context.openStream()
        return Answer(Chess.History.Result(stream: stream.id)).filling(stream) {
          try await stream.send([1, 2, 3] as [UInt8])
        }
      },
    ]
  }
}
