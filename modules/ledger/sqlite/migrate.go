package sqlite

import (
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	driver "github.com/glebarez/go-sqlite"
	"gorm.io/gorm"

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

// migrate brings the file to the newest schema.
func migrate(db *gorm.DB) error {
	pool, err := db.DB()
	if err != nil {
		return err
	}
	version, err := schemaVersion(pool)
	if err != nil {
		return err
	}
	names := migrationNames()
	if version > len(names) {
		return ledger.ErrTooNew
	}
	for i := version; i < len(names); i++ {
		script, err := migrations.ReadFile(names[i])
		if err != nil {
			return err
		}
		// The version is in the transaction: either both are there or none.
		err = db.Transaction(func(tx *gorm.DB) error {
			if err := tx.Exec(string(script)).Error; err != nil {
				return err
			}
			return tx.Exec(fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", i+1, applicationID)).Error
		})
		if err != nil {
			return fmt.Errorf("%s: %w", strings.TrimPrefix(names[i], "migration/"), err)
		}
	}
	return nil
}

// checkVersion refuses a file that this version cannot read.
func checkVersion(db *sql.DB) error {
	version, err := schemaVersion(db)
	if err != nil {
		return err
	}
	if version > len(migrationNames()) {
		return ledger.ErrTooNew
	}
	return nil
}

func schemaVersion(db *sql.DB) (version int, err error) {
	err = db.QueryRow("PRAGMA user_version").Scan(&version)
	return version, err
}

// damaged adds ledger.ErrCorrupt to an error by which SQLite says that the
// file is not, or no longer, a database (SQLITE_CORRUPT, SQLITE_NOTADB).
func damaged(err error) error {
	var failed *driver.Error
	if errors.As(err, &failed) {
		if code := failed.Code() & 0xff; code == 11 || code == 26 {
			return fmt.Errorf("%w: %w", ledger.ErrCorrupt, err)
		}
	}
	return err
}
