import Contracts
import ExtensionProtocol
import HostServices

/// What document pickers, file providers and keyboards do wrong.
extension Quirk {
  static let documents: [Quirk] = [
    Quirk(
      check: "provider-identifiers", seen: "leads to “other.txt”", point: .fileProvider,
      message: "if method == 'provider/itemForIdentifier':\n    answer({'path': 'other.txt'})\n    continue"),
    Quirk(
      check: "provider-identifiers", seen: "and later", point: .fileProvider,
      message: """
        if method == 'provider/identifierForItem':
            answer({'identifier': str(time.time_ns())})
            continue
        if method == 'provider/itemForIdentifier':
            answer({'path': 'conformance.txt'})
            continue
        """),
    Quirk(
      check: "provider-paths", seen: "It took “../conformance.txt”", point: .fileProvider,
      message: "if method == 'provider/startProviding' and '..' in params['path']:\n    answer({})\n    continue"),
    Quirk(
      check: "provider-placeholder", seen: "there is no placeholder", point: .fileProvider,
      message: "if method == 'provider/providePlaceholder':\n    answer({})\n    continue"),
    Quirk(
      check: "provider-placeholder", seen: "cannot", point: .fileProvider,
      message: "if method == 'provider/providePlaceholder':\n"
        + "    send({'id': message['id'], 'error': {'code': -32000, 'message': 'cannot'}})\n    continue"),
    Quirk(
      check: "provider-content", seen: "there is no content", point: .fileProvider,
      message: "if method == 'provider/startProviding' and not leaves(params['path']):\n    answer({})\n    continue"),
    Quirk(
      check: "provider-change", seen: "exited with status 6", point: .fileProvider,
      message: "if method == 'provider/itemChanged': sys.exit(6)"),
    Quirk(
      check: "provider-stop", seen: "the placeholder is gone", point: .fileProvider,
      message: "if method == 'provider/stopProviding': os.remove(place('.' + params['path'] + '.placeholder'))"),
    Quirk(
      check: "picker-modes", seen: "Shown for moveToService", point: .documentPicker,
      message: "if method == 'picker/prepare' and params['mode'] == 'moveToService':\n    fail(-32000)\n    continue"),
    Quirk(
      check: "picker-list", seen: "nameless", point: .documentPicker,
      message: "if method == 'picker/list':\n    answer({'entries': [{'identifier': 'one', 'name': '', "
        + "'type': 'public.data', 'local': True, 'enabled': True}]})\n    continue"),
    Quirk(
      check: "picker-grant", seen: "The host refused what it granted", point: .documentPicker,
      message: "if method == 'picker/select' and 'identifier' in params:\n"
        + "    grant('../../../etc/passwd')\n    answer({})\n    continue"),
    Quirk(
      check: "picker-grant", seen: "dismissed already", point: .documentPicker,
      message: "if method == 'picker/select' and 'identifier' in params:\n"
        + "    keep('one.txt', b'one')\n    grant('one.txt')\n    grant('one.txt')\n    answer({})\n    continue"),
    Quirk(
      check: "picker-grant", seen: "it granted nothing", point: .documentPicker,
      message: "if method == 'picker/select' and 'identifier' in params:\n    answer({})\n    continue"),
    Quirk(
      check: "picker-save", seen: "before it copied the document there", point: .documentPicker,
      message: "if method == 'picker/select' and 'destination' in params:\n"
        + "    grant('elsewhere.txt')\n    answer({})\n    continue"),
  ]

  static let keyboards: [Quirk] = [
    Quirk(
      check: "keyboard-begin", seen: "language", point: .keyboard,
      message: "if method == 'keyboard/begin':\n    answer({'primaryLanguage': 'no language!'})\n    continue"),
    Quirk(
      check: "keyboard-keys", seen: "At “delete” (key)", point: .keyboard,
      message: "if method == 'keyboard/input' and params['event']['key'] == 'delete':\n"
        + "    answer({'edits': [{'deleteBackward': 0}]})\n    continue"),
    Quirk(
      check: "keyboard-keys", seen: "(gesture)", point: .keyboard,
      message: "if method == 'keyboard/input' and params['event']['kind'] == 'gesture':\n"
        + "    fail(-32602)\n    continue"),
    Quirk(
      check: "keyboard-next", seen: "nothing that leads to another keyboard", point: .keyboard,
      message: "if method == 'keyboard/input' and params['event']['key'] == 'nextKeyboard':\n"
        + "    answer({'edits': []})\n    continue"),
    Quirk(
      check: "keyboard-changes", seen: "exited with status 6", point: .keyboard,
      message: "if method == 'keyboard/selectionDidChange': sys.exit(6)"),
    Quirk(
      check: "keyboard-end", seen: "did not answer keyboard/end", point: .keyboard,
      message: "if method == 'keyboard/end': continue"),
    Quirk(
      check: "keyboard-end", seen: "At its second text field", point: .keyboard,
      message: """
        if method == 'keyboard/begin':
            waiting = (waiting or 0) + 1
            if waiting > 1:
                fail(-32000)
                continue
        """),
  ]
}
