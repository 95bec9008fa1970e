package main

import "github.com/spf13/cobra"

// The groups that `carryover --help` lists commands under.
const (
	groupSetUp    = "Set up"
	groupUse      = "Use"
	groupLook     = "Look"
	groupMaintain = "Maintain"
	groupAgents   = "Other agents"
)

// commandGroup is one heading of the help with its commands.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

// commandGroups are all commands, in the order of the help.
func commandGroups(a *app) []commandGroup {
	return []commandGroup{
		{groupSetUp, []*cobra.Command{newInstallCommand(a), newRefreshCommand(a), newUninstallCommand(a), newImportCommand(a), newConfigCommand(a)}},
		{groupUse, []*cobra.Command{
			newHandoffCommand(a), newSwitchCommand(a), newDismissCommand(a), newSearchCommand(a), newShowCommand(a), newDistillCommand(a),
		}},
		{groupLook, []*cobra.Command{
			newStatusCommand(a), newDashboardCommand(a), newHistoryCommand(a), newSeamCommand(a), newLedgerCommand(a), newProjectsCommand(a), newStatsCommand(a),
		}},
		{groupMaintain, []*cobra.Command{
			newDoctorCommand(a), newDaemonCommand(a), newForgetCommand(a), newRepairCommand(a), newExportCommand(a), newToolspecsCommand(a), newVersionCommand(a),
		}},
		{groupAgents, []*cobra.Command{newRunCommand(a), newContinuityCommand(a), newMCPCommand(a)}},
	}
}

// leadWithSummary lets the help of every command begin with its summary: the library
// prints the long text in place of the short one.
func leadWithSummary(cmd *cobra.Command) {
	if cmd.Long != "" && cmd.Short != "" {
		cmd.Long = cmd.Short + ".\n\n" + cmd.Long
	}
	for _, child := range cmd.Commands() {
		leadWithSummary(child)
	}
}
