import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

/// An extension for a point that a host app has defined.
///
/// ```swift
/// @main struct Plain: PointExtension {
///   typealias Point = Renderer
///
///   var methods: [PointHandler] {
///     [PointHandler(Renderer.Render.self) { params, context in .init(html: "<pre>\(params.page)</pre>") }]
///   }
/// }
/// ```
///
/// The handlers are compared with the definition when the process starts: when one is missing, or is for a method that the
/// point does not have, the program says so on standard error and ends with the status 70.
public protocol PointExtension: AppExtension {
  /// The point.
  associatedtype Point: PointContract
  /// The handlers, one for each method of the point that the extension serves.
  var methods: [PointHandler] { get }
}

extension PointExtension {
  /// The definition of ``Point``.
  public static var points: [ExtensionPointDefinition] { [Point.definition] }

  /// The methods of the point, and those that go with items where the point has items.
  public var handlers: [SessionHandler] {
    let common = Point.definition.commonCalls.flatMap { $0.calls }.map(\.method)
    let own = methods.map { SessionHandler($0) }
    return own + OpenRequests().handlers.filter { handler in common.contains(handler.method) }
  }
}

extension AppExtension {
  /// Serves the host on standard input and output until the host closes the channel. Standard output belongs to the
  /// channel: `print` writes to standard error, which the host collects.
  ///
  /// A program whose handlers do not fit its extension point reports that on standard error and exits with status 70.
  public static func main() {
    ExtensionMain.run(Self.self, starts: Features.starts) { Self().allHandlers }
  }
}
