import CLinux
import Foundation
import JSON
import Synchronization

/// Headless Chromium, driven over a pair of pipes by the DevTools protocol: messages of JSON, each ended by a NUL.
final class Browser: Sendable {
  static let path = "/usr/bin/chromium-headless-shell"

  private struct State {
    var last: Int64 = 0
    var bytes: [UInt8] = []
    /// What pages wrote to their consoles, and what threw in them.
    var complaints: [String] = []
  }

  private let process: ChildProcess
  private let folder: TemporaryFolder
  private let (input, output): (Int32, Int32)
  private let state = Mutex(State())
  /// How long an answer may take.
  private static let patience = Int32(30_000)

  /// - Throws: a failure that names the Debian package when there is no browser: the tests of the page do not pass without.
  init() throws {
    guard access(Self.path, X_OK) == 0 else {
      throw ProgramFailure(description: "\(Self.path) is missing. Scripts/setup installs chromium-headless-shell.")
    }
    folder = try TemporaryFolder()
    var ends = (commandsOut: Int32(-1), commandsIn: Int32(-1), answersOut: Int32(-1), answersIn: Int32(-1))
    var failure = clinux_spawn_pipe(&ends.commandsOut, &ends.commandsIn, 0, 0)
    if failure == 0 { failure = clinux_spawn_pipe(&ends.answersOut, &ends.answersIn, 0, 1) }
    guard failure == 0 else { throw ProgramFailure(error: failure) }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { for descriptor in [ends.commandsOut, ends.answersIn, null] { close(descriptor) } }
    // Its own sandbox does not work for root, and needs user namespaces, which containers refuse.
    let words = [
      // A browser drops what is pressed before it has drawn a page for the first time, unless it is told otherwise.
      "--allow-pre-commit-input", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu",
      "--disable-dev-shm-usage", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--user-data-dir=\(folder.path)/profile",
      "about:blank",
    ]
    process = try ChildProcess(
      Self.path, words, environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"],
      streams: [null, null, null, ends.commandsOut, ends.answersIn])
    (input, output) = (ends.commandsIn, ends.answersOut)
  }

  deinit {
    close(input)
    close(output)
  }

  /// What pages complained about so far.
  var complaints: [String] { state.withLock { $0.complaints } }

  /// Sends a command and waits for its answer, on the caller's thread.
  @discardableResult
  fileprivate func send(_ method: String, _ params: JSONObject, session: String? = nil) throws -> JSONValue {
    try state.withLock { state in
      state.last += 1
      var message: JSONObject = ["id": .integer(state.last), "method": .string(method), "params": .object(params)]
      if let session { message["sessionId"] = .string(session) }
      let bytes = Array(JSONCoding.text(of: .object(message)).utf8) + [0]
      guard clinux_write_all(input, bytes, bytes.count) == 0 else { throw ProgramFailure(error: errno) }
      while true {
        let answer = try Self.receive(output, &state)
        if let complaint = Self.complaint(of: answer) { state.complaints.append(complaint) }
        guard answer["id"]?.integerValue == state.last else { continue }
        if let error = answer["error"] { throw ProgramFailure(description: "\(method): \(error)") }
        return answer["result"] ?? .null
      }
    }
  }

  private static func receive(_ descriptor: Int32, _ state: inout State) throws -> JSONValue {
    while true {
      if let end = state.bytes.firstIndex(of: 0) {
        defer { state.bytes.removeSubrange(...end) }
        return try JSONCoding.parse(Array(state.bytes[..<end]))
      }
      var watch = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&watch, 1, patience) > 0 else { throw ProgramFailure(description: "The browser does not answer.") }
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw ProgramFailure(description: "The browser has ended.") }
      state.bytes += buffer[..<count]
    }
  }

  private static func complaint(of message: JSONValue) -> String? {
    switch message["method"]?.stringValue {
    case "Runtime.exceptionThrown": "\(message["params"]?["exceptionDetails"] ?? .null)"
    case "Log.entryAdded" where message["params"]?["entry"]?["level"] == "error":
      "\(message["params"]?["entry"]?["text"] ?? .null) \(message["params"]?["entry"]?["url"] ?? .null)"
    case "Page.javascriptDialogOpening": "a dialog: \(message["params"]?["message"] ?? .null)"
    default: nil
    }
  }

  /// Opens a tab.
  func tab(width: Int = 1200, height: Int = 800, isDark: Bool = false, hasScripts: Bool = true) async throws -> Tab {
    try await onThread { [self] in
      let target = try send("Target.createTarget", ["url": "about:blank"])["targetId"]?.stringValue ?? ""
      let attached = try send("Target.attachToTarget", ["targetId": .string(target), "flatten": true])
      let tab = Tab(self, session: attached["sessionId"]?.stringValue ?? "")
      for domain in ["Page", "Runtime", "Log"] { try tab.command("\(domain).enable") }
      try tab.command("Emulation.setFocusEmulationEnabled", ["enabled": true])
      try tab.command(
        "Emulation.setDeviceMetricsOverride",
        ["width": .integer(Int64(width)), "height": .integer(Int64(height)), "deviceScaleFactor": 1, "mobile": false])
      let scheme: JSONValue = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
      try tab.command("Emulation.setEmulatedMedia", ["features": [scheme]])
      if !hasScripts { try tab.command("Emulation.setScriptExecutionDisabled", ["value": true]) }
      return tab
    }
  }
}

