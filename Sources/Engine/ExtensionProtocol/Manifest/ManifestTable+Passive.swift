import PropertyList

/// Keys that manifests from Apple's tools have. Their types are checked, they are kept, and they change nothing.
extension ManifestTable {
  /// Apple's keys at the top of a manifest that have no effect here.
  package static let passive = [
    passive("CFBundleDevelopmentRegion", .string, "The language in which the bundle was written.", "en"),
    passive("CFBundleIconFile", .string, "The file of an icon.", "Icon"),
    passive("CFBundleIconName", .string, "The name of an icon.", "Icon"),
    passive("CFBundleIcons", .dictionary, "Icons for several places.", ["CFBundlePrimaryIcon": "Icon"]),
    passive("CFBundleInfoDictionaryVersion", .string, "The version of the form of property lists.", "6.0"),
    passive("CFBundleLocalizations", .strings, "The languages of the bundle.", ["en"]),
    passive("CFBundleSignature", .string, "The creator's four letters.", "????"),
    passive("CFBundleSupportedPlatforms", .strings, "The systems that it was built for.", ["iPhoneOS"]),
    passive("LSApplicationCategoryType", .string, "What kind of app it is.", "public.app-category.utilities"),
    passive("LSMinimumSystemVersion", .string, "The oldest macOS.", "13.0"),
    passive("LSRequiresIPhoneOS", .bool, "Whether it is for iOS alone.", true),
    passive("MinimumOSVersion", .string, "The oldest iOS.", "16.0"),
    passive("NSHumanReadableCopyright", .string, "Whose work it is.", "Copyright Example Ltd."),
    passive("NSMainStoryboardFile", .string, "The main storyboard of an app.", "Main"),
    passive("NSPrincipalClass", .string, "The main class of an app.", "NSApplication"),
    passive("UIBackgroundModes", .strings, "What an app does in the background.", ["fetch"]),
    passive("UIDeviceFamily", .any, "The kinds of devices.", [1, 2]),
    passive("UILaunchStoryboardName", .string, "The storyboard at the start.", "LaunchScreen"),
    passive("UIMainStoryboardFile", .string, "The main storyboard of an app.", "Main"),
    passive("UIRequiredDeviceCapabilities", .any, "What a device has to have.", ["armv7"]),
    passive(
      "UISupportedInterfaceOrientations", .strings, "How a device may be held.", ["UIInterfaceOrientationPortrait"]),
  ]

  /// Apple's keys of `NSExtensionAttributes` that have no effect here.
  package static let passiveAttributes = [
    passive("NSExtensionServiceAllowsFinderPreviewItem", .any, "An action in the previews of the Finder.", true),
    passive("NSExtensionServiceAllowsToolbarItem", .any, "An action in a toolbar.", true),
    passive("NSExtensionServiceAllowsTouchBarItem", .any, "An action in the Touch Bar.", true),
    passive("NSExtensionServiceFinderPreviewIconName", .any, "Its icon in the Finder.", "Icon"),
    passive("NSExtensionServiceFinderPreviewLabel", .any, "Its name in the Finder.", "Digest"),
    passive("NSExtensionServiceToolbarIconFile", .any, "Its icon in a toolbar.", "Icon"),
    passive("NSExtensionServiceToolbarPaletteLabel", .any, "Its name in a toolbar.", "Digest"),
    passive("NSExtensionServiceTouchBarBezelColorName", .any, "Its colour in the Touch Bar.", "TouchBarBezel"),
    passive("NSExtensionServiceTouchBarIconName", .any, "Its icon in the Touch Bar.", "Icon"),
    passive("NSExtensionServiceTouchBarLabel", .any, "Its name in the Touch Bar.", "Digest"),
  ]

  private static func passive(
    _ name: String, _ type: ManifestKey.ValueType, _ summary: String, _ example: PropertyListValue
  ) -> ManifestKey {
    ManifestKey(name, type, in: .elsewhere).described("\(summary) Without effect here.", example: example)
  }
}
