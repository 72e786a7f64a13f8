import Contracts
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices

/// A host among hostile extensions, with its state in a folder of its own.
final class Arena: Sendable {
  let path: String
  let host: ExtensionHost
  private let requests = RequestService()

  static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .path
  private static let interpreter = "/usr/bin/python3"
  static var isPossible: Bool { access(interpreter, X_OK) == 0 }

  init() throws {
    var template = Array("/tmp/annex-chaos-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let state = StateDirectory(path: "\(path)/home")
    var configuration = ExtensionHost.Configuration(
      registry: ExtensionRegistry(RegistrySources()), state: state)
    // Fifty programs that start at once share two processors.
    configuration.deadlines.handshake = .seconds(20)
    configuration.deadlines.termination = .milliseconds(200)
    host = try ExtensionHost(
      configuration: configuration, services: [requests, DefaultsService(store: .inMemory())])
    for hostile in Hostile.all {
      guard case .python(let body) = hostile.program else { continue }
      try Self.script(body).write(toFile: script(of: hostile), atomically: false, encoding: .utf8)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// One update.
  ///
  /// - Parameters:
  ///   - slot: distinguishes extensions that run the same program.
  ///   - silence: how long one that never answers is waited for.
  /// - Returns: what was unexpected, or `nil`.
  func fight(_ hostile: Hostile, slot: Int, silence: Duration = .milliseconds(400)) async throws -> String? {
    let target = target(hostile, slot)
    _ = try await HealthStore(host.configuration.state).reset(target.identity.id)
    let requests = requests
    do {
      let result = try await host.withTarget(target) {
        try await $0.performUpdate(requests: requests, deadline: hostile.isSilent ? silence : .seconds(20))
      }
      if case .shown = hostile.end, result.result == .newData { return nil }
      return "\(hostile.name): \(result)"
    } catch let error as ExtensionError {
      guard case .error(let codes) = hostile.end, codes.contains(error.code), !error.message.isEmpty,
        hostile.message.isEmpty || error.message.contains(hostile.message)
      else { return "\(hostile.name): \(error)" }
      return nil
    }
  }

  /// One update of an extension that is well.
  func serve(slot: Int) async throws -> UpdateResult {
    var target = target(Hostile(name: "good", program: .fixture("Lengthy"), end: .shown), slot)
    target.framing = .contentLength
    let requests = requests
    return try await host.withTarget(target) { try await $0.performUpdate(requests: requests, deadline: .seconds(20)) }
  }

  /// What is left in the folder that every process has a folder of its own in.
  var scratchFolders: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/home/scratch")) ?? []
  }

  private func script(of hostile: Hostile) -> String {
    "\(path)/\(hostile.name.filter { $0.isLetter || $0.isNumber }).py"
  }

  private func target(_ hostile: Hostile, _ slot: Int) -> LaunchTarget {
    let word = hostile.name.filter { $0.isLetter || $0.isNumber }
    let identity = Caller.Identity(
      id: "com.example.chaos.\(word).s\(slot)", version: "1", displayName: word, point: .today,
      containingApp: "com.example.chaos", groups: [], entitlements: [])
    switch hostile.program {
    case .fixture(let name): return LaunchTarget(identity: identity, executable: "\(Self.products)/\(name)")
    case .python:
      return LaunchTarget(identity: identity, executable: script(of: hostile), interpreter: Self.interpreter)
    }
  }

  private static func script(_ body: String) -> String {
    """
    import json, os, signal, sys, time

    def forever():
        while True: time.sleep(60)

    def write(data):
        while data: data = data[os.write(1, data):]

    def send(message): write((json.dumps({"jsonrpc": "2.0", **message}) + "\\n").encode())
    def show(): send({"id": message["id"], "result": {"result": "newData", "view": "shown"}})

    def attempt(action):
        try: action()
        except OSError: pass

    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "method" not in message or "id" not in message: continue
        if message["method"] == "initialize": send({"id": message["id"], "result": {"protocolVersion": "1.0"}})
        elif message["method"] == "terminate":
            send({"id": message["id"], "result": {}})
            break
        else:
            \(body.split(separator: "\n").joined(separator: "\n        "))

    """
  }
}
