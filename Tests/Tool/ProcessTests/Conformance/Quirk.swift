import Conformance
import Contracts
import ExtensionProtocol
import FeatureChecks

/// A program in Python that keeps every rule but one.
struct Quirk: Sendable {
  /// The check that has to see it.
  let check: String
  /// Part of what the check says.
  let seen: String
  var point = ExtensionPoint.today
  /// Lines before the loop.
  var start = "pass"
  /// Lines for every message, before it is served; `continue` drops it.
  var message = "pass"
  /// Lines for what is no JSON.
  var malformed = "continue"
  /// Lines for what is JSON and no object.
  var stray = "continue"
  /// Lines after the loop.
  var end = "pass"

  /// Its check, and for some points all that are for these alone: none but its own may see it.
  var checks: [String] {
    guard [.documentPicker, .fileProvider, .keyboard].contains(point) else { return check.isEmpty ? [] : [check] }
    return Features.checks.all.filter { $0.isFor(point) && !$0.isFor(.today) && !$0.isFor(.action) }
      .map(\.name)
  }

  /// A program without a quirk.
  static func none(_ point: ExtensionPoint) -> Quirk { Quirk(check: "", seen: "", point: point) }

  static let all = general + documents + keyboards

  private static let general: [Quirk] = [
    Quirk(
      check: "handshake", seen: "It sends without end: it held",
      start: "while True: send({'method': '$/log', 'params': {'level': 'info', 'message': 'm' * 1000000}})"),
    Quirk(
      check: "version", seen: "Offered version 0.0",
      message: "if method == 'initialize':\n    answer({'protocolVersion': '1.0'})\n    continue"),
    Quirk(
      check: "before-handshake", seen: "exited with status 2",
      message: "greeted = globals().get('greeted') or method == 'initialize'\nif not greeted: sys.exit(2)"),
    Quirk(
      check: "unknown-members", seen: "a member too many",
      message: "if method == 'initialize' and 'conformance' in params:\n    fail(-32602)\n    continue"),
    Quirk(
      check: "ids", seen: "did not answer",
      message: "if isinstance(message.get('id'), str) and message['id'].isdigit(): message['id'] = int(message['id'])"),
    Quirk(
      check: "notifications", seen: "answered a notification",
      message: "if 'id' not in message and method != 'initialized': send({'id': None, 'result': {}})"),
    Quirk(
      check: "unknown-method", seen: "widget/conformance, which there is not",
      message: "if method == 'widget/conformance':\n    answer({})\n    continue"),
    Quirk(
      check: "params:widget/performUpdate", seen: "Without “requestID” it answered widget/performUpdate",
      message: "if method == 'widget/performUpdate':\n    answer({'result': 'noData'})\n    continue"),
    Quirk(
      check: "params:widget/performUpdate", seen: "With {\"conformance\":true} as “reason”",
      message: "if method == 'widget/performUpdate': params['reason'] = params.get('reason') and 'visible'"),
    Quirk(
      check: "params:widget/performUpdate", seen: "exited with status 1",
      message: "if method == 'widget/performUpdate': params['displayMode'] + ''"),
    Quirk(
      check: "params:widget/performUpdate", seen: "which every extension of the point has to",
      message: "if method == 'widget/performUpdate':\n    fail(-32601)\n    continue"),
    Quirk(
      check: "params:widget/viewWillAppear", seen: "exited with status 1",
      message: "if method == 'widget/viewWillAppear': params['requestID'] + ''"),
    Quirk(
      check: "result:widget/displayModeDidChange", seen: "result.view",
      message: "if method == 'widget/displayModeDidChange':\n    answer({'view': 7})\n    continue"),
    Quirk(
      check: "result:widget/displayModeDidChange", seen: "exited with status 7",
      message: "if method == 'widget/displayModeDidChange': sys.exit(7)"),
    Quirk(
      check: "ping", seen: "answered a ping",
      message: "if method == '$/ping':\n    answer({'pong': True})\n    continue"),
    Quirk(
      check: "cancellation", seen: "answered the cancelled request",
      message: "if method == '$/cancelRequest':\n    message['id'] = params['id']\n    fail(-32800)\n    continue"),
    Quirk(check: "quiet-output", seen: "not a message", start: "print('Starting', flush=True)"),
    Quirk(check: "quiet-output", seen: "not a message", start: "print('{\"almost\": 1}', flush=True)"),
    Quirk(check: "broken-json", seen: "exited with status 1", malformed: "raise"),
    Quirk(check: "invalid-utf8", seen: "exited with status 1", malformed: "raise"),
    Quirk(check: "deep-nesting", seen: "exited with status 1", malformed: "raise"),
    Quirk(
      check: "duplicate-names", seen: "with {\"jsonrpc\"",
      message: "if message.get('id') == 5:\n    answer({})\n    continue"),
    Quirk(check: "no-message", seen: "exited with status 4", stray: "sys.exit(4)"),
    Quirk(check: "huge-message", seen: "neither answered nor ended", message: "if len(line) > 4 << 20: forever()"),
    Quirk(check: "large-params", seen: "did not answer", message: "if len(line) > 65536: continue"),
    Quirk(
      check: "in-flight", seen: "refused",
      message: "if isinstance(message.get('id'), int) and message['id'] > 40:\n    fail(-32005)\n    continue"),
    Quirk(
      check: "slow-host", seen: "of 2500 requests",
      start: "os.set_blocking(1, False)\ndef write(data):\n    try: os.write(1, data)\n    except BlockingIOError: pass"
    ),
    Quirk(check: "memory", seen: "its ceiling is 32 MiB", start: "hoard = bytearray(b'x') * (80 << 20)"),
    Quirk(check: "terminate", seen: "did not answer terminate", message: "if method == 'terminate': continue"),
    Quirk(
      check: "terminate", seen: "still runs",
      message: "if method == 'terminate':\n    answer({})\n    forever()"),
    Quirk(check: "end-of-input", seen: "still runs", end: "forever()"),
    Quirk(
      check: "own-ids", seen: "twice",
      message: "if method == 'widget/performUpdate':\n    for _ in range(2): call('$/none', 'same')"),
    Quirk(
      check: "own-ids", seen: "as an id",
      message: "if method == 'widget/performUpdate': call('$/none', 'i' * 100)"),
    Quirk(
      check: "auth-scopes", seen: "lets it call auth/token for api://notes/Read",
      message: "if method == 'widget/performUpdate': call('auth/token', 'a', scopes=['api://notes/Read'])"),
    Quirk(
      check: "auth-scopes", seen: "without scopes",
      message: "if method == 'widget/performUpdate': call('auth/fetch', 'a', url='https://a.example', scopes=[])"),
    Quirk(
      check: "auth-form", seen: "auth/begin",
      message: "if method == 'widget/performUpdate': call('auth/begin', 'a', flow='signIn', username='ada')"),
    Quirk(
      check: "progress", seen: "went from",
      message: "if method == 'widget/performUpdate':\n"
        + "    for value in (2, 1): send({'method': '$/progress', 'params': {'token': 't', 'progress': value}})"),
    Quirk(
      check: "widget-update", seen: "widget/performUpdate",
      message: "if method == 'widget/performUpdate':\n    answer({'result': 'splendid'})\n    continue"),
    Quirk(
      check: "widget-modes", seen: "did not answer",
      message: "if method == 'widget/displayModeDidChange': continue"),
    Quirk(
      check: "widget-rows", seen: "exited with status 6",
      message: "if method == 'widget/performUpdate' and fits(method, params):\n"
        + "    answer({'result': 'newData', 'view': {'rows': [{'title': 'a', 'action': 'go'}]}})\n    continue\n"
        + "if method == 'widget/didSelectRow': sys.exit(6)"),
    Quirk(
      check: "widget-appearance", seen: "exited with status 5",
      message: "if method == 'widget/viewDidDisappear': sys.exit(5)"),
    Quirk(
      check: "share-validate", seen: "share/validateContent", point: .share,
      message: "if method == 'share/validateContent':\n    answer({'valid': 1})\n    continue"),
    Quirk(
      check: "share-post", seen: "did not end the request", point: .share,
      message: "if method == 'share/didSelectPost':\n    answer({})\n    continue"),
    Quirk(
      check: "share-cancel", seen: "did not answer share/didSelectCancel", point: .share,
      message: "if method == 'share/didSelectCancel': continue"),
    Quirk(
      check: "one-end", seen: "2 times", point: .share,
      message: "if method == 'share/didSelectPost': call('context/completeRequest', 77, requestID=params['requestID'])"),
  ]

