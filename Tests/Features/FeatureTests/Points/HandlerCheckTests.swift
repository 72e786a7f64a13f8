import AppExtensions
import ExtensionHosting
import ExtensionRuntime
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1))) struct `What an extension serves` {
  private func fault(_ handlers: [PointHandler], of points: [ExtensionPointDefinition] = [Chess.definition]) -> String?
  {
    HandlerCheck.fault(in: handlers.map { SessionHandler($0) }, of: points)
  }

  private let move = PointHandler(Chess.Move.self) { _, _ in .init(square: "e4") }
  private let ended = PointHandler(notification: Chess.GameDidEnd.self) { _, _ in }

  @Test func `is all that its point requires, and more of it`() {
    #expect(fault([move]) == nil && fault([move, ended]) == nil)
  }

  @Test func `lacks nothing that is required`() {
    #expect(
      fault([ended])
        == "There is no handler of chess/move, which every extension for com.example.chess.player 1.1 has. Add one.")
  }

  @Test func `is nothing of another point`() {
    struct Typo: RemoteNotification { static let method = "chess/gameDidEnded" }
    let update = PointHandler(Today.PerformUpdate.self) { _, _ in .noData }
    #expect(
      fault([move, update])?.hasPrefix("There is a handler of widget/performUpdate, which is not a method") == true)
    let typo = PointHandler(notification: Typo.self) { _, _ in }
    #expect(fault([move, typo])?.contains("chess/gameDidEnded") == true)
  }

  @Test func `is served once, and as what it is`() {
    struct Ended: RemoteMethod {
      typealias Result = Empty
      static let method = "chess/gameDidEnd"
    }
    #expect(fault([move, move])?.contains("Two handlers serve chess/move") == true)
    #expect(fault([move, PointHandler(Ended.self) { _, _ in Empty() }])?.contains("is a notification") == true)
  }

  @Test func `may be a notification that is no point's, and never a request`() {
    struct Turned: RemoteNotification { static let method = "chessboard/turned" }
    struct Turn: RemoteMethod {
      typealias Result = Empty
      static let method = "chessboard/turn"
    }
    #expect(fault([move, PointHandler(notification: Turned.self) { _, _ in }]) == nil)
    let request = fault([move, PointHandler(Turn.self) { _, _ in Empty() }])
    #expect(request?.hasPrefix("There is a handler of chessboard/turn, which is not a method") == true)
  }

  @Test func `is served once also where there is no point`() {
    #expect(fault([move, move], of: []) == "Two handlers serve chess/move. Leave one of them out.")
  }

  @Test func `is not compared where there is no point`() { #expect(fault([ended], of: []) == nil) }

  /// The protocols of this package stand on the same ground.
  @Test func `fits at each point of this package`() {
    func check<Extension: AppExtension>(_ type: Extension.Type) -> String? {
      #expect(!type.points.isEmpty, "\(type)")
      return HandlerCheck.fault(in: Extension().handlers, of: type.points)
    }
    struct Both: FileProviderExtension, DocumentPickerExtension {
      func metadata(of item: ProvidedItem) async throws -> FileProvider.Metadata { .init(name: "") }
      func startProviding(_ item: ProvidedItem) async throws {}
      func itemChanged(_ item: ProvidedItem) async throws {}
      func entries(
        in directory: String?, cursor: String?, for picker: PickerSession
      ) async throws -> DocumentPicker.List.Result { .init(entries: []) }
      func pick(_ identifier: String, for picker: PickerSession) async throws -> PickerGrant? { nil }
      func save(to directory: String?, for picker: PickerSession) async throws -> PickerGrant? { nil }
    }
    struct Keys: KeyboardExtension {
      func handle(
        _ event: Keyboard.Input.Event, text: inout TextDocumentProxy, in session: KeyboardInput
      ) async throws -> [String] { [] }
    }
    struct Widget: TodayExtension {
      func performUpdate(in context: ExtensionContext) async throws -> UpdateResult { .noData }
    }
    struct Sharer: ShareExtension {}
    struct Doer: ActionExtension {
      func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem] { items }
    }
    struct Editor: PhotoEditingExtension {
      func finishContentEditing(_ session: PhotoEditingSession) async throws -> PhotoEditingOutput? { nil }
    }
    #expect(check(Both.self) == nil && Both.points.count == 2)
    #expect(check(Keys.self) == nil)
    #expect(check(Widget.self) == nil)
    #expect(check(Sharer.self) == nil)
    #expect(check(Doer.self) == nil && Doer.points.count == 2)
    #expect(check(Editor.self) == nil)
    #expect(check(Player.self) == nil)
  }
}
