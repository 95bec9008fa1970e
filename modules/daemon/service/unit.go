// Package service has the daemon started at login: by systemd's user manager on
// Linux, by launchd on macOS, by a task of the user's on Windows. Where none runs
// (containers, WSL without systemd) nothing is registered and the caller starts the
// daemon plainly.
package service

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// Names under which the daemon is registered.
const (
	unitName = "carryover.service"
	label    = "dev.carryover.daemon"
	taskName = "Carryover"
)

// Unit is what is registered: a program and the home it serves.
type Unit struct {
	Program string // carryoverd, absolute
	Home    string
}

// Systemd is the unit file. Restarting is for crashes only: a daemon that was
// stopped stays stopped.
func (u Unit) Systemd() string {
	return fmt.Sprintf(`[Unit]
Description=Carryover: carries the work of one agent session into the next

[Service]
ExecStart=%s --home %s
Restart=on-failure
RestartSec=5

[Install]
WantedBy=default.target
`, systemdQuote(u.Program), systemdQuote(u.Home))
}

// systemdQuote writes a word of a command line as systemd reads it: in double
// quotes, with specifiers and variables kept from expanding.
func systemdQuote(word string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$").Replace(word) + `"`
}

// Launchd is the property list of a launch agent.
func (u Unit) Launchd() string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>` + label + `</string>
	<key>ProgramArguments</key>
	<array>
		<string>` + xmlText(u.Program) + `</string>
		<string>--home</string>
		<string>` + xmlText(u.Home) + `</string>
	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>Crashed</key>
		<true/>
	</dict>
	<key>ProcessType</key>
	<string>Background</string>
</dict>
</plist>
`
}

// Task is a task for Windows' Task Scheduler that runs at the login of a user
// ("DOMAIN\name"), as that user, for as long as it likes, on battery too. One that
// crashed is started again within a minute.
func (u Unit) Task(user string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
	<RegistrationInfo>
		<Description>Carryover: carries the work of one agent session into the next</Description>
	</RegistrationInfo>
	<Triggers>
		<LogonTrigger>
			<UserId>` + xmlText(user) + `</UserId>
		</LogonTrigger>
	</Triggers>
	<Principals>
		<Principal id="user">
			<UserId>` + xmlText(user) + `</UserId>
			<LogonType>InteractiveToken</LogonType>
			<RunLevel>LeastPrivilege</RunLevel>
		</Principal>
	</Principals>
	<Settings>
		<MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
		<DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
		<StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
		<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
		<RestartOnFailure>
			<Interval>PT1M</Interval>
			<Count>3</Count>
		</RestartOnFailure>
	</Settings>
	<Actions Context="user">
		<Exec>
			<Command>` + xmlText(`"`+u.Program+`"`) + `</Command>
			<Arguments>--home ` + xmlText(`"`+strings.TrimRight(u.Home, `\`)+`"`) + `</Arguments>
		</Exec>
	</Actions>
</Task>
`
}

func xmlText(text string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic(err) // a bytes.Buffer does not fail
	}
	return b.String()
}
