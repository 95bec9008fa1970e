package redact

import "regexp"

// Windows, in bytes: a token, a signed one that carries data, and a block of
// several lines (an RSA-4096 key in PEM has about 3,300 bytes).
const (
	tokenWindow  = 512
	signedWindow = 4 << 10
	blockWindow  = 16 << 10
)

// rules is the rule set of Revision, from the particular to the general. The
// prefixes are those the issuers document for scanners. \A ties a pattern to
// its keyword; lengths are in least and not in the pattern, because counted
// repeats make Go's regular expressions a hundred times slower.
var rules = []rule{
	prefixed("aws-key-id", 20, `\A(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]+\b`, "AKIA", "ASIA", "ABIA", "ACCA"),
	prefixed("github", 40, `\Agh[pousr]_[A-Za-z0-9]+`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
	prefixed("github", 33, `\Agithub_pat_[A-Za-z0-9_]+`, "github_pat_"),
	prefixed("gitlab", 25, `\Agl[a-z]+-[A-Za-z0-9_.-]+`,
		"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-"),
	prefixed("slack", 15, `\Axox[abeoprs]-[A-Za-z0-9-]+`, "xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"),
	prefixed("slack", 18, `\Axapp-[0-9]-[A-Za-z0-9-]+`, "xapp-"),
	prefixed("slack-webhook", 20, `\Ahooks\.slack\.com/[a-z]+/([A-Za-z0-9/_+-]+)`, "hooks.slack.com/"),
	prefixed("stripe", 24, `\A[sr]k_(?:live|test)_[A-Za-z0-9]+`, "sk_live_", "sk_test_", "rk_live_", "rk_test_"),
	prefixed("stripe", 30, `\Awhsec_[A-Za-z0-9+/=]+`, "whsec_"),
	prefixed("anthropic", 27, `\Ask-ant-[A-Za-z0-9_-]+`, "sk-ant-"),
	prefixed("openai", 28, `\Ask-[a-z]+-[A-Za-z0-9_-]+`, "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-"),
	accepting(mixed, prefixed("openai", 23, `\Ask-[A-Za-z0-9]+`, "sk-")),
	accepting(mixed, prefixed("google", 39, `\AAIza[A-Za-z0-9_-]+`, "AIza")),
	prefixed("google", 27, `\AGOCSPX-[A-Za-z0-9_-]+`, "GOCSPX-"),
	prefixed("google", 25, `\Aya29\.[A-Za-z0-9_.-]+`, "ya29."),
	prefixed("npm", 40, `\Anpm_[A-Za-z0-9]+`, "npm_"),
	prefixed("pypi", 37, `\Apypi-[A-Za-z0-9_-]+`, "pypi-"),
	prefixed("huggingface", 33, `\Ahf_[A-Za-z0-9]+`, "hf_"),
	prefixed("digitalocean", 71, `\Ado[opr]_v1_[a-f0-9]+`, "doo_v1_", "dop_v1_", "dor_v1_"),
	prefixed("sendgrid", 60, `\ASG\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+`, "SG."),
	prefixed("age-key", 74, `\AAGE-SECRET-KEY-1[A-Z0-9]+`, "AGE-SECRET-KEY-1"),
	{
		kind:     "jwt",
		keywords: []string{"eyJ"},
		least:    50,
		scan:     signedToken,
	},
	{
		kind:     "private-key",
		keywords: []string{"-----BEGIN "},
		inWord:   true,
		window:   blockWindow,
		// Up to its end, or, when it was cut off before that, as far as it
		// looks like a key. What separates lines may be a line break, its
		// escape, quotes or diff marks.
		pattern: regexp.MustCompile(`\A-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-[^-])*-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|(?:[\s\\"'+,>|]*[A-Za-z0-9+/=]{16,})+)`),
	},
	{
		kind:     "url-credentials",
		keywords: []string{"://"},
		inWord:   true,
		window:   tokenWindow,
		least:    5,
		ruledOut: noUser,
		pattern:  regexp.MustCompile("\\A://([^\\s/?#@:\"'`<>\\[\\]{}()]*:[^\\s/?#@\"'`<>\\[\\]{}()$]+)@[A-Za-z0-9\\[]"),
		accept:   notPlaceholder,
	},
	{
		kind:     "authorization",
		keywords: []string{"bearer "},
		anyCase:  true,
		window:   signedWindow,
		least:    16,
		pattern:  regexp.MustCompile(`\A(?i:bearer) +([A-Za-z0-9_.~+/=-]+)`),
		accept:   mixed,
	},
	{
		kind:     "authorization",
		keywords: []string{"authorization"},
		anyCase:  true,
		window:   signedWindow,
		least:    8,
		pattern:  regexp.MustCompile(`\A(?i:authorization)\\?["']?\s*[:=]\s*\\?["']?(?i:basic|token) +([A-Za-z0-9_.~+/=-]+)`),
		accept:   notPlaceholder,
	},
	{
		kind:     "assigned",
		keywords: assigned,
		anyCase:  true,
		inWord:   true,
		ruledOut: noAssignment,
		window:   tokenWindow,
		least:    8,
		pattern:  regexp.MustCompile("\\A[A-Za-z0-9_.-]+\\\\?[\"'`]?\\]?\\s*(?::=|=>|[:=])\\s*\\\\?[\"'`]([^\"'`\\s\\\\]+)\\\\?[\"'`]"),
		accept:   highEntropy,
	},
	{
		kind:     "assigned",
		keywords: assigned,
		anyCase:  true,
		inWord:   true,
		ruledOut: noAssignment,
		window:   tokenWindow,
		least:    12,
		// Unquoted, as in an environment file or on a command line. The value
		// must look far more like a secret, or code would be hit.
		pattern: regexp.MustCompile(`\A[A-Za-z0-9_-]+=([A-Za-z0-9_~!@#%^&*+/=-]+)`),
		accept:  veryHighEntropy,
	},
}

// assigned are the names whose values are secrets.
var assigned = []string{
	"password", "passwd", "passphrase", "secret", "token",
	"api_key", "apikey", "apiKey", "api-key", "access_key", "accessKey", "private_key", "privateKey", "credential",
}

// prefixed is a rule for tokens that say themselves what they are, of at least
// so many bytes.
func prefixed(kind string, least int, pattern string, keywords ...string) rule {
	return rule{kind: kind, keywords: keywords, window: tokenWindow, least: least, pattern: regexp.MustCompile(pattern)}
}

func accepting(accept func(string) bool, r rule) rule {
	r.accept = accept
	return r
}
