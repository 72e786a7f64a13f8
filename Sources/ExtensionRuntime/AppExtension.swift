/// A program that a host runs for one extension point. Authors conform to the protocol of their point
/// (`TodayExtension`, `ShareExtension`, …), mark the type `@main`, and write no `main` of their own.
public protocol AppExtension: Sendable {
  init()
  /// What the extension serves; the point's protocol provides it.
  var handlers: [SessionHandler] { get }
}

extension AppExtension {
  /// Serves the host on standard input and output until it hangs up. Standard output belongs to the channel: `print`
  /// goes to standard error, which the host collects.
  public static func main() {
    ExtensionMain.run(handlers: Self().handlers)
  }
}
