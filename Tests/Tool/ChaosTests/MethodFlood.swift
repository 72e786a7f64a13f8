import Contracts
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import JSON
import JSONRPC

/// A program that calls one method of the host as fast as it can, in every form that makes a host keep something: as it
/// is meant, with texts of megabytes, with a hundred thousand small values, as a request and as a notification.
struct MethodFlood: Sendable {
  let method: String
  /// The params of a call as it is meant; empty for a method of which no golden tells.
  let params: JSONValue

  /// Every method that the contracts of this package have, and those of the wire itself: a new one needs no line here.
  static let all: [MethodFlood] = {
    let known = golden
    let wire = [Log.method, Ping.method] + extra.keys.filter { $0 != Log.method }.sorted()
    return (Features.contracts.flatMap { $0.methods.map { $0.method } } + wire).map { method in
      MethodFlood(method: method, params: known[method] ?? extra[method] ?? [:])
    }
  }()

  private static let extra: [String: JSONValue] = [
    Log.method: ["level": "warning", "message": "flood", "fields": ["a": "b"]],
    "$/progress": ["token": 1, "progress": 1, "message": "flood"],
    "$/cancelRequest": ["id": 1],
    "$/stream/open": ["streamID": "s"],
    "$/stream/data": ["streamID": "s", "seq": 1, "data": "AAAA"],
    "$/stream/end": ["streamID": "s", "error": ["code": 1, "message": "flood"]],
  ]

  /// The params of calls that the goldens of the contracts have, by method.
  private static var golden: [String: JSONValue] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Features/FeatureTests/Goldens")
    var params: [String: JSONValue] = [:]
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    for file in files where file.pathExtension == "ndjson" {
      for line in (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? [] {
        let call = try? JSONValue(parsing: String(line))
        guard let call, let method = call["method"]?.stringValue else { continue }
        params[method] = params[method] ?? call["params"]
      }
    }
    return params
  }

  /// Python that floods when it is asked for `widget/performUpdate`, and ends.
  var script: String {
    """
    #!/usr/bin/python3
    import copy, json, os, sys, threading, time

    METHOD = \(JSONCoding.text(of: .string(method)))
    PARAMS = json.loads(\(JSONCoding.text(of: .string(JSONCoding.text(of: params)))))
    LARGE = "x" * 3000000
    SMALL = [{"a": 0}] * 20000

    def write(data):
        while data: data = data[os.write(1, data):]

    def forms():
        names = [name for name in PARAMS if isinstance(PARAMS[name], str) and name not in KEPT] or ["text"]
        for name in names[:1]: yield {**PARAMS, name: LARGE}
        yield {**PARAMS, "values": {"a": LARGE}}
        yield {**PARAMS, "items": SMALL, "edits": SMALL, "returningItems": SMALL, "values": SMALL, "value": SMALL}
        # At last: who is refused so often is read slowly.
        yield PARAMS

    def drain():
        while sys.stdin.buffer.read1(1 << 16): pass

    KEPT = ["requestID", "suite", "sessionID", "streamID"]
    number = 0
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("method") == "initialize":
            write((json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"protocolVersion": "1.0"}}) + "\\n").encode())
        elif message.get("method") == "widget/performUpdate":
            if "requestID" in PARAMS: PARAMS["requestID"] = message["params"]["requestID"]
            threading.Thread(target=drain, daemon=True).start()
            for form in forms():
                text = json.dumps(form)
                end = time.monotonic() + \(Self.seconds)
                while time.monotonic() < end:
                    number += 1
                    # Names that are told apart are kept apart.
                    body = text.replace('"streamID": "', '"streamID": "%d' % number).replace('"prefix": "', '"prefix": "%d' % number)
                    id = '' if number % 4 == 0 else '"id":%d,' % number
                    write(('{"jsonrpc":"2.0",%s"method":%s,"params":%s}\\n' % (id, json.dumps(METHOD), body)).encode())
            os._exit(0)

    """
  }

  /// Of each form.
  private static let seconds = 0.1
}
