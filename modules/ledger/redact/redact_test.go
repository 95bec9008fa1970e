package redact

import (
	"strings"
	"testing"
)

// The secrets in here are made up. They are put together from pieces so that
// no scanner takes this file for a leak.
const (
	letters = "AbCdEfGh1jKlMn0pQrStUvWx2yZ34567890abcdefghijklmn"
	hexes   = "0123456789abcdef0123456789abcdef01234567"
)

func TestTextReplacesSecrets(t *testing.T) {
	jwt := "eyJ" + "hbGciOiJIUzI1NiJ9." + "eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0." + "dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1"
	key := "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75\nabc-def\n-----END " + "RSA PRIVATE KEY-----"
	for name, test := range map[string]struct{ text, want string }{
		"aws":               {"id AKIA" + "IOSFODNN7ABCDEFG here", "id [redacted:aws-key-id] here"},
		"github":            {"GITHUB: ghp_" + letters[:36], "GITHUB: [redacted:github]"},
		"github oauth":      {"(gho_" + letters[:36] + ")", "([redacted:github])"},
		"github fine":       {"github_pat_" + letters[:22] + "_x", "[redacted:github]"},
		"gitlab":            {"glpat-" + letters[:20], "[redacted:gitlab]"},
		"slack":             {"xoxb-" + "12345678901-abc", "[redacted:slack]"},
		"slack webhook":     {"https://hooks.slack.com/services/T0/" + letters[:24], "https://hooks.slack.com/services/[redacted:slack-webhook]"},
		"stripe":            {"sk_live_" + letters[:24], "[redacted:stripe]"},
		"openai":            {"sk-" + letters[:48], "[redacted:openai]"},
		"openai project":    {"key=sk-proj-" + letters[:40], "key=[redacted:openai]"},
		"anthropic":         {"sk-ant-api03-" + letters[:40] + "-AA\n", "[redacted:anthropic]\n"},
		"google":            {"AIza" + letters[:35], "[redacted:google]"},
		"npm":               {"//registry/:_authToken=npm_" + letters[:36], "//registry/:_authToken=[redacted:npm]"},
		"pypi":              {"pypi-" + letters[:40], "[redacted:pypi]"},
		"jwt":               {"cookie " + jwt + ";", "cookie [redacted:jwt];"},
		"private key":       {"a " + key + " b", "a [redacted:private-key] b"},
		"private key, JSON": {`"` + strings.ReplaceAll(key, "\n", `\n`) + `"`, `"[redacted:private-key]"`},
		"private key, torn": {key[:50] + " …", "[redacted:private-key] …"},
		"url":               {"postgres://ann:s3cr3t99@db:5432/x", "postgres://[redacted:url-credentials]@db:5432/x"},
		"url, user only":    {"ssh://git@host/x", "ssh://git@host/x"},
		"bearer":            {"Authorization: Bearer " + letters[:32], "Authorization: Bearer [redacted:authorization]"},
		"basic":             {`"authorization": "Basic dXNlcjpwYXNz"`, `"authorization": "Basic [redacted:authorization]"`},
		"json":              {`{"password": "hT9xq2LpW7"}`, `{"password": "[redacted:assigned]"}`},
		"json in json":      {`{\"client_secret\": \"hT9xq2LpW7\"}`, `{\"client_secret\": \"[redacted:assigned]\"}`},
		"code":              {`apiKey := "9f8aZk27-Lq0e"`, `apiKey := "[redacted:assigned]"`},
		"environment":       {"export DB_PASSWORD=u8Jk2mNq9Lx4Pz7w", "export DB_PASSWORD=[redacted:assigned]"},
		"two":               {"AKIA" + "IOSFODNN7ABCDEFG glpat-" + letters[:20], "[redacted:aws-key-id] [redacted:gitlab]"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Text(test.text); got != test.want {
				t.Errorf("Text(%q)\n got %q\nwant %q", test.text, got, test.want)
			}
		})
	}
}

func TestTextLeavesTheRest(t *testing.T) {
	for _, text := range []string{
		"",
		"the token budget is 2,500 tokens, no secret password here",
		"commit " + hexes,
		"sha256:" + hexes + hexes[:24],
		`session_token_id = "0191b2c3-d4e5-7f60-8a9b-0c1d2e3f4a5b"`,
		`"token_hash": "` + hexes + `"`,
		`secret: "/etc/ssl/private/server1.pem"`,
		`password: "${DB_PASSWORD}"`,
		`password = "your-password-1"`,
		`token = os.environ["GITHUB_TOKEN"]`,
		"https://example.com/a@b?c=d:e",
		"https://<user>:<password>@host",
		"git@github.com:owner/repository.git",
		"disk-usage-of-the-whole-machine-2024",
		"sk-learn-contrib-extensions",
		"-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----",
		"look for -----BEGIN RSA PRIVATE KEY----- in the output",
		"func getToken(secret string) (token string, err error)",
		"tokenizer=ascii prefix=none",
		"passwordField.value=this.form.elements",
		"eyJ is how a JWT begins",
		"xAKIAIOSFODNN7ABCDEFG",
	} {
		if got := Text(text); got != text {
			t.Errorf("Text(%q) = %q", text, got)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("password: \"hT9xq2LpW7\" Bearer " + letters[:32])
	f.Add("x://a:" + "sk-" + letters + "@h token=glpat-" + letters[:20])
	f.Add("-----BEGIN " + "PRIVATE KEY-----" + letters + "-----END")
	f.Fuzz(func(t *testing.T, text string) {
		once := Text(text)
		if twice := Text(once); twice != once {
			t.Errorf("Text is not idempotent:\n%q\n%q\n%q", text, once, twice)
		}
	})
}

// BenchmarkText is the usual case: program output without any secret.
func BenchmarkText(b *testing.B) {
	line := "2024-05-01T10:00:00Z INFO server.go:123 handled GET /api/v1/users/42 in 13.5ms status=200 bytes=5120\n" +
		"\tif err := store.Update(ctx, user); err != nil { return fmt.Errorf(\"update user %d: %w\", user.ID, err) }\n"
	text := strings.Repeat(line, 64<<10/len(line))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if Text(text) != text {
			b.Fatal("found a secret")
		}
	}
}

// BenchmarkTextWithKeywords is text about secrets that holds none.
func BenchmarkTextWithKeywords(b *testing.B) {
	text := strings.Repeat("the token budget: input_tokens=1250 \"password\": null, see https://example.com/secret\n", 800)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if Text(text) != text {
			b.Fatal("found a secret")
		}
	}
}
