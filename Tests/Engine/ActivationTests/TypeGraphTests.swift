import Activation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The type graph` {
  private let graph = TypeGraph.standard

  @Test(
    arguments: [
      ("public.jpeg", "public.image"), ("public.jpeg", "public.data"), ("public.jpeg", "public.item"),
      ("public.heic", "public.heif-standard"), ("public.heic", "public.image"), ("public.file-url", "public.url"),
      ("public.swift-source", "public.text"), ("public.python-script", "public.source-code"),
      ("public.zip-archive", "public.archive"), ("public.zip-archive", "com.pkware.zip-archive"),
      ("com.apple.xml-property-list", "com.apple.property-list"), ("com.apple.xml-property-list", "public.text"),
      ("com.apple.application-bundle", "public.executable"), ("com.apple.application-bundle", "public.directory"),
      ("public.mpeg-4-audio", "public.audio"), ("public.mpeg-4-audio", "public.movie"),
      ("public.utf8-tab-separated-values-text", "public.delimited-values-text"), ("public.vcard", "public.contact"),
      ("public.mpeg-2-video", "public.movie"), ("com.netscape.javascript-source", "public.executable"),
      ("PUBLIC.JPEG", "Public.Image"), ("no.such.type", "no.such.type"), ("com.adobe.pdf", "public.composite-content"),
      ("public.presentation", "public.content"), ("public.aiff-audio", "public.aifc-audio"),
    ])
  func `knows what conforms`(type: String, other: String) {
    #expect(graph.conforms(type, to: other))
  }

  @Test(
    arguments: [
      ("public.image", "public.jpeg"), ("com.apple.live-photo", "public.image"), ("public.folder", "public.data"),
      ("no.such.type", "public.data"), ("public.url", "public.file-url"), ("public.audio", "public.movie"),
      ("com.adobe.pdf", "public.text"), ("public.json", "public.plain-text"), ("public.archive", "public.data"),
    ])
  func `knows what does not conform`(type: String, other: String) {
    #expect(!graph.conforms(type, to: other))
  }

  @Test func `has no cycle and no unknown parent`() {
    for identifier in graph.identifiers {
      let ancestors = graph.ancestors(of: identifier)
      #expect(ancestors.first == identifier)
      #expect(Set(ancestors).count == ancestors.count)
      for other in ancestors.dropFirst() { #expect(!graph.conforms(other, to: identifier)) }
    }
  }

  @Test(
    arguments: [
      ("photo.JPG", "public.jpeg"), ("a.tar.gz", "org.gnu.gnu-zip-archive"),
      ("notes.md", "net.daringfireball.markdown"),
      ("/tmp/x.d/readme", "public.data"), (".profile", "public.data"), ("archive.zip", "public.zip-archive"),
      ("x.unknown", "public.data"), ("", "public.data"), ("film.mov", "com.apple.quicktime-movie"),
      (".txt", "public.data"), ("notes.txt/photo.png", "public.png"),
    ])
  func `names the type of a file`(name: String, type: String) {
    #expect(graph.type(forFileNamed: name) == type)
  }

  @Test func `names the type of a MIME type, whatever its parameters`() {
    #expect(graph.type(forMIMEType: "text/plain; charset=utf-8") == "public.plain-text")
    #expect(graph.type(forMIMEType: "Image/PNG") == "public.png")
    #expect(graph.type(forMIMEType: "x/y") == nil)
  }

  @Test func `tags only types that it knows`() {
    for name in ["jpg", "md", "swift", "csv", "mp4", "webarchive"] {
      let type = graph.type(forFilenameExtension: name) ?? ""
      #expect(graph.knows(type))
      #expect(graph.filenameExtensions(of: type).contains(name))
    }
    #expect(graph.mimeTypes(of: "public.jpeg") == ["image/jpeg"])
  }

  @Test func `takes declarations, even with cycles, but keeps the system's types`() {
    let grown = graph.adding([
      .init(
        identifier: "com.example.note", conformsTo: ["public.plain-text"], filenameExtensions: ["note", "txt"],
        mimeTypes: ["text/x-note"]),
      .init(identifier: "com.example.a", conformsTo: ["com.example.b"], filenameExtensions: [], mimeTypes: []),
      .init(identifier: "com.example.b", conformsTo: ["com.example.a"], filenameExtensions: [], mimeTypes: []),
      .init(identifier: "public.jpeg", conformsTo: ["public.text"], filenameExtensions: [], mimeTypes: []),
    ])
    #expect(grown.conforms("com.example.note", to: "public.text"))
    #expect(grown.type(forFilenameExtension: "note") == "com.example.note")
    #expect(grown.type(forFilenameExtension: "txt") == "public.plain-text")
    #expect(grown.conforms("com.example.a", to: "com.example.b"))
    #expect(!grown.conforms("com.example.a", to: "public.item"))
    #expect(!grown.conforms("public.jpeg", to: "public.text"))
    #expect(!graph.knows("com.example.note"))
  }

  @Test func `takes what two declare together, and nothing later, and knows what is only named`() {
    func note(_ name: String, _ parent: String) -> TypeGraph.Declaration {
      .init(identifier: name, conformsTo: [parent], filenameExtensions: ["Note"], mimeTypes: ["Text/X-Note"])
    }
    let grown = graph.adding([note("com.example.Note", "com.example.Base"), note("com.example.NOTE", "public.text")])
    #expect(grown.parents(of: "com.example.note") == ["com.example.Base", "public.text"])
    let text = graph.ancestors(of: "public.text")
    #expect(grown.ancestors(of: "COM.example.note") == ["com.example.Note", "com.example.Base"] + text)
    #expect(grown.ancestors(of: "Com.Example.Base") == ["Com.Example.Base"])
    #expect(grown.knows(declared: "com.example.note") && !grown.knows(declared: "com.example.base"))
    #expect(grown.knows("com.example.base") && !grown.knows("com.example.other"))
    #expect(grown.type(forFilenameExtension: "NOTE") == "com.example.Note")
    #expect(grown.type(forMIMEType: "text/x-note ; a=b") == "com.example.Note")
    #expect(grown.filenameExtensions(of: "com.example.NOTE") == ["note"])
    #expect(grown.mimeTypes(of: "com.example.note") == ["text/x-note"])
    // What declares nothing new is the same graph.
    let again = grown.adding([note("com.example.note", "public.data")])
    #expect(again == grown && again.revision == grown.revision && again.revision != graph.revision)
    let other = graph.adding([note("com.example.Note", "com.example.Base"), note("com.example.More", "public.text")])
    #expect(other.revision != grown.revision)
    // What was declared first tells graphs apart as well.
    let revisions = ["com.example.A", "com.example.B"].map { first in
      graph.adding([note(first, "public.text"), note("com.example.Last", "public.text")]).revision
    }
    #expect(Set(revisions).count == 2)
  }
}
