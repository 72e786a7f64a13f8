import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The size of a widget` {
  private func presentation(
    _ wanted: WidgetDisplayMode = .expanded, largest: WidgetDisplayMode = .compact
  ) -> WidgetPresentation {
    WidgetPresentation(wanted: wanted, largest: largest, columns: 100, maximumLines: 20)
  }

  @Test(
    arguments: [
      (WidgetDisplayMode.compact, WidgetDisplayMode.compact, WidgetDisplayMode.compact),
      (.compact, .expanded, .compact), (.expanded, .compact, .compact), (.expanded, .expanded, .expanded),
    ])
  func `is expanded when the user wants it and the widget can`(
    wanted: WidgetDisplayMode, largest: WidgetDisplayMode, active: WidgetDisplayMode
  ) {
    #expect(presentation(wanted, largest: largest).active == active)
  }

  @Test func `has a fixed height in compact mode, which is also the most there is`() {
    var presentation = presentation(.compact)
    #expect(presentation.event(.setPreferredHeight(15)) == [])
    #expect(presentation.grantedSize == WidgetSize(width: 100, height: WidgetPresentation.compactLines))
    #expect(presentation.grantedSize == presentation.maximumSize(for: .compact))
  }

  @Test(arguments: [(-3, 6), (0, 6), (1, 6), (6, 6), (7, 7), (20, 20), (21, 20), (Int.max, 20)])
  func `is clamped in expanded mode`(asked: Int, granted: Int) {
    var presentation = presentation(largest: .expanded)
    #expect(presentation.event(.setPreferredHeight(asked)) == [])
    #expect(presentation.grantedSize == WidgetSize(width: 100, height: granted))
  }

  @Test func `is as large as it can be while nothing was asked for`() {
    #expect(presentation(largest: .expanded).grantedSize.height == 20)
  }

  @Test func `grows and shrinks with the largest mode, and says so each time`() {
    var presentation = presentation()
    #expect(
      presentation.event(.setLargest(.expanded)) == [
        .displayModeDidChange(.expanded, WidgetSize(width: 100, height: 20))
      ])
    #expect(presentation.event(.setLargest(.expanded)) == [])
    #expect(
      presentation.event(.setLargest(.compact)) == [.displayModeDidChange(.compact, WidgetSize(width: 100, height: 6))])
    #expect(presentation.active == .compact)
  }

  @Test func `says nothing of a mode that the user does not want`() {
    var presentation = presentation(.compact)
    #expect(presentation.event(.setLargest(.expanded)) == [])
    #expect(
      presentation.event(.want(.expanded)) == [.displayModeDidChange(.expanded, WidgetSize(width: 100, height: 20))])
  }

  @Test func `follows the terminal, and is never smaller than a compact widget`() {
    var presentation = presentation(largest: .expanded)
    #expect(
      presentation.event(.resize(columns: 40, maximumLines: 10)) == [
        .displayModeDidChange(.expanded, WidgetSize(width: 40, height: 10))
      ])
    _ = presentation.event(.resize(columns: -1, maximumLines: 0))
    #expect(presentation.grantedSize == WidgetSize(width: 1, height: WidgetPresentation.compactLines))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The record of a widget` {
  @Test func `waits longer with each failure, and not after a success`() {
    var record = WidgetRecord()
    var waits: [Double] = []
    for _ in 0..<9 {
      record.record(.failed, at: 1000)
      waits.append(record.nextUpdate(interval: 30) - 1000)
    }
    #expect(waits == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    #expect(record.isStale)
    record.record(.noData, at: 2000)
    #expect(record.nextUpdate(interval: 30) == 2030)
    #expect(!record.isStale)
  }

  @Test func `is due at once when there was no update`() {
    #expect(WidgetRecord().nextUpdate(interval: 3600) == 0)
  }

  @Test func `does not wait less than the interval`() {
    var record = WidgetRecord()
    record.record(.failed, at: 1000)
    #expect(record.nextUpdate(interval: 300) == 1300)
  }
}
