import AppExtensions
import ExtensionHosting
import JSON
import JSONRPC
import Testing

@testable import ExtensionTesting
@testable import HostServices

/// What a running widget says of its size, and what it is told of it.
@Suite(.timeLimit(.minutes(1)))
struct `The size of a running widget` {
  private static let widget = "com.example.test.extension"
  private static let expanded = WidgetPresentation(wanted: .expanded, columns: 100, maximumLines: 20)

  /// A peer in the place of a widget that is shown in a presentation.
  private func withPeer(
    _ peer: ScriptedPeer, in presentation: WidgetPresentation? = Self.expanded,
    _ body: (TodayService, ExtensionProcess) async throws -> Void
  ) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let service = TodayService(state: folder.state) { _ in nil }
    try await Stage(services: [service]).withPeer(peer) { process in
      if let presentation { service.present(presentation, to: process) }
      try await body(service, process)
    }
  }

  private static func display(_ mode: WidgetDisplayMode, _ height: Int) -> Today.Display {
    Today.Display(activeDisplayMode: mode, grantedSize: WidgetSize(width: 100, height: height))
  }

  @Test func `is what it asks for, which is remembered`() async throws {
    let peer = ScriptedPeer()
    try await withPeer(peer) { service, process in
      let height = try await peer.call(Today.SetPreferredContentSize(height: 9))
      #expect(height == Self.display(.compact, 6))
      let largest = try await peer.call(Today.SetLargestAvailableDisplayMode(mode: .expanded))
      #expect(largest == Self.display(.expanded, 9))
      let one = try await peer.call(Today.SetPreferredContentSize(height: 1))
      #expect(one == Self.display(.expanded, 6))
      var record = service.records.record(of: Self.widget)
      #expect(record.largestDisplayMode == .expanded && record.preferredHeight == 1 && record.lastUpdate == nil)
      for (asked, kept) in [(10_000, 10_000), (10_001, 10_000)] {
        let display = try await peer.call(Today.SetPreferredContentSize(height: asked))
        #expect(display == Self.display(.expanded, 20))
        #expect(service.records.record(of: Self.widget).preferredHeight == kept)
      }
      let less = try await peer.call(Today.SetLargestAvailableDisplayMode(mode: .compact))
      #expect(less == Self.display(.compact, 6))
      record = service.records.record(of: Self.widget)
      #expect(record.largestDisplayMode == .compact && record.preferredHeight == 10_000)
      let presentation = try #require(service.presentation(of: process))
      #expect(presentation.largest == .compact && presentation.preferredHeight == 10_001)
    }
  }

  @Test func `is nothing that one can ask for who is not shown, though another is`() async throws {
    let peer = ScriptedPeer()
    try await withPeer(peer, in: nil) { service, process in
      let other = ScriptedPeer()
      try await Stage(services: [service]).withPeer(other) { second in
        service.present(Self.expanded, to: second)
        let mode = Today.SetLargestAvailableDisplayMode(mode: .expanded)
        let code = try await peer.refusal(of: mode)
        #expect(code == .invalidRequest)
        #expect(service.presentation(of: process) == nil)
        #expect(service.records.record(of: Self.widget) == WidgetRecord())
        #expect(try await other.refusal(of: mode) == nil)
      }
    }
  }

  @Test func `is forgotten with its process, and with no other`() async throws {
    let (peer, kept) = (ScriptedPeer(), Kept<ExtensionProcess>())
    try await withPeer(peer) { service, process in
      try await Stage(services: [service]).withPeer(ScriptedPeer()) { second in
        service.present(Self.expanded, to: second)
        kept.keep(second)
      }
      #expect(service.presentation(of: try #require(kept.value)) == nil)
      #expect(service.presentation(of: process) == Self.expanded)
    }
  }

  // MARK: What it is told

  @Test func `is told once, as it was in the end`() async throws {
    let peer = ScriptedPeer(["widget/displayModeDidChange": { _ in ["view": "large"] }])
    try await withPeer(peer) { service, process in
      #expect(try await service.tellSize(to: process) == nil)
      for mode in [WidgetDisplayMode.expanded, .compact, .expanded] {
        try await peer.call(Today.SetLargestAvailableDisplayMode(mode: mode))
      }
      // What changes nothing takes nothing back.
      try await peer.call(Today.SetPreferredContentSize(height: 9))
      #expect(try await service.tellSize(to: process) == WidgetView(text: "large"))
      #expect(try await service.tellSize(to: process) == nil)
      let told = peer.params(of: Today.DisplayModeDidChange.method)
      #expect(told.count == 1 && told.first?["displayMode"] == "expanded")
      #expect(told.first?["maxSize"]?["width"] == 100 && told.first?["maxSize"]?["height"] == 20)
      try await peer.call(Today.SetLargestAvailableDisplayMode(mode: .compact))
      #expect(try await service.tellSize(to: process) == WidgetView(text: "large"))
      #expect(peer.params(of: Today.DisplayModeDidChange.method).last?["displayMode"] == "compact")
    }
  }

  @Test(arguments: [(1, 1), (12, 12), (0, nil)] as [(Int64, Int?)])
  func `may be answered with a height`(answered: Int64, remembered: Int?) async throws {
    let peer = ScriptedPeer([
      "widget/displayModeDidChange": { _ in
        ["preferredContentSize": ["width": 100, "height": .integer(answered)]]
      }
    ])
    try await withPeer(peer) { service, process in
      try await peer.call(Today.SetLargestAvailableDisplayMode(mode: .expanded))
      #expect(try await service.tellSize(to: process) == nil)
      #expect(service.records.record(of: Self.widget).preferredHeight == remembered)
      #expect(service.presentation(of: process)?.preferredHeight == remembered)
    }
  }

  @Test func `is no news to a widget that does not serve it, and no secret when it fails`() async throws {
    for (code, expected) in [(ExtensionError.Code.methodNotFound, nil), (.contentFailed, .contentFailed)]
      as [(ExtensionError.Code, ExtensionError.Code?)]
    {
      let peer = ScriptedPeer(["widget/displayModeDidChange": { _ in throw ExtensionError(code, "No.") }])
      try await withPeer(peer) { service, process in
        try await peer.call(Today.SetLargestAvailableDisplayMode(mode: .expanded))
        do throws(ExtensionError) {
          let view = try await service.tellSize(to: process)
          #expect(view == nil && expected == nil)
        } catch {
          #expect(error.code == expected)
        }
        #expect(peer.params(of: Today.DisplayModeDidChange.method).count == 1)
      }
    }
  }

  @Test func `is what the user wants from the first update on`() async throws {
    let seen = Kept<(WidgetDisplayMode?, WidgetSize?)>()
    let result = try await WidgetProbe.$current.withValue({ context in
      seen.keep((context.displayMode, context.maximumSize))
      return .noData
    }) {
      try await TestHost().withExtension(WidgetProbe.self) { try await $0.performUpdate(displayMode: .expanded) }
    }
    #expect(result == .noData)
    #expect(seen.value?.0 == .expanded && seen.value?.1 == WidgetSize(width: 80, height: 1000))
  }
}
