package redact

import (
	"strings"
	"testing"
)

// Shapes that name no issuer and no file: what stands around a value, or how it
// begins, says that it is a secret.
func TestText_KnowsShapes(t *testing.T) {
	const secret = "Kx4tZq81Lw9nVb3Rp6Yh2Ms7"
	const typed = "Hrvk50#vu15"
	for name, text := range map[string]string{
		"a token that says so":         "using QZPAT_" + secret + " now",
		"one of an unknown issuer":     "client('zqsk-" + secret + "')",
		"a name, blanks, a value":      "set -x DEPLOY_TOKEN " + secret,
		"a word of a protocol":         "> PASS " + typed,
		"and the kind of it":           "AUTH PLAIN " + secret,
		"a statement of SQL":           "CREATE USER 'ann' IDENTIFIED BY '" + typed + "';",
		"a long option with one dash":  "keytool -list -storepass " + typed,
		"a literal among options":      "kubectl create secret generic db --from-literal=password=" + typed,
		"the line below":               "Use this password to go on:\n\n" + secret + "\n",
		"the value as a member":        `{"name": "SMTP_PASSWORD", "value": "` + typed + `"}`,
		"the value on the next line":   "{\n  \"password\":\n    \"" + typed + "\"\n}",
		"behind a user":                "Generated credentials: admin / " + typed,
		"of a user, piped":             "echo 'ann:" + typed + "' | chpasswd",
		"piped":                        "echo '" + typed + "' | sudo -S true",
		"the last word of a command":   "htpasswd -b users ann " + typed,
		"joined to an option":          "xfreerdp /v:host /u:ann /p:" + typed,
		"a pair with a comma":          "lftp -u ann," + typed + " sftp://host",
		"what signs an address":        "https://b.example.org/k?Expires=9&Signature=" + secret + secret,
		"a line of a file":             "db.example.org:5432:app:ann:" + typed + "\n",
		"a password of one app":        "app password: abcd-qwer-tyui-plkj",
		"a word that begins no ASCII":  "Şifre: " + typed,
		"in a sentence":                "the password you gave me (`" + typed + "`) works",
		"in another language":          "Hasło do bazy testowej to " + typed + ", zmień je",
		"in a script without spaces":   "数据库密码是" + typed + "，用户名是 root。",
		"an argument of a call":        `smtp.PlainAuth("", "ann@example.org", "` + typed + `", "smtp.example.org")`,
		"one of a pair":                `requests.get(url, auth=("ann", "` + typed + `"), timeout=10)`,
		"a key that is no private key": "-----BEGIN OpenVPN Static key V1-----\n0123456789abcdef0123456789abcdee\n-----END OpenVPN Static key V1-----",
	} {
		got := Text(text)
		for _, left := range []string{secret, typed, "abcd-qwer", "0123456789abcdee"} {
			if strings.Contains(text, left) && strings.Contains(got, left) {
				t.Errorf("%s: %q stays in %q", name, left, got)
			}
		}
	}
}

// What looks like them and is none.
func TestText_LeavesShapesOfOtherThings(t *testing.T) {
	for _, text := range []string{
		"task_019f6b5ee16e7d739906d0ed93b1 is done, disk-4f8a91c2bd77e0a1c3d5 is full",
		"\tToken *Token `protobuf:\"bytes,3,opt,name=token_bucket\"`",
		"github.com/acme/docker-credential-env v0.0.0-20230304212654-82a0ddb27589",
		"Pass `betas=[\"files-api-2025-04-14\"]` to the call",
		"the pin `1:2.47.3-0+deb13u1` of the package",
		"12 tokens truncated…e18b497796c12c097a38f9edb9d0641fb99eee32",
		`BearerToken:   auth.BearerToken,\n215\t\tSkipVerify`,
		"docker build --secret id=GIT_AUTH_TOKEN,src=/run/x1",
		"encrypted: `auth-key.yaml`, `k3s/token.yaml`",
		"https://example.org/api-keys-for-all-a-brief-overview-2133ed9a2b3f",
		"#define TEST_PASS\t\t0x00800000",
	} {
		if got := Text(text); got != text {
			t.Errorf("Text(%q)\n got %q", text, got)
		}
	}
}
