package import CommandRuntime
import ExtensionHosting
package import ExtensionProtocol
import Files
import Glibc
import PropertyList
internal import PropertyListXML
import Text

/// An extension with its app, its manifests, tests and a README, made of templates.
package struct NewProject: Sendable {
  /// The app's name, and the project's.
  package let name: String
  /// The extension's name.
  package let extensionName: String
  /// The app's bundle identifier.
  package let appIdentifier: String
  /// The extension's bundle identifier.
  package let identifier: String
  /// The programming language of the templates.
  package let language: ProjectLanguage
  /// The extension point.
  package let point: ExtensionPointDefinition
  private let annex: AnnexDependency?

  /// - Parameters:
  ///   - name: the app's name: letters and digits, a letter first.
  ///   - identifier: the app's; when absent, it is made of the name.
  ///   - annex: where a Swift package finds this one.
  /// - Throws: `invalidParams` for a name or an identifier that is none, and for a point without templates.
  package init(
    _ name: String, point: ExtensionPointDefinition, language: ProjectLanguage, identifier: String? = nil,
    annex: AnnexDependency? = nil
  ) throws(ExtensionError) {
    guard Self.isName(name) else {
      throw ExtensionError(
        .invalidParams, "“\(name)” cannot be the name of an app.",
        recovery: "Use letters and digits, a letter first, up to 40: Weather.")
    }
    guard !Self.takenNames.contains(name) else {
      throw ExtensionError(
        .invalidParams, "“\(name)” is the name of a module that the extension imports.", recovery: "Choose another.")
    }
    let app = identifier ?? "org.example.\(name.lowercased())"
    guard ManifestNames.isIdentifier(app) else {
      throw ExtensionError(
        .invalidParams, "“\(app)” is not a bundle identifier.",
        recovery: "Use letters, digits, hyphens and full stops, for example org.example.\(name.lowercased()).")
    }
    guard Self.points(for: language).contains(point.shortName) else {
      throw ExtensionError(
        .invalidParams, "There is no template for \(point.role) in \(language.rawValue).",
        recovery: "There are templates for \(Self.points(for: language).joined(separator: ", ")).")
    }
    guard language != .swift || annex != nil else {
      throw ExtensionError(
        .invalidParams, "A Swift package has to say where this package, annex, is.",
        recovery: "Pass --annex with the folder of its source or the address of its repository.")
    }
    self.name = name
    self.language = language
    self.point = point
    self.annex = annex
    let suffix = Self.suffix(of: point)
    extensionName = name + suffix
    appIdentifier = app
    self.identifier = "\(app).\(suffix.lowercased())"
  }

  private static let takenNames: Set<String> = [
    "AppExtensions", "ContentServices", "DataServices", "ExtensionHosting", "ExtensionTesting", "HostServices",
    "IdentityServices", "NetworkServices", "SessionServices", "Swift", "Testing",
  ]

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 40 else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & ~0x20) }
    return isLetter(first) && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }

  private static func suffix(of point: ExtensionPointDefinition) -> String {
    switch point.shortName {
    case "today": "Widget"
    case "action-ui": "ActionUI"
    case let other: other.prefix(1).uppercased() + other.dropFirst()
    }
  }

  /// The short names of the points that there are templates for.
  package static func points(for language: ProjectLanguage) -> [String] {
    let folder = language.templates + "/"
    let names = EmbeddedFile.written.filter { $0.path.hasPrefix(folder) }.compactMap { file in
      file.path.dropFirst(folder.count).pathParts().first.map(String.init)
    }
    return Set(names).subtracting(["project"]).sorted()
  }

  // MARK: What it is made of

  /// What the registry has to look at to find the extension, below the project.
  package var registered: String { language == .swift ? "Manifests" : "\(name).app" }

  /// Every file with its path in the project.
  ///
  /// - Parameter run: the command that runs it, for the README.
  func files(run: String) -> [(path: String, text: String)] {
    let words = placeholders(run: run)
    func filled(_ text: String) -> String { words.reduce(text) { $0.replacing($1.key, with: $1.value) } }
    let templates = ["project", point.shortName].flatMap { EmbeddedFile.files(below: "\(language.templates)/\($0)") }
    var files = templates.map { (path: filled($0.path), text: filled($0.text)) }
    // A file of this name would hide files of the template itself.
    files = files.map { ($0.path == "gitignore" ? ".gitignore" : $0.path, $0.text) }
    if language != .swift {
      let bundle = "\(name).app/PlugIns/\(extensionName).appex"
      if let client = language.client {
        files += EmbeddedFile.files(below: client.folder).map { ("\(bundle)/\(client.place)/\($0.path)", $0.text) }
      }
      files += [("\(name).app/Info.plist", text(of: appManifest)), ("\(bundle)/Info.plist", text(of: manifest))]
    } else {
      files += [
        ("Manifests/\(name).plist", text(of: appManifest)), ("Manifests/\(extensionName).plist", text(of: manifest)),
      ]
    }
    return files
  }

  private func placeholders(run: String) -> KeyValuePairs<String, String> {
    [
      "__ANNEX_PACKAGE__": annex?.package ?? "", "__ANNEX__": annex?.declaration ?? "", "__APP_ID__": appIdentifier,
      "__APP__": name, "__NAME__": extensionName, "__ID__": identifier, "__ROLE__": point.role, "__RUN__": run,
    ]
  }

  private func text(of manifest: [String: PropertyListValue]) -> String {
    XMLPropertyListWriter.document(.dictionary(manifest)) ?? ""
  }

  private var group: PropertyListValue { .array([.string("group.\(appIdentifier)")]) }

  private func common(_ identifier: String, _ executable: String?) -> [String: PropertyListValue] {
    var annex: [String: PropertyListValue] = [:]
    if executable == nil {
      // An app need not have a program.
    } else if let interpreter = language.interpreter {
      annex["Interpreter"] = .string(interpreter.program)
      if !interpreter.arguments.isEmpty {
        annex["InterpreterArguments"] = .array(interpreter.arguments.map { .string($0) })
      }
    } else if language == .swift {
      annex["Products"] = .string("../.build/debug")
    }
    var manifest: [String: PropertyListValue] = [
      "CFBundleIdentifier": .string(identifier), "CFBundleName": .string(name),
      "CFBundleShortVersionString": .string("1.0"), "CFBundleVersion": .string("1"),
      "Entitlements": .dictionary(["com.apple.security.application-groups": group]),
    ]
    manifest["CFBundleExecutable"] = executable.map { .string($0) }
    if !annex.isEmpty { manifest["Annex"] = .dictionary(annex) }
    return manifest
  }

  /// The executable of the app; `nil` where the templates have none.
  private var appExecutable: String? { language == .swift ? name : language.scripts?.app }

  private var appManifest: [String: PropertyListValue] {
    var manifest = common(appIdentifier, appExecutable)
    manifest["CFBundlePackageType"] = .string("APPL")
    guard appExecutable != nil else { return manifest }
    manifest["CFBundleURLTypes"] = .array([
      .dictionary([
        "CFBundleURLName": .string(appIdentifier), "CFBundleURLSchemes": .array([.string(name.lowercased())]),
      ])
    ])
    return manifest
  }

  private var manifest: [String: PropertyListValue] {
    var manifest = common(identifier, language.scripts?.extension ?? extensionName)
    manifest["CFBundlePackageType"] = .string("XPC!")
    var entry: [String: PropertyListValue] = ["NSExtensionPointIdentifier": .string(point.point.rawValue)]
    if point.takesItems {
      entry["NSExtensionAttributes"] = .dictionary([
        "NSExtensionActivationRule": .dictionary([
          "NSExtensionActivationSupportsText": .bool(true),
          "NSExtensionActivationSupportsAttachmentsWithMaxCount": .integer(10),
        ])
      ])
    }
    switch point.shortName {
    case "photo": entry["NSExtensionAttributes"] = ["PHSupportedMediaTypes": ["Image"]]
    case "keyboard": entry["NSExtensionAttributes"] = ["IsASCIICapable": true, "PrimaryLanguage": "en-US"]
    case "picker":
      entry["NSExtensionAttributes"] = [
        "UIDocumentPickerModes": ["UIDocumentPickerModeImport"],
        "UIDocumentPickerSupportedFileTypes": ["public.content", "public.data"],
      ]
    case "provider": entry["NSExtensionFileProviderDocumentGroup"] = .string("group.\(appIdentifier)")
    default: break
    }
    manifest["NSExtension"] = .dictionary(entry)
    return manifest
  }

  // MARK: Writing

  /// Writes the project, whole or not at all.
  ///
  /// - Parameters:
  ///   - folder: where the project's own folder is made.
  ///   - run: the command that runs the extension when the project is the current folder.
  /// - Returns: the paths of the files, in the project.
  /// - Throws: `storeFailed` when something of the name is there, or a file cannot be written.
  package func write(into folder: String, run: String) throws(ExtensionError) -> [String] {
    let target = "\(folder)/\(name)"
    guard FileStatus(target) == nil else {
      throw ExtensionError(
        .storeFailed, "\(target) is there already, and nothing is overwritten.",
        recovery: "Choose another name, or another folder with --into.")
    }
    let files = files(run: run)
    do throws(FileError) {
      try FolderDraft.write(target) { draft throws(FileError) in
        for file in files { try draft.write(Array(file.text.utf8), to: file.path) }
      }
    } catch {
      throw ExtensionError(error, recovery: "Choose a folder that you can write, with --into.")
    }
    return files.map(\.path).sorted()
  }
}
