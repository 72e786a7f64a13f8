import JSON
import Glibc

/// The metadata of a message: the member `_meta` of its params object.
public struct MessageMeta: Sendable, Hashable {
  /// Where in a trace the message belongs: `traceparent` and `tracestate`.
  public var trace: TraceContext?
  /// Milliseconds that the caller will wait: `deadlineMs`.
  public var deadlineMs: Int64?
  /// What `$/progress` about this request is to name, when the caller wants reports.
  package var progressToken: RequestID?
  /// The user's request that the message is part of.
  public var requestID: String?

  /// - Parameters:
  ///   - trace: `traceparent` and `tracestate`.
  ///   - deadlineMs: milliseconds that the caller will wait.
  ///   - requestID: the user's request that the message is part of.
  public init(trace: TraceContext? = nil, deadlineMs: Int64? = nil, requestID: String? = nil) {
    self.trace = trace
    self.deadlineMs = deadlineMs
    self.requestID = requestID
  }

  /// The metadata of the current task: set while a request with `_meta` is served, and by code that begins a request of
  /// a user. Calls that the task makes carry the trace on.
  public static var current: MessageMeta? { carried?.meta }

  @TaskLocal static var carried: CarriedMeta?

  /// Runs the body as one request of a user: within the trace at hand, or at the beginning of a new one.
  nonisolated(nonsending) public static func withRequest<Result>(
    _ requestID: String, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let meta = MessageMeta(trace: current?.trace?.child() ?? .root(), requestID: requestID)
    return try await $carried.withValue(CarriedMeta(meta)) { try await body() }
  }
}

/// Meta data on its way through a task. An object, as nearly every call asks whether there is one, and that is all.
final class CarriedMeta: Sendable {
  let meta: MessageMeta

  init(_ meta: MessageMeta) { self.meta = meta }
}

extension MessageMeta {
  /// The member of some params; `nil` when there is none. Members of another shape are left out: they are hints.
  @unsafe static func find(in params: UnsafeRawBufferPointer, maximumDepth: Int) -> CarriedMeta? {
    guard unsafe hasName(params) else { return nil }
    var reader = unsafe JSONReader(params, maximumDepth: maximumDepth)
    do throws(JSONError) {
      var members = try reader.beginObject()
      while let name = try reader.nextName(&members) {
        if reader.matches(name, "_meta"), try reader.peek() == 0x7B { return CarriedMeta(try read(&reader)) }
        _ = try reader.skipUnchecked()
      }
    } catch {
      // The reader of the params reports what is wrong with them.
    }
    return nil
  }

  private static func read(_ reader: inout JSONReader) throws(JSONError) -> MessageMeta {
    var meta = MessageMeta()
    var traceparent: String?
    var tracestate: String?
    var members = try reader.beginObject()
    while let name = try reader.nextName(&members) {
      let value = try reader.peek()
      let isString = value == 0x22
      let isNumber = value == 0x2D || (0x30...0x39).contains(value)
      if isString, reader.matches(name, "traceparent") {
        traceparent = try reader.string()
      } else if isString, reader.matches(name, "tracestate") {
        tracestate = try reader.string()
      } else if isString, reader.matches(name, "requestID") {
        meta.requestID = try reader.string()
      } else if isNumber, reader.matches(name, "deadlineMs") {
        meta.deadlineMs = reader.integer(of: try reader.numberSpan())
      } else if isString, reader.matches(name, "progressToken") {
        let text = try reader.string()
        meta.progressToken = text.utf8.count <= RequestID.maximumStringBytes ? .string(text) : nil
      } else if isNumber, reader.matches(name, "progressToken") {
        meta.progressToken = reader.integer(of: try reader.numberSpan(), as: Int64.self).map { .number($0) }
      } else {
        try reader.skip()
      }
    }
    meta.trace = traceparent.flatMap { TraceContext(traceparent: $0, tracestate: tracestate) }
    return meta
  }

  /// Writes the member's value; there is something to say.
  func write(to writer: inout JSONWriter) {
    var separator: StaticString = "{"
    func name(_ text: StaticString, _ writer: inout JSONWriter) {
      writer.raw(separator)
      writer.raw(text)
      separator = ","
    }
    if let trace {
      name("\"traceparent\":", &writer)
      writer.string(trace.traceparent)
      if let state = trace.state {
        name("\"tracestate\":", &writer)
        writer.string(state)
      }
    }
    if let deadlineMs {
      name("\"deadlineMs\":", &writer)
      writer.integer(deadlineMs)
    }
    if let progressToken {
      name("\"progressToken\":", &writer)
      writer.id(progressToken)
    }
    if let requestID {
      name("\"requestID\":", &writer)
      writer.string(requestID)
    }
    writer.byte(0x7D)
  }

  /// Whether there is nothing to say.
  var isEmpty: Bool { self == MessageMeta() }
}

extension JSONWriter {
  mutating func id(_ id: RequestID) {
    switch id {
    case .number(let number): integer(number)
    case .string(let text): string(text)
    }
  }

  /// Puts `_meta` into the params object that was written; params that are an array have no place for it.
  mutating func insert(_ meta: MessageMeta) {
    guard length >= 2, byte(at: start) == 0x7B, !meta.isEmpty else { return }
    let isEmptyObject = byte(at: start + 1) == 0x7D
    var text = JSONWriter(capacity: 256)
    text.raw("{\"_meta\":")
    meta.write(to: &text)
    if !isEmptyObject { text.byte(0x2C) }
    start += 1
    unsafe text.withBytes { unsafe prepend(bytes: $0) }
  }

  private func byte(at index: Int) -> UInt8 { unsafe buffer.load(fromByteOffset: index, as: UInt8.self) }
}

extension MessageMeta {
  /// Whether some text has the name `"_meta"` anywhere: nearly all have not, and are not looked at twice.
  @unsafe static func hasName(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let base = text.baseAddress else { return false }
    let name: StaticString = "\"_meta\""
    let count = name.utf8CodeUnitCount
    var at = 1
    while at + count - 1 <= text.count {
      guard let found = unsafe memchr(base + at, 0x5F, text.count - at) else { return false }
      let start = unsafe UnsafeRawPointer(found) - base - 1
      if start + count <= text.count, unsafe memoryIsEqual(base + start, UnsafeRawPointer(name.utf8Start), count) {
        return true
      }
      at = start + 2
    }
    return false
  }
}
