package main

import (
	"github.com/spf13/cobra"

	"github.com/carryover-go/carryover/cmd/carryover/internal/agents"
	"github.com/carryover-go/carryover/cmd/carryover/internal/cli"
	"github.com/carryover-go/carryover/cmd/carryover/internal/installation"
	"github.com/carryover-go/carryover/cmd/carryover/internal/keep"
	"github.com/carryover-go/carryover/cmd/carryover/internal/look"
)

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
func commandGroups(a *cli.App) []commandGroup {
	return []commandGroup{
		{groupSetUp, []*cobra.Command{
			installation.NewInstallCommand(a), installation.NewRefreshCommand(a), installation.NewUninstallCommand(a),
			keep.NewImportCommand(a), installation.NewConfigCommand(a), installation.NewStatusLineCommand(a),
		}},
		{groupUse, []*cobra.Command{
			look.NewHandoffCommand(a), agents.NewOpenCommand(a), agents.NewSwitchCommand(a), keep.NewDismissCommand(a),
			look.NewSearchCommand(a), look.NewShowCommand(a), look.NewDistillCommand(a),
		}},
		{groupLook, []*cobra.Command{
			look.NewStatusCommand(a), look.NewWhyCommand(a), look.NewDashboardCommand(a), look.NewSessionsCommand(a), look.NewHistoryCommand(a),
			look.NewBlameCommand(a), look.NewSeamCommand(a),
			look.NewLedgerCommand(a), keep.NewProjectsCommand(a), look.NewSecretsCommand(a), look.NewStatsCommand(a),
		}},
		{groupMaintain, []*cobra.Command{
			installation.NewDoctorCommand(a), installation.NewDaemonCommand(a), keep.NewForgetCommand(a), keep.NewRepairCommand(a),
			keep.NewExportCommand(a), keep.NewRescueCommand(a), keep.NewRestoreFileCommand(a), installation.NewToolspecsCommand(a), installation.NewVersionCommand(a),
		}},
		{groupAgents, []*cobra.Command{agents.NewRunCommand(a), agents.NewACPCommand(a), agents.NewContinuityCommand(a), agents.NewMCPCommand(a)}},
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