  var script: String {
    """
    import json, os, sys, time

    groups = scratch = picker = waiting = None

    def place(path):
        storage = (picker or params)["documentStorage"]
        return groups[storage["group"]]["path"] + "/" + storage["path"] + "/" + path

    def keep(path, data):
        with open(place(path), "wb") as file: file.write(data)

    def leaves(path): return path.startswith("/") or ".." in path.split("/")
    def grant(path):
        grants.append("g%d" % len(grants))
        call("picker/dismissGrantingAccess", grants[-1], requestID=params["requestID"], url=path, directory="documentStorage")

    grants = []

    def forever():
        while True: time.sleep(60)

    # What params have: texts, or objects, arrays and truth values where a sign says so; ? where a member may be missing.
    shapes = {
        "widget/performUpdate": "requestID reason displayMode maxSize?{",
        "context/beginRequest": "requestID point inputItems[ host?{ presentation?{",
        "share/validateContent": "requestID contentText",
        "share/didSelectPost": "requestID contentText",
        "share/didSelectCancel": "requestID",
        "provider/identifierForItem": "path documentStorage{",
        "provider/itemForIdentifier": "identifier documentStorage{",
        "provider/providePlaceholder": "path documentStorage{",
        "provider/startProviding": "path documentStorage{",
        "provider/itemChanged": "path purposeIdentifier? documentStorage{",
        "provider/stopProviding": "path documentStorage{",
        "picker/prepare":
            "requestID mode originalURL? originalName? validTypes?[ documentStorage?{ providerIdentifier?",
        "picker/list": "requestID directory? cursor?",
        "picker/select": "requestID identifier? destination?",
        "keyboard/begin": "sessionID documentIdentifier documentInputMode? traits{ hasFullAccess! "
            + "needsInputModeSwitchKey! contextBefore? contextAfter? selectedText? hasText!",
        "keyboard/input": "sessionID event{",
        "keyboard/end": "sessionID reason",
    }

    def fits(method, params):
        for member in shapes.get(method, "").split():
            value = params.get(member.rstrip("?{[!"))
            if value is None and "?" in member: continue
            if type(value) is not {"{": dict, "[": list, "!": bool}.get(member[-1], str): return False
        return True

    def write(data):
        while data: data = data[os.write(1, data):]

    def send(message): write((json.dumps({"jsonrpc": "2.0", **message}) + "\\n").encode())
    def answer(result): send({"id": message["id"], "result": result})
    def fail(code): send({"id": message["id"], "error": {"code": code, "message": "no"}})
    def call(method, id, **params): send({"id": id, "method": method, "params": params})

    \(start)
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            \(malformed)
        if not isinstance(message, dict):
            \(stray)
        method, params = message.get("method"), message.get("params", {})
        \(message.split(separator: "\n").joined(separator: "\n    "))
        if "id" in message and not fits(method, params):
            fail(-32602)
        elif method == "initialize":
            groups, scratch = params["directories"]["groups"], params["directories"]["scratch"]
            if "1.0" in params["protocolVersions"]: answer({"protocolVersion": "1.0"})
            else: fail(-32020)
        elif method == "widget/performUpdate": answer({"result": "newData", "view": "A view"})
        elif method == "context/beginRequest": answer({"accepted": True})
        elif method == "share/validateContent": answer({"isValid": True})
        elif method == "share/didSelectPost":
            answer({})
            call("context/completeRequest", 1, requestID=params["requestID"])
        elif method == "share/didSelectCancel":
            answer({})
            error = {"domain": "NSCocoaErrorDomain", "code": 3072}
            call("context/cancelRequest", 2, requestID=params["requestID"], error=error)
        elif method == "provider/identifierForItem": answer({"identifier": params["path"]})
        elif method == "provider/itemForIdentifier": answer({"path": params["identifier"]})
        elif method in shapes and method.startswith("provider/") and leaves(params["path"]): fail(-32602)
        elif method == "provider/providePlaceholder":
            waiting = message["id"]
            metadata = {"name": params["path"], "isPackage": False}
            call("provider/writePlaceholder", "p", path=params["path"], metadata=metadata)
        elif not method and message.get("id") == "p": send({"id": waiting, "result": {}})
        elif method == "provider/startProviding":
            keep(params["path"], b"content")
            answer({})
        elif method == "provider/itemChanged": answer({})
        elif method == "provider/stopProviding":
            os.remove(place(params["path"]))
            answer({})
        elif method == "picker/prepare":
            picker = params
            answer({})
        elif method == "picker/list":
            entry = {"identifier": "one", "name": "one.txt", "type": "public.plain-text"}
            answer({"entries": [{**entry, "local": True, "enabled": True}]})
        elif method == "picker/select":
            if "destination" in params:
                name = picker["originalName"]
                with open(scratch + "/" + picker["originalURL"], "rb") as file: keep(name, file.read())
            else:
                name = params["identifier"] + ".txt"
                keep(name, b"one")
            grant(name)
            answer({})
        elif method == "keyboard/begin": answer({"primaryLanguage": "en-US"})
        elif method == "keyboard/input":
            key = params["event"]["key"]
            if key == "nextKeyboard": call("keyboard/advanceToNextInputMode", "k", sessionID=params["sessionID"])
            answer({"edits": [{"deleteBackward": 1}] if key == "delete" else [{"insertText": key}] if len(key) < 9 else []})
        elif method == "keyboard/end": answer({})
        elif method == "terminate":
            answer({})
            break
        elif method and "id" in message: fail(-32601)
    \(end)

    """
  }
}
