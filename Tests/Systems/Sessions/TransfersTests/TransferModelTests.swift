import HTTPClient
import Testing

@testable import Transfers

/// Beside the machine stands a server whose file changes, connections that break, and a disk that forgets: whatever
/// comes in whatever order, a file that is moved is one version of the server's file, whole.
@Suite(.timeLimit(.minutes(1)))
struct `A transfer among random events` {
  private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) | (state << 31)
    }
  }

  /// The world of one transfer.
  private struct Model {
    var chance: Chance
    let clock = ManualClock()
    var machine: TransferMachine
    /// Every byte of the server's file is the number of its version.
    var version: UInt8 = 1
    var total = 6
    var file: [UInt8]?
    var durable = 0
    /// What happened, for somebody who reads a failure.
    var history: [String] = []

    init(seed: UInt64) {
      chance = Chance(state: seed)
      var record = TransferRecord(
        id: 1, session: SessionKey(app: "a", identifier: "b"), kind: .download,
        request: TransferRequest(url: "http://a/"), deadline: Countdown(.seconds(1_000_000), from: clock.now))
      record.destination = "a"
      machine = TransferMachine(record)
    }

    mutating func happens(in count: Int) -> Bool { Int.random(in: 0..<count, using: &chance) == 0 }

    /// What the world does between two attempts.
    mutating func pass() {
      if happens(in: 6) {
        version += 1
        total = Int.random(in: 1...6, using: &chance)
        history.append("version \(version) of \(total)")
      }
      if happens(in: 8), let bytes = file {
        clock.reboot(off: .seconds(1))
        // What was not synced may be other bytes after a loss of power, or fewer.
        file = Array(bytes.prefix(durable)) + [UInt8](repeating: 0, count: bytes.count - durable)
        if happens(in: 2) { file = Array(bytes.prefix(durable)) }
        history.append("restart with \(durable)")
      }
      if happens(in: 20), file != nil {
        file = nil
        history.append("the file is gone")
      }
      clock.advance(.seconds(400))
    }

    /// - Returns: whether the file is whole.
    mutating func attempt() -> Bool {
      let start = machine.start(at: clock.now, stored: file.map { Int64($0.count) })
      history.append("\(start)")
      switch start {
      case .move: return true
      case .request(let offset): return exchange(Int(offset))
      default: return false
      }
    }

    private mutating func exchange(_ offset: Int) -> Bool {
      if offset > 0 { file = Array((file ?? []).prefix(offset)) }
      durable = min(durable, offset)
      let fields = machine.headers(offset: Int64(offset), additional: [:])
      let continues = fields["If-Range"] == "\"\(version)\"" && fields["Range"] == "bytes=\(offset)-" && offset < total
      var headers: HTTPFields = ["ETag": "\"\(version)\""]
      var status = continues ? 206 : 200
      if continues { headers["Content-Range"] = "bytes \(offset)-\(total - 1)/\(total)" }
      if !continues { headers["Content-Length"] = "\(total)" }
      if happens(in: 8) { (status, headers) = (503, [:]) }
      let response = HTTPResponse(status: status, headers: headers, url: "http://a/")
      var end = HTTPFileOutcome.End.whole
      switch machine.body(of: response, offset: Int64(offset)) {
      case .nowhere: break
      case .refused: end = .refused
      case .fresh:
        file = []
        durable = 0
        machine.begin(part: "p", with: response, at: clock.now)
        end = receive(total)
      case .append:
        machine.isRunning()
        end = receive(total - offset)
      }
      let outcome = HTTPFileOutcome(response: response, end: end)
      let step = machine.ended(outcome, offset: Int64(offset), at: clock.now, random: 0.5)
      history.append("\(status) \(step)")
      if step == .startOver { return exchange(Int(startOver())) }
      return step == .move
    }

    private mutating func startOver() -> Int64 {
      guard case .request(let offset) = machine.start(at: clock.now, stored: file.map { Int64($0.count) }) else {
        return 0
      }
      return offset
    }

    private mutating func receive(_ count: Int) -> HTTPFileOutcome.End {
      for _ in 0..<count {
        if happens(in: 5) { return .failed(HTTPError(.connectionLost, "It broke.", url: "http://a/")) }
        file?.append(version)
        machine.advance(to: Int64(file?.count ?? 0))
        if happens(in: 3) {
          durable = file?.count ?? 0
          machine.isDurable(upTo: Int64(durable))
        }
      }
      return .whole
    }
  }

  @Test func `moves one version of the file, whole`() {
    var moved = 0
    for seed in 1...4_000 {
      var model = Model(seed: UInt64(seed))
      for _ in 0..<40 {
        if model.attempt() {
          let file = model.file ?? []
          let isWhole = !file.isEmpty && Set(file).count == 1 && file[0] > 0
          #expect(isWhole, "seed \(seed): \(file) after \(model.history)")
          if !isWhole { return }
          moved += 1
          break
        }
        model.pass()
      }
    }
    #expect(moved > 3_900)
  }
}
