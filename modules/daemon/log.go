package daemon

import (
	"os"
	"path/filepath"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/carryover-go/carryover/modules/daemon/home"
)

// newLog writes JSON lines to the home's log file, rotated at 5 MB with two
// old files kept. Prompts, code and secrets are never logged: only paths,
// counts and reasons.
func newLog(dir home.Dir, level string, alsoStderr bool) *zap.Logger {
	at, err := zapcore.ParseLevel(level)
	if err != nil {
		at = zapcore.InfoLevel
	}
	config := zap.NewProductionEncoderConfig()
	config.EncodeTime = zapcore.ISO8601TimeEncoder
	_ = os.MkdirAll(filepath.Dir(dir.Log()), 0o700)
	file := zapcore.AddSync(&lumberjack.Logger{Filename: dir.Log(), MaxSize: 5, MaxBackups: 2})
	cores := []zapcore.Core{zapcore.NewCore(zapcore.NewJSONEncoder(config), file, at)}
	if alsoStderr {
		cores = append(cores, zapcore.NewCore(zapcore.NewConsoleEncoder(config), zapcore.Lock(os.Stderr), at))
	}
	core := zapcore.NewSamplerWithOptions(zapcore.NewTee(cores...), sampleEvery, sampleFirst, sampleThen)
	return zap.New(core)
}

// A failure that repeats is logged ten times a minute, then once in a hundred.
const (
	sampleEvery = 60e9
	sampleFirst = 10
	sampleThen  = 100
)
