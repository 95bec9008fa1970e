package daemon

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

func TestEndsWithin_NamesWhatGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, seen := observer.New(zap.ErrorLevel)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		stuck := make(chan struct{})
		began := time.Now()
		err := endsWithin(ctx, time.Minute, zap.New(core), func() error { waitsForNothing(stuck); return nil })
		if !errors.Is(err, ErrStuck) || time.Since(began) != time.Minute {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		if seen.Len() != 1 || !strings.Contains(seen.All()[0].ContextMap()["stacks"].(string), "waitsForNothing") {
			t.Errorf("log: %v", seen.All())
		}
		close(stuck)
	})
}

func TestEndsWithin_ReturnsWhatTheDaemonEndedWith(t *testing.T) {
	failed := errors.New("no port")
	ctx, cancel := context.WithCancel(t.Context())
	if err := endsWithin(ctx, time.Minute, zap.NewNop(), func() error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	cancel()
	if err := endsWithin(ctx, time.Minute, zap.NewNop(), func() error { <-ctx.Done(); return nil }); err != nil {
		t.Error(err)
	}
}

func waitsForNothing(stuck chan struct{}) { <-stuck }
