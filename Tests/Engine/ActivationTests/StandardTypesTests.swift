import Activation
import Testing

/// The conformances of the system's types, line by line as the public headers note them: `children<parents`, where a
/// child conforms to every parent; a name alone is a root.
@Suite(.timeLimit(.minutes(1))) struct `The system's types` {
  static let lines = [
    "public.content", "public.composite-content<public.content", "public.data<public.item",
    "public.directory<public.item", "public.folder<public.directory", "public.volume<public.folder",
    "public.symlink<public.item,com.apple.resolvable", "public.executable<public.item",
    "com.apple.bundle,com.apple.package<public.directory", "com.apple.plugin<com.apple.bundle,com.apple.package",
    "com.apple.xpc-service<com.apple.bundle,com.apple.package", "com.apple.application<public.executable",
    "com.apple.application-bundle<com.apple.application,com.apple.bundle,com.apple.package",
    "public.unix-executable<public.data,public.executable",
    "public.url<public.data", "public.file-url<public.url", "com.apple.bookmark<public.data,com.apple.resolvable",
    "com.apple.internet-location<public.data", "com.apple.webarchive<public.data,public.composite-content",
    "public.text<public.data,public.content", "public.plain-text<public.text",
    "public.utf8-plain-text,public.utf16-plain-text,public.utf16-external-plain-text<public.plain-text",
    "public.delimited-values-text<public.text",
    "public.comma-separated-values-text,public.tab-separated-values-text<public.delimited-values-text",
    "public.utf8-tab-separated-values-text<public.tab-separated-values-text,public.utf8-plain-text",
    "public.rtf,public.html,public.xml,public.yaml,public.css,public.json<public.text",
    "public.source-code<public.plain-text",
    "public.swift-source,public.c-source,public.c-header,public.c-plus-plus-source<public.source-code",
    "public.c-plus-plus-header,public.objective-c-source,public.objective-c-plus-plus-source<public.source-code",
    "public.assembly-source,public.script<public.source-code", "public.shell-script<public.script",
    "public.python-script,public.perl-script,public.ruby-script,public.php-script<public.shell-script",
    "public.make-source<public.script", "com.netscape.javascript-source<public.source-code,public.executable",
    "public.vcard<public.text,public.contact", "public.m3u-playlist<public.text,public.playlist",
    "com.apple.property-list<public.data", "com.apple.xml-property-list<public.xml,com.apple.property-list",
    "com.apple.binary-property-list<com.apple.property-list",
    "public.image<public.data,public.content",
    "public.jpeg,public.tiff,public.png,public.heif-standard,public.svg-image<public.image",
    "public.camera-raw-image,public.jpeg-xl,public.jpeg-2000<public.image",
    "public.heif,public.heic,public.heics<public.heif-standard",
    "com.compuserve.gif,com.apple.icns,com.microsoft.bmp,com.microsoft.ico,org.webmproject.webp<public.image",
    "com.ilm.openexr-image,com.adobe.raw-image<public.image", "com.apple.live-photo",
    "public.audiovisual-content<public.data,public.content", "public.movie,public.audio<public.audiovisual-content",
    "public.video<public.movie",
    "com.apple.quicktime-movie,public.mpeg,public.mpeg-4,public.avi,public.mpeg-2-transport-stream<public.movie",
    "public.mpeg-2-video<public.video",
    "public.mp3,com.microsoft.waveform-audio,public.midi-audio,public.aifc-audio<public.audio",
    "public.aiff-audio<public.aifc-audio", "public.mpeg-4-audio<public.mpeg-4,public.audio",
    "com.adobe.pdf,org.idpf.epub-container,com.apple.flat-rtfd<public.data,public.composite-content",
    "com.apple.rtfd<com.apple.package,public.composite-content", "public.spreadsheet<public.content",
    "public.presentation<public.composite-content", "public.3d-content<public.content", "public.archive",
    "org.gnu.gnu-zip-archive,public.bzip2-archive,public.tar-archive<public.data,public.archive",
    "com.apple.archive,com.pkware.zip-archive<public.data,public.archive", "public.zip-archive<com.pkware.zip-archive",
    "public.email-message<public.message", "public.x509-certificate,com.rsa.pkcs-12<public.data", "public.item",
    "public.message", "public.contact", "public.calendar-event", "public.to-do-item", "public.database", "public.font",
    "public.log", "public.bookmark", "public.playlist",
  ]

  private let graph = TypeGraph.standard

  private static func split(_ line: String) -> (children: [String], parents: [String]) {
    let sides = line.split(separator: "<").map { $0.split(separator: ",").map(String.init) }
    return (sides[0], sides.count > 1 ? sides[1] : [])
  }

  @Test(arguments: lines) func `conform to exactly what the headers say`(line: String) {
    let (children, parents) = Self.split(line)
    for child in children {
      #expect(graph.knows(child))
      #expect(Set(graph.parents(of: child)) == Set(parents), "\(child)")
      for parent in parents { #expect(graph.conforms(child.uppercased(), to: parent)) }
    }
  }

  @Test func `are all covered by these lines, and others' types say whose they are`() {
    let named = Set(Self.lines.flatMap { Self.split($0).children })
    #expect(Set(graph.identifiers).subtracting(named) == ["com.apple.resolvable", "net.daringfireball.markdown"])
  }

  @Test func `can be asked for in both directions`() {
    #expect(graph.types(conformingTo: "public.archive").contains("public.zip-archive"))
    #expect(graph.types(conformingTo: "public.heif-standard").count == 4)
    #expect(graph.types(conformingTo: "no.such.type") == [])
    #expect(graph.spelling(of: "PUBLIC.JPEG") == "public.jpeg")
  }
}
