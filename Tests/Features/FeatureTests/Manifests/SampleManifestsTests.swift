import Activation
import ExtensionHosting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The sample manifests` {
  private static let root = #filePath.split(separator: "/").dropLast(5).map { "/\($0)" }.joined()

  private let registry = ExtensionRegistry(
    RegistrySources(manifestFolders: [.init(path: "\(root)/Manifests", products: "/nowhere")]))

  @Test func `have neither errors nor warnings`() {
    #expect(!registry.entries.isEmpty)
    #expect(registry.entries.flatMap(\.problems) == [])
  }

  @Test func `belong to two apps`() {
    #expect(Set(registry.entries.map(\.containingApp)) == ["com.example.adventures", "com.example.movies"])
  }

  @Test func `share text and one address`() throws {
    let rule = try #require(registry.entry("com.example.adventures.share")?.activationRule)
    let text = ActivationAttachment(["public.plain-text"])
    let url = ActivationAttachment(["public.url"], urlScheme: "https")
    #expect(rule.match([ActivationItem(attachments: [text, url])]).isOffered)
    #expect(!rule.match([ActivationItem(attachments: [url, url])]).isOffered)
  }

  @Test func `digest text and up to ten text files`() throws {
    let rule = try #require(registry.entry("com.example.adventures.digest")?.activationRule)
    let file = ActivationAttachment(["public.plain-text"], isFile: true)
    #expect(rule.match([ActivationItem(attachments: Array(repeating: file, count: 10))]).isOffered)
    #expect(!rule.match([ActivationItem(attachments: Array(repeating: file, count: 11))]).isOffered)
    #expect(
      !rule.match([
        ActivationItem(attachments: [ActivationAttachment(["public.png"], isFile: true)])
      ]).isOffered)
    #expect(rule.match([ActivationItem(contentText: "text")]).isOffered)
  }
}
