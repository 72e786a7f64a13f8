extension TypeSystemCheck {
  /// Reports required arguments and input fields that are deprecated, since no caller can omit them.
  func requiredInputs(_ errors: inout ErrorList) {
    for (owner, input) in inputs {
      guard case .nonNull = input.type, input.defaultValue == nil, let directive = input.directives["deprecated"]
      else { continue }
      errors.add(
        "\(owner.shownInError) is required and cannot be deprecated.", fix: "Let it be null, or give it a default.",
        code: "RequiredInputs", at: directive.position)
    }
  }
}
