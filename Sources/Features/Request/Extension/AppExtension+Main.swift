import Contracts
public import ExtensionRuntime

extension AppExtension {
  /// Serves the host on standard input and output until it hangs up. Standard output belongs to the channel: `print`
  /// goes to standard error, which the host collects.
  /// A program whose handlers do not fit its extension point says so on standard error and ends with the status 70.
  public static func main() {
    ExtensionMain.run(Self.self, starts: Features.starts) { Self().allHandlers }
  }
}
