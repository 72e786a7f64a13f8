import Testing

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `A path of the content` {
  @Test(
    arguments: [
      ("/content/dam/demo/en/a", "en"), ("/content/dam/demo/de_ch/a", "de_ch"), ("/content/dam/demo/de-CH/a", "de-CH"),
      ("/content/dam/demo/EN/a", "EN"), ("/content/dam/demo/az/a", "az"), ("/content/dam/demo/zA/a", "zA"),
      // The first of several counts; the name itself and what is before the site do not.
      ("/content/dam/demo/en/de/a", "en"), ("/content/dam/en/a", "en"), ("/content/dam/demo/a/en/b", "en"),
      ("/content/dam/demo/en", nil), ("/content/dam/demo/a", nil), ("/content/en/demo/a", nil), ("/en/fr/demo", nil),
      ("/en", nil), ("", nil),
      // Within four folders.
      ("/content/dam/one/two/three/en/a", "en"), ("/content/dam/one/two/three/four/en/a", nil),
      // What is no language.
      ("/content/dam/demo/eng/a", nil), ("/content/dam/demo/e/a", nil), ("/content/dam/demo/12/a", nil),
      ("/content/dam/demo/e1/a", nil), ("/content/dam/demo/de_c/a", nil), ("/content/dam/demo/de_che/a", nil),
      ("/content/dam/demo/de_c1/a", nil), ("/content/dam/demo/d_che/a", nil), ("/content/dam/demo/pages/a", nil),
      ("/content/dam/demo/dech/a", nil), ("/content/dam/demo/@@/a", nil), ("/content/dam/demo/[[/a", nil),
      ("/content/dam/demo/``/a", nil), ("/content/dam/demo/{{/a", nil), ("/content/dam/demo/é/a", nil),
      ("/content/dam/demo/éé/a", nil), ("/content/dam/demo/en_é/a", nil),
    ] as [(String, String?)])
  func `has the language of a folder`(path: String, locale: String?) {
    #expect(ContentFragment.locale(of: path) == locale)
  }

  @Test(arguments: [
    ("a/b.json", "json", "a/b"), ("a/b.JSON", "json", "a/b"), ("a/b.png.json", "json", "a/b.png"),
    ("b.json", "json", "b"), ("a.b/c", "", "a.b/c"), ("a/b", "", "a/b"), ("a/.json", "", "a/.json"),
    ("a/b.", "", "a/b."), ("a/é.json", "json", "a/é"), ("a/e\u{301}.json", "json", "a/e\u{301}"),
    ("a/..json", "json", "a/."),
  ])
  func `has an ending, or none`(path: String, ending: String, rest: String) {
    let file = ContentFile(path: path, stamp: "", size: 0, source: .memory([]))
    #expect(file.pathExtension == ending && file.pathWithoutExtension == rest)
  }

  @Test(arguments: [
    ("", "cbf29ce4-8422-8325-8422-2325cbf29ce4"), ("a", "af63dc4c-8601-8c8c-b89e-983a49b44f21"),
    ("é", "0ac21707-b718-8e01-832f-7d0d70da38d3"), ("x7500", "0041157a-c45c-83f7-b22e-429031d84e07"),
    ("/content/dam/demo/en/cities/basel", "aff72535-ab8c-82f0-88f9-159e5e2e8c24"),
  ])
  func `has the same identifier always`(path: String, id: String) {
    #expect(StableID.text(of: path) == id && StableID.isValid(id))
  }

  @Test(arguments: [
    ("01234567-89ab-cdef-0123-456789abcdef", true), ("00000000-0000-0000-0000-000000000000", true),
    ("99999999-9999-9999-9999-999999999999", true), ("ffffffff-ffff-ffff-ffff-ffffffffffff", true),
    ("01234567-89AB-cdef-0123-456789abcdef", false), ("01234567-89ag-cdef-0123-456789abcdef", false),
    ("0123456/-89ab-cdef-0123-456789abcdef", false), ("0123456:-89ab-cdef-0123-456789abcdef", false),
    ("0123456`-89ab-cdef-0123-456789abcdef", false), ("0123456789ab-cdef-0123-456789abcdef", false),
    ("01234567-89ab-cdef-0123-456789abcde", false), ("01234567-89ab-cdef-0123-456789abcdef0", false),
    ("0123456-789ab-cdef-0123-456789abcdef", false), ("01234567-89ab-cdef-0123-456789abcdef-", false),
    ("01234567-89ab-cdef-0123--56789abcdef", false), ("é234567-89ab-cdef-0123-456789abcdef", false), ("", false),
  ])
  func `has an identifier in the form of a UUID`(text: String, isOne: Bool) {
    #expect(StableID.isValid(text) == isOne)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The kind of an asset` {
  @Test(arguments: [
    ("image/png", AssetKind.image), ("image/svg+xml", .image), ("image", .image), ("video/mp4", .multimedia),
    ("audio/mpeg", .multimedia), ("application/zip", .archive), ("application/x-tar", .archive),
    ("application/gzip", .archive), ("application/x-7z-compressed", .archive), ("application/vnd.rar", .archive),
    ("application/java-archive", .archive), ("application/pdf", .document), ("text/plain", .document),
    ("application/octet-stream", .document), ("application/zip/more", .document), ("application", .document),
    ("Image/png", .document), ("", .document),
  ])
  func `follows from its type`(type: String, kind: AssetKind) {
    #expect(AssetKind(mimeType: type) == kind)
  }

  @Test func `is known of each ending`() {
    var endings: [AssetKind: Set<String>] = [:]
    for (ending, type) in AssetKind.mimeTypes { endings[AssetKind(mimeType: type), default: []].insert(ending) }
    #expect(
      endings == [
        .image: ["avif", "gif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"],
        .multimedia: ["m4a", "mov", "mp3", "mp4", "ogg", "wav", "webm"],
        .archive: ["7z", "gz", "jar", "rar", "tar", "zip"],
        .document: ["csv", "doc", "docx", "html", "json", "md", "pdf", "txt", "xlsx", "xml"],
      ])
    #expect(
      ["jpg", "jpeg", "tif", "tiff", "mp3", "ogg", "md"].map { AssetKind.mimeTypes[$0] } == [
        "image/jpeg", "image/jpeg", "image/tiff", "image/tiff", "audio/mpeg", "audio/ogg", "text/markdown",
      ])
  }

  @Test func `has its name in a schema`() {
    #expect(
      AssetKind.allCases.map(\.typeName) == ["ImageRef", "MultimediaRef", "DocumentRef", "ArchiveRef", "PageRef"])
    #expect(AssetKind.allCases.map(\.rawValue) == ["image", "multimedia", "document", "archive", "page"])
  }

  @Test(arguments: [("a/b/c", "a", "b/c"), ("a/", "a", ""), ("/a", "", "a"), ("a", "a", ""), ("", "", "")])
  func `is what stands before the first slash`(text: String, before: String, after: String) {
    let parts = text.split(at: "/")
    #expect(parts.0 == before && parts.1 == after)
  }
}
