import CommandLineTool
import Contracts
import ExtensionHosting
import ExtensionProtocol
import TestSupport
import Testing

@testable import FeatureCommands
@testable import HostServices

/// What becomes of a widget's update, and what its rows do.
@Suite(.timeLimit(.minutes(1)))
struct `An update of a widget` {
  private let folder: TemporaryDirectory
  private let entry: RegistryEntry

  init() throws {
    folder = try TemporaryDirectory()
    _ = try folder.write(
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.Clock</string>
      <key>CFBundlePackageType</key><string>XPC!</string><key>CFBundleExecutable</key><string>none</string>
      <key>CFBundleVersion</key><string>1</string><key>CFBundleDisplayName</key><string>Clock</string>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string></dict>
      </dict></plist>
      """, to: "clock.plist")
    let places = RegistrySources(manifestFolders: [.init(path: folder.path, products: folder.path)])
    entry = try #require(ExtensionRegistry(places, points: [Today.self]).entries.first)
  }

  private func update(
    _ view: WidgetView? = nil, outcome: UpdateResult.Outcome? = .newData, isStale: Bool = false, isHidden: Bool = false,
    error: ExtensionError? = nil, unknown: [String] = []
  ) -> WidgetUpdate {
    var state = WidgetState(
      outcome: outcome, snapshot: view.map { SnapshotStore.Snapshot(view: $0, updatedAt: 1) }, isStale: isStale,
      isHidden: isHidden, displayMode: .compact, size: WidgetSize(width: 40, height: 5), error: error)
    state.unknownKeys = unknown
    return WidgetUpdate(entry: entry, state: state)
  }

  private func lines(_ update: WidgetUpdate) -> [String] { update.lines(for: .none).map(\.description) }

  @Test func `is shown with its name, and with what is to be said of it`() {
    let view = WidgetView(text: "12:00")
    #expect(lines(update(view)) == ["Clock", "  12:00"])
    #expect(lines(update(view, isStale: true)) == ["Clock (stale)", "  12:00"])
    #expect(lines(update(view, outcome: .noData)) == ["Clock (unchanged)", "  12:00"])
    #expect(lines(update(view, outcome: .noData, isStale: true)) == ["Clock (stale)", "  12:00"])
    #expect(lines(update()) == ["Clock", "  nothing to show yet"])
    #expect(lines(update(outcome: .failed)) == ["Clock"])
    #expect(
      lines(update(view, isHidden: true))
        == ["Clock (hidden)", "  says that it has no content; its app can bring it back"])
  }

  @Test func `is an error where it failed, and where its author writes unknown keys`() {
    #expect(update().error == nil)
    let failed = update(outcome: .failed)
    #expect(failed.error?.code == .handlerFailed && failed.error?.message == "Clock reports that its update failed.")
    var task = failed
    task.isTask = true
    #expect(task.error?.message == "Clock reports that its task failed.")
    #expect(update(outcome: .failed, error: ExtensionError(.peerExited, "It ended.")).error?.code == .peerExited)
    var unknown = update(unknown: ["rows[0].titel", "colour"])
    #expect(unknown.error == nil)
    unknown.isStrict = true
    #expect(unknown.error?.code == .protocolViolation)
    #expect(unknown.error?.message == "Clock answers with keys that are not known: rows[0].titel, colour.")
  }

  @Test func `has its error below its rows, as wide as the terminal`() {
    let error = ExtensionError(.peerExited, "It ended with a status.")
    let section = update(WidgetView(rows: [.init(title: "r")]), error: error).section(
      for: Terminal(width: 16, showsStyles: false))
    #expect(section.above.map(\.description) == ["Clock"] && section.rows.map(\.line.description) == ["r"])
    #expect(section.below.map(\.description) == ["  error: It end…"])
    let wide = update(error: error).section(for: .none)
    #expect(wide.below.map(\.description) == ["  error: It ended with a status."])
    let hidden = update(WidgetView(rows: [.init(title: "r")]), isHidden: true).section(for: .none)
    #expect(hidden.rows.isEmpty && hidden.below.isEmpty)
  }

  // MARK: Rows

  private func refusal(_ row: Int, _ rows: [WidgetView.Row]) -> (message: String?, recovery: String?) {
    let error = #expect(throws: ExtensionError.self) { try WidgetChoice(row: row, of: update(WidgetView(rows: rows))) }
    return (error?.message, error?.recovery)
  }

  @Test func `opens the URL of a row, or has its action done`() throws {
    let view = WidgetView(rows: [
      .init(title: "u", url: "a://b"), .init(title: "a", action: "do"), .init(title: "both", url: "c:", action: "x"),
    ])
    #expect(try WidgetChoice(row: 0, of: update(view)) == .open("a://b"))
    #expect(try WidgetChoice(row: 1, of: update(view)) == .act("do"))
    #expect(try WidgetChoice(row: 2, of: update(view)) == .open("c:"))
  }

  @Test func `has no row that is not there, and none that does nothing`() {
    let rows = [WidgetView.Row(title: "a"), .init(title: "b")]
    #expect(refusal(0, rows).message == "Row 1 of Clock can do nothing.")
    #expect(refusal(2, rows).message == "Clock has 2 rows, and no row 3.")
    #expect(refusal(2, rows).recovery == "Choose one of 1 to 2.")
    #expect(refusal(1, [rows[0]]).message == "Clock has one row, and no row 2.")
    #expect(refusal(-1, rows).message == "Clock has 2 rows, and no row 0.")
    #expect(refusal(0, []).message == "Clock shows no rows." && refusal(0, []).recovery == "Only a row can be chosen.")
    let none = #expect(throws: ExtensionError.self) { try WidgetChoice(row: 0, of: update()) }
    #expect(none?.message == "Clock shows no rows.")
  }
}
