import ExtensionProtocol

/// `echo/text`: the extension answers with the text that it got.
package struct EchoText: RemoteMethod {
  package typealias Result = EchoText
  package static let method = "echo/text"

  package var text: String
  package init(text: String) { self.text = text }
}
