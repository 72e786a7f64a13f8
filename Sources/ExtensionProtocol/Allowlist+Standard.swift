extension Allowlist {
  private static let today: [ExtensionPoint] = [.today]
  private static let widgets: [ExtensionPoint] = [.today, .containingApp]
  private static let keyboard: [ExtensionPoint] = [.keyboard]
  private static let allButKeyboard = ExtensionPoint.all.filter { $0 != .keyboard } + [.containingApp]
  private static let app: [ExtensionPoint] = [.containingApp]
  private static let photo: [ExtensionPoint] = [.photoEditing]
  private static let documents: [ExtensionPoint] = [.documentPicker, .fileProvider]

  /// The project's table. The rows that name a method count before those with its prefix; of them the first that is open
  /// to the point decides.
  ///
  /// Rows may be about methods that a host does not serve: it answers `methodNotFound` then, and `host api` says so.
  public static let standard = Allowlist([
    // method               points           entitlement  permissions                               rule
    Row("$/*", nil, nil, "The wire's own messages are open to everybody."),

    // The request that an extension was started for
    Row("context/*", nil, nil, "An extension ends its own requests; the broker checks that they are its own."),
    Row("item/*", nil, nil, "An extension loads the items of its own requests."),
    Row("uti/*", nil, nil, "Types and what they conform to are no secret."),

    // What is shared with the containing app
    Row("defaults/get", nil, nil, "The suite must be an app group of the extension and of its containing app."),
    Row("defaults/all", nil, nil, "The suite must be an app group of the extension and of its containing app."),
    Row("defaults/observe", nil, nil, "The suite must be an app group of the extension and of its containing app."),
    Row("defaults/follow", nil, nil, "The suite must be an app group of the extension and of its containing app."),
    Row(
      "defaults/*", allButKeyboard, nil, "The suite must be an app group of the extension and of its containing app."),
    Row(
      "defaults/*", keyboard, nil, permissions: ["open-access"],
      "A keyboard writes to its app groups only with open access; it may always read them."),
    Row("container/*", nil, nil, "A container must be an app group's of the extension and of its containing app."),

    // What leads out of the sandbox
    Row(
      "content/*", allButKeyboard, "content", "The host fetches AEM content; name \"content\" among the entitlements."),
    Row(
      "content/*", keyboard, "content", permissions: ["open-access"],
      "A keyboard reaches the network only with open access; name \"content\" among the entitlements."),
    Row(
      "network/*", allButKeyboard, nil, permissions: ["network"],
      "The host sends the request, to a server that Annex.Network names; the user has to agree."),
    Row(
      "network/*", keyboard, nil, permissions: ["network", "open-access"],
      "A keyboard reaches the network only with open access, and the servers that Annex.Network names."),
    Row("session/eventsHandled", app, nil, "Only the containing app handles the events of sessions that outlived it."),
    Row(
      "session/*", allButKeyboard, nil, permissions: ["network"],
      "Transfers go to servers that Annex.Network names; the user has to agree."),
    Row(
      "session/*", keyboard, nil, permissions: ["network", "open-access"],
      "A keyboard transfers only with open access, and to servers that Annex.Network names."),
    Row("url/open", today, nil, "Only a Today widget may open URLs, and only its containing app's."),

    // One extension point each
    Row(
      "widget/reloadTimelines", app, nil, "Only the containing app reloads timelines; a widget waits for its update."),
    Row("widget/*", widgets, nil, "Widget calls belong to Today widgets and their containing app."),
    Row("share/*", [.share], nil, "Share calls belong to Share extensions."),
    Row("photo/*", photo, nil, "Photo calls belong to Photo Editing extensions."),
    Row("picker/*", [.documentPicker], nil, "Picker calls belong to Document Pickers."),
    Row("provider/*", documents, nil, "Provider calls belong to File Providers and their Document Pickers."),
    Row("keyboard/*", keyboard, nil, "Keyboard calls belong to Custom Keyboards."),

    // Asking
    Row("permission/*", nil, nil, "An extension may ask its user for what its manifest asks for."),
    Row("api/*", nil, nil, "An extension may tell what the sandbox refused it, and hear what to use instead."),
  ])
}
