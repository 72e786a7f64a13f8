import Foundation

/// An extension that a test writes in Python: it answers the handshake and does what the test says.
enum Script {
  static let interpreter = "/usr/bin/python3"
  static var isAvailable: Bool { access(interpreter, X_OK) == 0 }

  /// Puts an extension into the folders that a ``Stage`` reads.
  ///
  /// - Parameters:
  ///   - name: the last part of its identifier, `com.example.fixtures.<name>`.
  ///   - body: Python, run with the library below for each request but the handshake: `request` and `method` are set,
  ///     `params` too.
  ///   - prelude: Python that runs before the handshake.
  ///   - atEnd: one line of Python that runs when the host asks it to end.
  ///   - notification: one line of Python, run for each notification.
  ///   - keys: further keys of the manifest's `NSExtension` and `Annex`, as XML.
  /// - Returns: the identifier.
  @discardableResult
  static func install(
    _ name: String, point: String = "com.apple.widget-extension", in folder: TemporaryFolder, attributes: String = "",
    annex: String = "", version: String = "1", prelude: String = "", atEnd: String = "", _ body: String,
    notification: String = "pass"
  ) throws -> String {
    let indented = body.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
    try folder.write(
      "Plugins/\(name).py",
      library.replacing("# prelude", with: prelude).replacing("# at end", with: atEnd)
        .replacing("NOTIFICATION", with: notification) + indented.joined(separator: "\n") + "\n", mode: 0o755)
    try folder.write(
      "manifests/\(name).plist",
      """
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>com.example.fixtures.\(name)</string>
      <key>CFBundleExecutable</key><string>\(name).py</string>
      <key>CFBundlePackageType</key><string>XPC!</string>
      <key>CFBundleName</key><string>\(name)</string>
      <key>CFBundleVersion</key><string>\(version)</string>
      <key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>\(point)</string>\(attributes)</dict>
      <key>Annex</key><dict><key>Interpreter</key><string>\(interpreter)</string>\(annex)</dict>
      </dict></plist>

      """)
    return "com.example.fixtures.\(name)"
  }

  /// The manifest's attributes of a Share extension for texts.
  static let takesText = """
    <key>NSExtensionAttributes</key><dict><key>NSExtensionActivationRule</key><dict>
    <key>NSExtensionActivationSupportsText</key><true/></dict></dict>
    """

  private static let library = """
    #!/usr/bin/python3
    import json, os, sys, time

    def send(message):
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
        sys.stdout.flush()

    def answer(result):
        send({"id": request["id"], "result": result})

    def show(text):
        answer({"result": "newData", "view": str(text)})

    def call(name, params):
        send({"id": 1, "method": name, "params": params})
        return json.loads(sys.stdin.readline())

    def attempt(action):
        try:
            return action()
        except OSError as error:
            return error.strerror

    # prelude
    for line in sys.stdin:
        request = json.loads(line)
        method, params = request.get("method"), request.get("params")
        if method == "initialize":
            directories = params["directories"]
            answer({"protocolVersion": "1.0"})
            continue
        if method == "terminate":
            # at end
            answer({})
            break
        if "id" not in request:
            NOTIFICATION
            continue

    """
}
