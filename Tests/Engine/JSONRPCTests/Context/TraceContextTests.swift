import JSON
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A trace context` {
  static let example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  @Test func `reads and writes the header of W3C Trace Context`() throws {
    let context = try #require(TraceContext(traceparent: Self.example, tracestate: "a=1,b=2"))
    #expect(context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(context.spanID == "00f067aa0ba902b7")
    #expect(context.flags == 1)
    #expect(context.state == "a=1,b=2")
    #expect(context.traceparent == Self.example)
  }

  @Test(arguments: [
    "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", "00-0-0-00", "--- -", "💥",
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
    "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
  ])
  func `refuses a header that is not valid`(header: String) { #expect(TraceContext(traceparent: header) == nil) }

  @Test func `of a later version is read, and written as version 0`() {
    let later = TraceContext(traceparent: "42-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff-more")
    #expect(later?.traceparent == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff")
  }

  @Test(arguments: ["", "a\nb", String(repeating: "x", count: 513), "é"])
  func `leaves a state out that is not valid`(state: String) {
    let context = TraceContext(traceparent: Self.example, tracestate: state)
    #expect(context != nil)
    #expect(context?.state == nil)
  }

  @Test(arguments: [String(repeating: "x", count: 512), " ", "~", "a=1"])
  func `passes a state on that is valid`(state: String) {
    #expect(TraceContext(traceparent: Self.example, tracestate: state)?.state == state)
    #expect(TraceContext(traceparent: Self.example, tracestate: state)?.child().state == state)
  }

  @Test(arguments: ["\u{1F}", "\u{7F}", String(repeating: "é", count: 2)])
  func `passes on what is printed only`(state: String) {
    #expect(TraceContext(traceparent: Self.example, tracestate: "a\(state)")?.state == nil)
  }

  @Test func `has flags of two digits, and keeps them`() {
    for (flags, value) in [("00", 0), ("0f", 15), ("10", 16), ("ff", 255)] as [(String, UInt8)] {
      let context = TraceContext(traceparent: "\(Self.example.dropLast(2))\(flags)")
      #expect(context?.flags == value && context?.traceparent.hasSuffix("-\(flags)") == true)
      #expect(context?.child().flags == value)
    }
    #expect(TraceContext.root().flags == 1)
  }

  @Test func `has ids of so many digits, whatever they are made of`() {
    for _ in 0..<200 {
      let root = TraceContext.root()
      #expect(root.traceID.utf8.count == 32 && root.spanID.utf8.count == 16 && root.child().spanID.utf8.count == 16)
      #expect(TraceContext(traceparent: root.traceparent) == root)
    }
  }

  @Test func `has children of the same trace, and roots of traces of their own`() throws {
    let root = TraceContext.root()
    #expect(TraceContext(traceparent: root.traceparent) == root)
    let child = root.child()
    #expect(child.traceID == root.traceID)
    #expect(child.spanID != root.spanID)
    #expect(TraceContext.root().traceID != root.traceID)
  }
}
