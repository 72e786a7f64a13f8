import Contracts
import FeatureChecks
import FeatureCommands
import HostCLI

HostCommand(features: Features.commands, checks: Features.checks).main()
