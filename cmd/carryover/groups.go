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
func (a *app) commandGroups() []commandGroup {
	return []commandGroup{
		{groupSetUp, []*cobra.Command{a.installCommand(), a.refreshCommand(), a.uninstallCommand(), a.importCommand(), a.configCommand()}},
		{groupUse, []*cobra.Command{
			a.handoffCommand(), a.switchCommand(), a.dismissCommand(), a.searchCommand(), a.showCommand(), a.distillCommand(),
		}},
		{groupLook, []*cobra.Command{
			a.statusCommand(), a.dashboardCommand(), a.historyCommand(), a.seamCommand(), a.ledgerCommand(), a.projectsCommand(), a.statsCommand(),
		}},
		{groupMaintain, []*cobra.Command{
			a.doctorCommand(), a.daemonCommand(), a.forgetCommand(), a.repairCommand(), a.exportCommand(), a.toolspecsCommand(), a.versionCommand(),
		}},
		{groupAgents, []*cobra.Command{a.runCommand(), a.continuityCommand(), a.mcpCommand()}},
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
