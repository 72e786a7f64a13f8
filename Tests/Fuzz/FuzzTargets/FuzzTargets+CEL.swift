import CEL
import JSON

extension FuzzTargets {
  /// What is read has a value or an error within its steps; errors stand in the text. The whole input is also a pattern
  /// and a text of it.
  static func cel(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let bindings: [String: CELValue] = [
      "auth": CELValue(["uid": "u", "token": ["admin": true]]),
      "vars": CELValue(["x": 1, "role": "A", "list": [1, 2.5]]),
      "request": .map([.string("time"): .timestamp(seconds: 0, nanoseconds: 1)]), "this": CELValue([["role": "admin"]]),
    ]
    do throws(CELError) {
      _ = try CELProgram(text, names: Array(bindings.keys))
    } catch { precondition(error.offset >= 0 && error.offset <= text.utf8.count && !error.message.isEmpty) }
    do throws(CELError) {
      let value = try CELProgram(text).evaluate(bindings, cost: 20_000)
      _ = value.json
    } catch { precondition(error.offset >= 0 && error.offset <= text.utf8.count && !error.message.isEmpty) }
    guard let matches = try? CELProgram("this.matches(this)") else { return }
    _ = try? matches.evaluate(["this": .string(text)])
  }
}
