import Text
import JSON
import JSONRPC
import PropertyList

/// The streams of a recording: the contents of each, and the frames at which a replay has to act for one.
struct RecordedStreams: Sendable {
  enum Action: Sendable {
    /// The host opens a stream, and sends all of it as fast as the extension takes it.
    case send(StreamContents)
    /// The host begins to read a stream of the extension's.
    case read(Stream)
    /// All of a stream that the host reads has come.
    case complete(Stream)
  }

  struct Stream: Sendable, Equatable {
    /// Counts the streams of a recording.
    let number: Int
    let id: String
    let isOfHost: Bool
    fileprivate(set) var contents = StreamContents()
    /// The frames at which the stream was opened, first given credit, and ended.
    fileprivate var opened: Int?
    fileprivate var read: Int?
    fileprivate var ended: Int?
  }

  /// Two sides may give the same id.
  private struct Name: Hashable {
    var id: String
    var isOfHost: Bool
  }

  /// By the number of the frame; what no frame stands for is at the end.
  private var actions: [Int: [Action]] = [:]

  init(_ frames: [Recording.Frame]) {
    var streams: [Stream] = []
    var current: [Name: Int] = [:]
    for (index, frame) in frames.enumerated() {
      guard let kind = Self.kind(of: frame), let params = frame.message["params"],
        let id = params["streamID"]?.stringValue
      else { continue }
      let isBySender = ["open", "data", "end"].contains(kind)
      let name = Name(id: id, isOfHost: isBySender == frame.isFromHost)
      // An id may be used again; a reader may be there before the stream is opened.
      let known = current[name].flatMap { kind == "open" && streams[$0].opened != nil ? nil : $0 }
      let number = known ?? streams.count
      if known == nil { streams.append(Stream(number: number, id: id, isOfHost: name.isOfHost)) }
      current[name] = number
      Self.note(kind, params, at: index, &streams[number])
    }
    for stream in streams { plan(stream, end: frames.count) }
  }

  /// What a replay does at a frame.
  func actions(at frame: Int) -> [Action] { actions[frame] ?? [] }

  private static func kind(of frame: Recording.Frame) -> String? {
    guard let method = frame.message["method"]?.stringValue, method.hasPrefix(prefix) else { return nil }
    return String(method.dropFirst(prefix.count))
  }

  static let prefix = "$/stream/"

  private static func note(_ kind: String, _ params: JSONValue, at index: Int, _ stream: inout Stream) {
    switch kind {
    case "open": stream.opened = index
    case "ack": stream.read = stream.read ?? index
    case "drop": stream.contents.isDropped = true
    case "data":
      if let value = params["value"] {
        stream.contents.append(.value(value))
      } else if let bytes = params["data"]?.stringValue.flatMap({ Base64.decode($0) }) {
        stream.contents.append(.bytes(bytes))
      }
    case "end":
      stream.ended = index
      if let error = params["error"], let code = error["code"]?.integerValue {
        stream.contents.error = ErrorObject(code: Int(code), message: error["message"]?.stringValue ?? "")
      }
    default: break
    }
  }

  /// A stream without a reader is not sent.
  private mutating func plan(_ stream: Stream, end: Int) {
    guard let opened = stream.opened else { return }
    if stream.isOfHost { return actions[opened, default: []].append(.send(stream.contents)) }
    guard let read = stream.read else { return }
    actions[max(read, opened), default: []].append(.read(stream))
    actions[max(read, opened, stream.ended ?? end), default: []].append(.complete(stream))
  }
}
