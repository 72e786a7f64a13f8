package import CommandLineTool
package import Conformance

/// The tool that a command belongs to: the features that it was built with, and its command line.
package struct HostTool: Sendable {
  /// The product's version, apart from the protocol's.
  package static let version = "0.1.0"

  /// The features that have commands, in the order in which help lists them.
  package let features: [any CommandFeature.Type]
  /// The checks that `host conform` tries.
  package let checks: CheckList
  /// The libraries of the second program; `nil` in the tool itself, which has only the commands that need none of them.
  package let libraries: (any ToolLibraries)?
  /// Every command with its options, as the user calls the tool: parsing, help and completions are made from it.
  package let tree: Command

  /// Describes a tool.
  ///
  /// - Parameters:
  ///   - features: the features that have commands.
  ///   - checks: the checks that `host conform` tries.
  ///   - libraries: the libraries of the second program.
  ///   - tree: the command line with the commands of the tool and of the features.
  package init(
    features: [any CommandFeature.Type], checks: CheckList, libraries: (any ToolLibraries)?, tree: Command
  ) {
    self.features = features
    self.checks = checks
    self.libraries = libraries
    self.tree = tree
  }
}
