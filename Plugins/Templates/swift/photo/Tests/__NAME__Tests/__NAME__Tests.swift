import AppExtensions
import Testing

@testable import __NAME__

@Suite struct `The photo editor` {
  @Test func `takes its own edits up`() async {
    let editor = __NAME__()
    let own = AdjustmentData(formatIdentifier: __NAME__.format, formatVersion: "1", bytes: [])
    let other = AdjustmentData(formatIdentifier: "org.example.other", formatVersion: "1", bytes: [])
    #expect(await editor.canHandle(own))
    #expect(await !editor.canHandle(other))
  }
}
