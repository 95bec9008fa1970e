package redact

import "regexp"

// Windows: a token, and a block of several lines (an RSA-4096 key in PEM has
// about 3,300 bytes; in JSON every line break is two characters).
const (
	tokenWindow = 2 << 10
	blockWindow = 16 << 10
)

// rules is the rule set of Revision. The prefixes are those the issuers
// document for their scanners; \A ties a pattern to its keyword.
var rules = []rule{
	prefixed("aws-key-id", `\A(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b`, "AKIA", "ASIA", "ABIA", "ACCA"),
	prefixed("github", `\Agh[pousr]_[A-Za-z0-9]{36,255}`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
	prefixed("github", `\Agithub_pat_[A-Za-z0-9_]{22,255}`, "github_pat_"),
	prefixed("gitlab", `\Agl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_.-]{20,255}`,
		"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-"),
	prefixed("slack", `\Axox[abeoprs]-[A-Za-z0-9-]{10,255}`, "xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"),
	prefixed("slack", `\Axapp-\d-[A-Za-z0-9-]{10,255}`, "xapp-"),
	prefixed("slack-webhook", `\Ahooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{20,255})`, "hooks.slack.com/"),
	prefixed("stripe", `\A[srp]k_(?:live|test)_[A-Za-z0-9]{16,255}`,
		"sk_live_", "sk_test_", "rk_live_", "rk_test_"),
	prefixed("stripe", `\Awhsec_[A-Za-z0-9+/=]{24,255}`, "whsec_"),
	prefixed("anthropic", `\Ask-ant-[A-Za-z0-9_-]{20,255}`, "sk-ant-"),
	prefixed("openai", `\Ask-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,255}`, "sk-proj-", "sk-svcacct-", "sk-admin-"),
	accepting(prefixed("openai", `\Ask-(?:or-v1-)?[A-Za-z0-9]{20,255}`, "sk-"), mixed),
	accepting(prefixed("google", `\AAIza[A-Za-z0-9_-]{35}`, "AIza"), mixed),
	prefixed("google", `\AGOCSPX-[A-Za-z0-9_-]{20,64}`, "GOCSPX-"),
	prefixed("google", `\Aya29\.[A-Za-z0-9_.-]{20,512}`, "ya29."),
	prefixed("npm", `\Anpm_[A-Za-z0-9]{36}`, "npm_"),
	prefixed("pypi", `\Apypi-[A-Za-z0-9_-]{32,512}`, "pypi-"),
	prefixed("huggingface", `\Ahf_[A-Za-z0-9]{30,64}`, "hf_"),
	prefixed("digitalocean", `\Ado[opr]_v1_[a-f0-9]{64}`, "doo_v1_", "dop_v1_", "dor_v1_"),
	prefixed("sendgrid", `\ASG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}`, "SG."),
	prefixed("age-key", `\AAGE-SECRET-KEY-1[A-Z0-9]{58}`, "AGE-SECRET-KEY-1"),
	prefixed("jwt", `\AeyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}`, "eyJ"),
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
		pattern:  regexp.MustCompile("\\A://([^\\s/?#@:\"'`<>\\[\\]{}()]{0,255}:[^\\s/?#@\"'`<>\\[\\]{}()$]{3,255})@[A-Za-z0-9\\[]"),
		accept:   notPlaceholder,
	},
	{
		kind:     "authorization",
		keywords: []string{"bearer "},
		anyCase:  true,
		window:   tokenWindow,
		pattern:  regexp.MustCompile(`\A(?i:bearer) +([A-Za-z0-9_.~+/=-]{16,1000})`),
		accept:   mixed,
	},
	{
		kind:     "authorization",
		keywords: []string{"authorization"},
		anyCase:  true,
		window:   tokenWindow,
		pattern:  regexp.MustCompile(`\A(?i:authorization)\\?["']?\s*[:=]\s*\\?["']?(?i:basic|token) +([A-Za-z0-9_.~+/=-]{8,1000})`),
		accept:   notPlaceholder,
	},
	{
		kind:     "assigned",
		keywords: assigned,
		anyCase:  true,
		inWord:   true,
		window:   tokenWindow,
		pattern:  regexp.MustCompile("\\A[A-Za-z0-9_.-]{1,48}\\\\?[\"'`]?\\]?\\s{0,4}(?::=|=>|[:=])\\s{0,4}\\\\?[\"'`]([^\"'`\\s\\\\]{8,512})\\\\?[\"'`]"),
		accept:   highEntropy,
	},
	{
		kind:     "assigned",
		keywords: assigned,
		anyCase:  true,
		inWord:   true,
		window:   tokenWindow,
		// Unquoted, as in an environment file or on a command line. The value
		// must look far more like a secret, or code would be hit.
		pattern: regexp.MustCompile(`\A[A-Za-z0-9_-]{1,48}=([A-Za-z0-9_~!@#%^&*+/=-]{12,512})`),
		accept:  veryHighEntropy,
	},
}

// assigned are the names whose values are secrets.
var assigned = []string{
	"password", "passwd", "passphrase", "secret", "token",
	"api_key", "apikey", "apiKey", "api-key", "access_key", "accessKey", "private_key", "privateKey", "credential",
}

// prefixed is a rule for tokens that say themselves what they are.
func prefixed(kind, pattern string, keywords ...string) rule {
	return rule{kind: kind, keywords: keywords, window: tokenWindow, pattern: regexp.MustCompile(pattern)}
}

func accepting(r rule, accept func(string) bool) rule {
	r.accept = accept
	return r
}
