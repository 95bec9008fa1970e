package db

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/carryover-go/carryover/modules/ledger"
)

// migrations are applied in order of their names, each once, none ever undone.
// The number of those applied is the file's user_version.
//
//go:embed migration/*.sql
var migrations embed.FS

// applicationID marks the file as a ledger for file(1): "CRYO".
const applicationID = 0x4352594f

func migrationNames() []string {
	names, err := fs.Glob(migrations, "migration/*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	return names
}

// stepMark is the line of a migration at which its step is done.
const stepMark = "-- (step)\n"

// migrate brings the file to the newest schema.
func (f *File) migrate(ctx context.Context) error {
	version, err := schemaVersion(f.write)
	if err != nil {
		return Damaged(err)
	}
	f.from = version
	names := migrationNames()
	if version > len(names) {
		return ledger.ErrTooNew
	}
	if version == 0 { // readers see a new file whole or not at all
		return f.InTx(ctx, "schema", func(tx *sql.Tx) error {
			for i, name := range names {
				if err := f.apply(ctx, tx, i, name); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for i := version; i < len(names); i++ {
		if err := f.InTx(ctx, strings.TrimPrefix(names[i], "migration/"), func(tx *sql.Tx) error { return f.apply(ctx, tx, i, names[i]) }); err != nil {
			return err
		}
	}
	return nil
}

// apply does one migration. The version is in its transaction: either both are there or
// none.
func (f *File) apply(ctx context.Context, tx *sql.Tx, i int, name string) error {
	script, err := migrations.ReadFile(name)
	if err != nil {
		return err
	}
	before, after, _ := strings.Cut(string(script), stepMark)
	if _, err := tx.ExecContext(ctx, before); err != nil {
		return err
	}
	if i+1 == summedSchema {
		if err := fillSums(ctx, tx); err != nil {
			return err
		}
	}
	if step := f.steps[i+1]; step != nil {
		if err := step(ctx, tx); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, after); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", i+1, applicationID))
	return err
}

func schemaVersion(db *sql.DB) (version int, err error) {
	err = db.QueryRow("PRAGMA user_version").Scan(&version)
	return version, err
}
