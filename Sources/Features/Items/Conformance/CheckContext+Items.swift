import Conformance
import Contracts

extension CheckContext {
  /// An item to pass to extensions.
  static let item = ExtensionItem(title: text, attachments: [.text(text)])
}
