import Contracts
public import ExtensionRuntime

extension AppExtension {
  /// Serves the host on standard input and output until the host closes the channel. Standard output belongs to the
  /// channel: `print` writes to standard error, which the host collects.
  ///
  /// A program whose handlers do not fit its extension point reports that on standard error and exits with status 70.
  public static func main() {
    ExtensionMain.run(Self.self, starts: Features.starts) { Self().allHandlers }
  }
}
