import HostServices
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The attributes of an extension` {
  typealias Bad = ManifestValues.Bad

  static func manifest(
    _ point: ExtensionPoint, _ attributes: [String: PropertyListValue], section: [String: PropertyListValue] = [:]
  ) -> PropertyListValue {
    let keys: [String: PropertyListValue] = [
      "NSExtensionPointIdentifier": .string(point.rawValue), "NSExtensionAttributes": .dictionary(attributes),
    ]
    return ManifestValues.widget(extension: keys.merging(section) { _, new in new })
  }

  private static func attribute(_ point: ExtensionPoint, _ key: String, _ value: PropertyListValue) -> Bad {
    Bad("NSExtension.NSExtensionAttributes.\(key)", manifest(point, [key: value]))
  }

  private static func element(
    _ point: ExtensionPoint, _ key: String, _ value: PropertyListValue, _ index: Int = 0,
    beside others: [String: PropertyListValue] = [:]
  ) -> Bad {
    Bad(
      "NSExtension.NSExtensionAttributes.\(key)[\(index)]",
      manifest(point, others.merging([key: value]) { _, new in new }))
  }

  private static let imports: [String: PropertyListValue] = ["UIDocumentPickerModes": ["UIDocumentPickerModeImport"]]
  private static let webPages = "NSExtensionActivationSupportsWebPageWithMaxCount"

  private static func preprocessing(_ file: PropertyListValue, _ rule: PropertyListValue) -> PropertyListValue {
    manifest(.share, ["NSExtensionJavaScriptPreprocessingFile": file, "NSExtensionActivationRule": rule])
  }

  static let wrong: [Bad] = [
    attribute(.photoEditing, "PHSupportedMediaTypes", "Image"), attribute(.photoEditing, "PHSupportedMediaTypes", []),
    element(.photoEditing, "PHSupportedMediaTypes", ["Image", "Smell"], 1),
    element(.photoEditing, "PHSupportedMediaTypes", ["image"]), element(.photoEditing, "PHSupportedMediaTypes", [1]),
    attribute(.documentPicker, "UIDocumentPickerModes", "UIDocumentPickerModeImport"),
    attribute(.documentPicker, "UIDocumentPickerModes", []),
    Bad("NSExtension.NSExtensionAttributes.UIDocumentPickerModes", manifest(.documentPicker, [:])),
    element(.documentPicker, "UIDocumentPickerModes", [1]),
    element(.documentPicker, "UIDocumentPickerModes", ["UIDocumentPickerModeOpen", "Import"], 1),
    element(.documentPicker, "UIDocumentPickerSupportedFileTypes", ["text"], beside: imports),
    element(.documentPicker, "UIDocumentPickerSupportedFileTypes", ["public.text", 5], 1, beside: imports),
    Bad(
      "NSExtension.NSExtensionAttributes.UIDocumentPickerSupportedFileTypes",
      manifest(
        .documentPicker, imports.merging(["UIDocumentPickerSupportedFileTypes": "public.text"]) { _, new in new })),
    attribute(.keyboard, "IsASCIICapable", 1), attribute(.keyboard, "PrefersRightToLeft", "NO"),
    attribute(.keyboard, "RequestsOpenAccess", 0), attribute(.keyboard, "PrimaryLanguage", true),
    attribute(.keyboard, "PrimaryLanguage", ""), attribute(.keyboard, "PrimaryLanguage", "English (US)"),
    attribute(.keyboard, "PrimaryLanguage", "en_US"), attribute(.keyboard, "PrimaryLanguage", "en-"),
    attribute(.keyboard, "PrimaryLanguage", "e"), attribute(.keyboard, "PrimaryLanguage", "en-somethinglong"),
    Bad(
      "NSExtension.NSExtensionAttributes.NSExtensionServiceRoleType",
      manifest(
        .action, ["NSExtensionServiceRoleType": "Cook", "NSExtensionActivationRule": ["SupportsText": true]])),
    Bad(
      "NSExtension.NSExtensionAttributes.NSExtensionServiceRoleType",
      manifest(.action, ["NSExtensionServiceRoleType": 1, "NSExtensionActivationRule": ["SupportsText": true]])),
    Bad(
      "NSExtension.NSExtensionAttributes.NSExtensionActivationRule.\(webPages)",
      preprocessing("Page", ["NSExtensionActivationSupportsText": true])),
    Bad(
      "NSExtension.NSExtensionAttributes.NSExtensionActivationRule.\(webPages)", preprocessing("Page", [webPages: 0])),
    Bad("NSExtension.NSExtensionAttributes.NSExtensionJavaScriptPreprocessingFile", preprocessing(3, [webPages: 1])),
    Bad("NSExtension.NSExtensionAttributes.NSExtensionJavaScriptPreprocessingFile", preprocessing("", [webPages: 1])),
    Bad(
      "NSExtension.NSExtensionAttributes.NSExtensionJavaScriptPreprocessingFile", preprocessing("a.js", [webPages: 1])),
    Bad(
      "NSExtension.NSExtensionAttributes.NSExtensionJavaScriptPreprocessingFile", preprocessing("../a", [webPages: 1])),
    Bad(
      "NSExtension.NSExtensionPrincipalClass",
      ManifestValues.widget(extension: ["NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).Main"])),
    Bad(
      "NSExtension.NSExtensionAttributes.NSExtensionActivationRule.\(webPages)",
      preprocessing("Page", ["NSExtensionActivationSupportsWebURLWithMaxCount": 0])),
    Bad(
      "NSExtension.NSExtensionPrincipalClass", ManifestValues.widget(extension: ["NSExtensionPrincipalClass": "Clock."])
    ),
    Bad("NSExtension.NSExtensionPrincipalClass", ManifestValues.widget(extension: ["NSExtensionPrincipalClass": 1])),
    Bad("NSExtension.NSExtensionMainStoryboard", ManifestValues.widget(extension: ["NSExtensionMainStoryboard": []])),
    Bad(
      "NSExtension.NSExtensionOverridesHostUIAppearance",
      ManifestValues.widget(extension: ["NSExtensionOverridesHostUIAppearance": "YES"])),
    Bad("CFBundleDocumentTypes[0]", ManifestValues.app(["CFBundleDocumentTypes": ["public.text"]])),
    Bad(
      "CFBundleDocumentTypes[0].LSItemContentTypes[1]",
      ManifestValues.app(["CFBundleDocumentTypes": [["LSItemContentTypes": ["public.text", "text"]]]])),
    Bad(
      "NSExtension.NSExtensionActionWantsFullScreenPresentation",
      manifest(
        .action, ["NSExtensionActivationRule": "FALSEPREDICATE"],
        section: ["NSExtensionActionWantsFullScreenPresentation": 1])),
    Bad(
      "NSExtension.NSExtensionFileProviderDocumentGroup",
      manifest(.fileProvider, [:], section: ["NSExtensionFileProviderDocumentGroup": "group.com.example.none"])),
    Bad("NSExtension.NSExtensionAttributes.NSExtensionActivationRule", manifest(.share, [:])),
  ]

  @Test func `with a file for web pages and a rule for web addresses deserve a look`() {
    let value = Self.preprocessing("Page", ["NSExtensionActivationSupportsWebURLWithMaxCount": 1])
    let validation = ManifestValidation(value)
    #expect(validation.manifest != nil && validation.problems.map(\.severity) == [.warning])
    #expect(validation.problems.map(\.keyPath) == ["NSExtension.NSExtensionAttributes.NSExtensionActivationRule"])
  }

  @Test(arguments: wrong) func `that are wrong are refused by their key path`(bad: Bad) {
    let validation = ManifestValidation(bad.value)
    #expect(validation.manifest == nil)
    let errors = validation.problems.filter { $0.severity == .error }
    #expect(errors.map(\.keyPath) == [bad.keyPath])
    #expect(errors.allSatisfy { $0.message.hasSuffix(".") && $0.recovery.hasSuffix(".") })
  }

  @Test(
    arguments: [
      manifest(.photoEditing, [:]),
      manifest(.photoEditing, ["PHSupportedMediaTypes": ["Image", "Video", "LivePhoto"]]),
      manifest(
        .documentPicker,
        [
          "UIDocumentPickerModes": [
            "UIDocumentPickerModeImport", "UIDocumentPickerModeOpen", "UIDocumentPickerModeExportToService",
            "UIDocumentPickerModeMoveToService",
          ], "UIDocumentPickerSupportedFileTypes": ["public.content", "public.data"],
        ]),
      manifest(
        .keyboard,
        ["IsASCIICapable": true, "PrefersRightToLeft": true, "PrimaryLanguage": "ar", "RequestsOpenAccess": true]),
      manifest(.keyboard, ["PrimaryLanguage": "mul"]), manifest(.keyboard, ["PrimaryLanguage": "zh-Hant-TW"]),
      manifest(
        .action,
        [
          "NSExtensionServiceRoleType": "NSExtensionServiceRoleTypeViewer",
          "NSExtensionActivationRule": "FALSEPREDICATE",
          "NSExtensionJavaScriptPreprocessingFile": "scripts/Page", "NSExtensionServiceAllowsFinderPreviewItem": true,
          "NSExtensionServiceToolbarPaletteLabel": "Tones", "NSExtensionServiceTouchBarBezelColorName": "TouchBarBezel",
        ]),
      preprocessing("Page", ["NSExtensionActivationSupportsWebPageWithMaxCount": 1]),
      ManifestValues.widget(extension: ["NSExtensionPrincipalClass": "TodayViewController"]),
      ManifestValues.widget(extension: ["NSExtensionMainStoryboard": "MainInterface"]),
      ManifestValues.app([
        "CFBundleDocumentTypes": [["LSItemContentTypes": ["public.text"], "CFBundleTypeName": "Text"]]
      ]
      ),
    ])
  func `that are right are told no problem`(value: PropertyListValue) {
    #expect(ManifestValidation(value).problems == [])
  }

  @Test(arguments: ["NSExtension", "NSExtension.NSExtensionAttributes"])
  func `may ask for the full screen in either place`(place: String) {
    let rule: [String: PropertyListValue] = ["NSExtensionActivationRule": "FALSEPREDICATE"]
    var attributes = rule
    var section: [String: PropertyListValue] = ["NSExtensionPointIdentifier": "com.apple.ui-services"]
    if place == "NSExtension" {
      section["NSExtensionActionWantsFullScreenPresentation"] = true
    } else {
      attributes["NSExtensionActionWantsFullScreenPresentation"] = true
    }
    section["NSExtensionAttributes"] = .dictionary(attributes)
    let validation = ManifestValidation(ManifestValues.widget(extension: section))
    #expect(validation.problems == [] && validation.manifest.map(Action.wantsFullScreenPresentation) == true)
  }

  @Test(
    arguments: [
      ("NSExtensionActivationRule", "FALSEPREDICATE"), ("NSExtensionJavaScriptPreprocessingFile", "Page"),
      ("NSExtensionServiceRoleType", "NSExtensionServiceRoleTypeEditor"), ("PHSupportedMediaTypes", ["Image"]),
      ("UIDocumentPickerModes", ["UIDocumentPickerModeImport"]),
      ("UIDocumentPickerSupportedFileTypes", ["public.text"]),
      ("IsASCIICapable", true), ("PrefersRightToLeft", false), ("PrimaryLanguage", "en-US"),
      ("RequestsOpenAccess", false), ("NSExtensionActionWantsFullScreenPresentation", true),
    ] as [(String, PropertyListValue)])
  func `of another extension point are kept with a warning`(key: String, value: PropertyListValue) {
    let validation = ManifestValidation(Self.manifest(.today, [key: value]))
    #expect(validation.problems.map(\.severity) == [.warning])
    #expect(validation.problems.map(\.keyPath) == ["NSExtension.NSExtensionAttributes.\(key)"])
    #expect(validation.manifest?.attributes[key] == value)
  }

  @Test func `that stand in the wrong dictionary are told their place`() {
    let outside = ManifestValidation(
      ManifestValues.widget(extension: ["RequestsOpenAccess": true])
    ).problems
    #expect(outside.map(\.recovery) == ["Move it to NSExtension.NSExtensionAttributes."])
    let inside = ManifestValidation(Self.manifest(.fileProvider, ["NSExtensionFileProviderDocumentGroup": "group.a.b"]))
    #expect(inside.problems.map(\.recovery).contains("Move it to NSExtension."))
  }

  @Test func `ask for open access at a keyboard only`() {
    func asked(_ point: ExtensionPoint) -> [AskedPermission]? {
      ManifestValidation(Self.manifest(point, ["RequestsOpenAccess": true])).manifest?.askedPermissions
    }
    #expect(asked(.keyboard) == [AskedPermission("open-access")] && asked(.today) == [])
  }
}