/// A tab of a browser.
final class Tab: Sendable {
  private let browser: Browser
  private let session: String
  /// What has to run as long as the tab is used.
  private let needed = Mutex<[any AnyObject & Sendable]>([])

  fileprivate init(_ browser: Browser, session: String) { (self.browser, self.session) = (browser, session) }

  /// Keeps what the tab shows running.
  func need(_ object: any AnyObject & Sendable) { needed.withLock { $0.append(object) } }

  @discardableResult
  fileprivate func command(_ method: String, _ params: JSONObject = [:]) throws -> JSONValue {
    try browser.send(method, params, session: session)
  }

  func open(_ address: String) async throws {
    _ = try await onThread { try self.command("Page.navigate", ["url": .string(address)]) }
  }

  /// The value of an expression; a promise is waited for.
  @discardableResult
  func value(_ expression: String) async throws -> JSONValue {
    try await onThread { try self.evaluate(expression) }
  }

  private func evaluate(_ expression: String) throws -> JSONValue {
    let answer = try command(
      "Runtime.evaluate", ["expression": .string(expression), "returnByValue": true, "awaitPromise": true])
    if let details = answer["exceptionDetails"] { throw ProgramFailure(description: "\(expression): \(details)") }
    return answer["result"]?["value"] ?? .null
  }

  /// Waits until an expression is true, in whatever document there is.
  func until(_ expression: String, within limit: Duration = .seconds(40)) async throws {
    try await onThread {
      let end = ContinuousClock.now + limit
      while ContinuousClock.now < end {
        // Between two documents there is nothing to ask.
        if let value = try? self.evaluate("Boolean(\(expression))"), value == true { return }
        poll(nil, 0, 10)
      }
      let text = (try? self.evaluate("document.body.innerText"))?.stringValue ?? ""
      throw ProgramFailure(description: "never: \(expression); the page says: \(text)")
    }
  }

  /// Presses a key as a keyboard does, to whatever has the focus.
  func press(_ key: String, text: String? = nil, code: Int64) async throws {
    try await onThread {
      var params: JSONObject = ["key": .string(key), "code": .string(key), "windowsVirtualKeyCode": .integer(code)]
      params["type"] = text == nil ? "rawKeyDown" : "keyDown"
      if let text { params["text"] = .string(text) }
      try self.command("Input.dispatchKeyEvent", params)
      params["type"] = "keyUp"
      params["text"] = nil
      try self.command("Input.dispatchKeyEvent", params)
    }
  }

  func tabulate() async throws { try await press("Tab", code: 9) }
  func enter() async throws { try await press("Enter", text: "\r", code: 13) }

  /// Clicks at the middle of an element as a mouse does, also where scripts are off.
  func click(_ selector: String) async throws {
    try await until("document.readyState == 'complete'")
    let place = try await value(
      """
      (() => { const e = document.querySelector(\(JSONCoding.text(of: .string(selector)))); e.scrollIntoView({block: "center"});
      const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()
      """)
    let (x, y) = (place.arrayValue?.first ?? .null, place.arrayValue?.last ?? .null)
    try await onThread {
      for type in ["mousePressed", "mouseReleased"] {
        try self.command(
          "Input.dispatchMouseEvent", ["type": .string(type), "x": x, "y": y, "button": "left", "clickCount": 1])
      }
    }
  }

  /// Types into what has the focus.
  func type(_ text: String) async throws {
    _ = try await onThread { try self.command("Input.insertText", ["text": .string(text)]) }
  }

  /// Puts a file into a field for files, as dropping it there does.
  func drop(_ file: String, on selector: String) async throws {
    try await until("document.readyState == 'complete'")
    try await onThread {
      let root = try self.command("DOM.getDocument")["root"]?["nodeId"] ?? .null
      let node =
        try self.command("DOM.querySelector", ["nodeId": root, "selector": .string(selector)])["nodeId"] ?? .null
      try self.command("DOM.setFileInputFiles", ["files": [.string(file)], "nodeId": node])
    }
  }

  /// Keeps a picture of the whole page under `.build/pages`.
  func picture(_ name: String) async throws {
    try await until("document.readyState == 'complete' && document.body.offsetWidth > 0")
    try await onThread {
      // A page that has just come may have no size for a moment.
      var answer = try? self.command("Page.captureScreenshot", ["captureBeyondViewport": true])
      for _ in 0..<20 where answer == nil {
        poll(nil, 0, 50)
        answer = try? self.command("Page.captureScreenshot", ["captureBeyondViewport": true])
      }
      guard let answer else { throw ProgramFailure(description: "There is no picture \(name).") }
      let data = Data(base64Encoded: answer["data"]?.stringValue ?? "") ?? Data()
      let folder = "\(Build.package)/.build/pages"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try data.write(to: URL(fileURLWithPath: "\(folder)/\(name).png"))
      guard data.count > 1_000 else { throw ProgramFailure(description: "The picture \(name) is empty.") }
    }
  }
}
