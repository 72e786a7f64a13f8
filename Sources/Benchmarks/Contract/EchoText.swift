public import ExtensionProtocol

/// `echo/text`: the extension answers with the text that it got.
public struct EchoText: RemoteMethod {
  public typealias Result = EchoText
  public static let method = "echo/text"

  public var text: String
  public init(text: String) { self.text = text }
}
