package redact

// allRules is the rule set of Revision, from the particular to the general. The
// prefixes are those the issuers document for scanners. Lengths are in least.
func allRules() []rule {
	all := append(issuers(), services()...)
	own := []keptRule{
		{kind: "sourcegraph", words: "sgp_", pattern: `(?i)\b(sgp_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40})\b`, bits: 3},
		{kind: "bedrock", words: "bedrock-api-key-", pattern: `bedrock-api-key-[A-Za-z0-9+/=]{20,}`},
	}
	for _, k := range append(own, kept...) {
		all = append(all, k.rule())
	}
	return append(all, general()...)
}

// issuers are the rules of tokens that say who issued them.
func issuers() []rule {
	return []rule{
		prefixed("aws-key-id", 20, `(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]+\b`, "AKIA", "ASIA", "ABIA", "ACCA"),
		prefixed("github", 40, `gh[pousr]_[A-Za-z0-9]+`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
		prefixed("github", 33, `github_pat_[A-Za-z0-9_]+`, "github_pat_"),
		prefixed("gitlab", 25, `gl[a-z]+-[A-Za-z0-9_.-]+`,
			"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-"),
		prefixed("slack", 15, `xox[abeoprs]-[A-Za-z0-9-]+`, "xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"),
		prefixed("slack", 18, `xapp-[0-9]-[A-Za-z0-9-]+`, "xapp-"),
		prefixed("slack-webhook", 20, `hooks\.slack\.com/[a-z]+/([A-Za-z0-9/_+-]+)`, "hooks.slack.com/"),
		prefixed("stripe", 24, `[sr]k_(?:live|test)_[A-Za-z0-9]+`, "sk_live_", "sk_test_", "rk_live_", "rk_test_"),
		prefixed("stripe", 30, `whsec_[A-Za-z0-9+/=]+`, "whsec_"),
		prefixed("anthropic", 27, `sk-ant-[A-Za-z0-9_-]+`, "sk-ant-"),
		prefixed("openai", 28, `sk-[a-z]+-[A-Za-z0-9_-]+`, "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-"),
		accepting(mixed, prefixed("openai", 23, `sk-[A-Za-z0-9]+`, "sk-")),
		accepting(mixed, prefixed("google", 39, `AIza[A-Za-z0-9_-]+`, "AIza")),
		prefixed("google", 27, `GOCSPX-[A-Za-z0-9_-]+`, "GOCSPX-"),
		prefixed("google", 25, `ya29\.[A-Za-z0-9_.-]+`, "ya29."),
		prefixed("npm", 40, `npm_[A-Za-z0-9]+`, "npm_"),
		prefixed("pypi", 37, `pypi-[A-Za-z0-9_-]+`, "pypi-"),
		prefixed("huggingface", 33, `hf_[A-Za-z0-9]+`, "hf_"),
		prefixed("digitalocean", 71, `do[opr]_v1_[a-f0-9]+`, "doo_v1_", "dop_v1_", "dor_v1_"),
		prefixed("sendgrid", 60, `SG\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+`, "SG."),
		prefixed("age-key", 74, `AGE-SECRET-KEY-1[A-Z0-9]+`, "AGE-SECRET-KEY-1"),

		prefixed("vault", 24, `hv[sbr]\.[A-Za-z0-9_-]+`, "hvs.", "hvb.", "hvr."),
		prefixed("groq", 40, `gsk_[A-Za-z0-9]+`, "gsk_"),
		prefixed("xai", 40, `xai-[A-Za-z0-9]+`, "xai-"),
		prefixed("perplexity", 40, `pplx-[A-Za-z0-9]+`, "pplx-"),
		prefixed("replicate", 38, `r8_[A-Za-z0-9]+`, "r8_"),
		prefixed("fireworks", 20, `fw_[A-Za-z0-9]{18,}`, "fw_"),
		prefixed("tavily", 20, `tvly-[A-Za-z0-9-]+`, "tvly-"),
		prefixed("langsmith", 40, `lsv2_[a-z]+_[A-Za-z0-9_]+`, "lsv2_"),
		prefixed("figma", 40, `fig[dour]_[A-Za-z0-9_-]+`, "figd_", "figo_", "figu_", "figr_"),
		prefixed("supabase", 40, `sb[ps]_[a-z0-9_-]+`, "sbp_", "sbs_"),
		prefixed("supabase", 30, `sb_(?:secret|publishable)_[A-Za-z0-9_-]+`, "sb_secret_"),
		prefixed("sentry", 40, `sntry[us]_[A-Za-z0-9+/=_-]+`, "sntryu_", "sntrys_"),
		prefixed("atlassian", 40, `ATATT3[A-Za-z0-9_=-]+`, "ATATT3"),
		prefixed("atlassian", 40, `AT(?:BB|CTT3)[A-Za-z0-9_=-]+`, "ATBB", "ATCTT3"),
		prefixed("postman", 40, `PMAK-[A-Za-z0-9-]+`, "PMAK-"),
	}
}

// services are rules for the tokens of services beside those of code hosts and
// clouds.
func services() []rule {
	return []rule{
		prefixed("notion", 40, `(?:ntn|secret)_[A-Za-z0-9]+`, "ntn_", "secret_"),
		prefixed("linear", 40, `lin_(?:api|oauth)_[A-Za-z0-9]+`, "lin_api_", "lin_oauth_"),
		prefixed("shopify", 38, `shp(?:at|ca|pa|ss)_[A-Fa-f0-9]+`, "shpat_", "shpca_", "shppa_", "shpss_"),
		prefixed("square", 30, `(?:sq0[a-z]{3}-|EAAA)[A-Za-z0-9_-]+`, "sq0atp-", "sq0csp-", "sq0idp-", "EAAA"),
		accepting(mixed, prefixed("twilio", 34, `(?:SK|AC)[0-9a-f]{32}\b`, "SK", "AC")),
		prefixed("mailgun", 36, `key-[0-9a-f]{32}`, "key-"),
		prefixed("databricks", 36, `dapi[0-9a-f]+(?:-[0-9])?`, "dapi"),
		prefixed("new-relic", 30, `NR(?:AK|JS|II|AA|RA)-[A-Za-z0-9-]+`, "NRAK-", "NRJS-", "NRII-"),
		prefixed("dynatrace", 60, `dt0[a-z][0-9]{2}\.[A-Z0-9]+\.[A-Z0-9]+`, "dt0c01.", "dt0s01."),
		prefixed("grafana", 40, `gl(?:sa|c)_[A-Za-z0-9+/=_-]+`, "glsa_", "glc_"),
		prefixed("pulumi", 44, `pul-[a-f0-9]+`, "pul-"),
		prefixed("doppler", 40, `dp\.[a-z]+\.[A-Za-z0-9._-]+`, "dp.pt.", "dp.st.", "dp.ct.", "dp.sa."),
		prefixed("rubygems", 57, `rubygems_[a-f0-9]+`, "rubygems_"),
		prefixed("crates-io", 35, `cio[A-Za-z0-9]{32}`, "cio"),
		prefixed("nuget", 46, `oy2[a-z0-9]{43}`, "oy2"),
		prefixed("docker", 30, `dckr_(?:pat|oat)_[A-Za-z0-9_-]+`, "dckr_pat_", "dckr_oat_"),
		prefixed("planetscale", 40, `pscale_[a-z]+_[A-Za-z0-9_=.-]+`, "pscale_tkn_", "pscale_pw_", "pscale_oauth_"),
		prefixed("fly", 40, `(?:fo1|fm[12][a-z]?)_[A-Za-z0-9+/=_-]+`, "fo1_", "fm1a_", "fm1r_", "fm2_"),
		prefixed("heroku", 60, `HRKU-[A-Za-z0-9_-]+`, "HRKU-"),
		prefixed("netlify", 40, `nfp_[A-Za-z0-9]+`, "nfp_"),
		prefixed("vercel", 24, `vc[piakr]_[A-Za-z0-9]{20,}`, "vcp_", "vci_", "vca_", "vcr_", "vck_"),
		prefixed("airtable", 80, `pat[A-Za-z0-9]{14}\.[a-f0-9]+`, "pat"),
		prefixed("asana", 40, `[12]/[0-9]{13,}(?:/[0-9]+)?:[a-f0-9]{32}`, "1/", "2/"),
		prefixed("discord", 58, `[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}`, "MT", "MD", "MJ", "Nj", "Nz", "OD", "OT", "MA", "NT", "ND"),
		prefixed("discord-webhook", 60, `discord(?:app)?\.com/api/webhooks/([0-9]+/[A-Za-z0-9_-]+)`, "discord.com/api/webhooks/", "discordapp.com/api/webhooks/"),
		prefixed("telegram", 40, `bot([0-9]{8,10}:[A-Za-z0-9_-]{35})`, "bot"),
		prefixed("teams-webhook", 60, `webhook\.office\.com/(webhookb2/[A-Za-z0-9@/-]+)`, "webhook.office.com/"),
		prefixed("google", 50, `1//0[A-Za-z0-9_-]+`, "1//0"),
		prefixed("gitlab", 29, `GR1348941[A-Za-z0-9_-]+`, "GR1348941"),
		prefixed("gitea", 40, `gta_[a-z0-9]+`, "gta_"),
		prefixed("wallet", 100, `[xyz]prv[1-9A-HJ-NP-Za-km-z]+`, "xprv", "yprv", "zprv"),
		prefixed("ssh-vault", 40, `\$ANSIBLE_VAULT;[0-9.]+;AES256[\s0-9a-f]+`, "$ANSIBLE_VAULT;"),
		prefixed("password-hash", 50, `\$2[abxy]\$[0-9]{2}\$[A-Za-z0-9./]{53}`, "$2a$", "$2b$", "$2y$"),
		prefixed("password-hash", 30, `\$(?:[156y]|apr1|argon2id?|argon2i)\$[A-Za-z0-9./$=,+-]+`, "$6$", "$5$", "$1$", "$apr1$", "$y$", "$argon2id$", "$argon2i$"),
		prefixed("jwt", 50, `ey[A-Za-z0-9]{17,}\.ey[A-Za-z0-9/\\_-]{17,}\.[A-Za-z0-9/\\_=-]*`, "ey"),
		prefixed("jwt", 50, `ZXlK[A-Za-z0-9/\\_+=-]{46,}`, "ZXlK"),
		prefixed("laravel", 40, `base64:([A-Za-z0-9+/]{43}=)`, "base64:"),
	}
}

// general are the rules of what its surroundings say is a secret.
func general() []rule {
	all := []rule{
		{kind: "jwt", keywords: []string{"eyJ"}, look: func(p *pass, at, n int) {
			if to, ok := signedToken(p.text, at, &p.runs); ok && p.text[at:at+n] == "eyJ" && to-at >= 50 {
				p.emit(at, to)
			}
		}},
		{kind: "private-key", keywords: []string{"-----BEGIN "}, inWord: true, look: pemKey},
		{kind: "private-key", keywords: []string{"-----END "}, inWord: true, look: pemEnd},
		{kind: "url-credentials", keywords: []string{"://"}, inWord: true, look: addressUser},
		{kind: "authorization", keywords: []string{"bearer "}, look: bearer},
		{kind: "authorization", keywords: []string{"authorization"}, inWord: true, look: header},
		{kind: "cookie", keywords: []string{"cookie: "}, look: cookies},
		{kind: "seed", keywords: []string{"mnemonic", "seed phrase", "recovery phrase", "seed words", "seed_phrase", "recovery words"}, look: seed},
		{kind: "login", keywords: []string{"login "}, look: login},
		{kind: "docker-auth", keywords: []string{"auth"}, look: dockerAuth},
		{kind: "kubernetes-secret", keywords: []string{"kind: Secret"}, inWord: true, look: kubernetes},
		{kind: "assigned", keywords: assigned, inWord: true, look: assignment(false, false)},
		{kind: "assigned", keywords: foreign, inWord: true, look: assignment(true, false)},
		{kind: "assigned", keywords: weak, inWord: true, look: assignment(false, true)},
		{kind: "token", keywords: tokenWords, inWord: true, look: selfNamed},
		{kind: "address-signature", keywords: []string{"signature"}, inWord: true, look: signature},
		{kind: "password-file", keywords: []string{":5432:", ":3306:", ":*:*:"}, inWord: true, look: passwordFile},
		{kind: "password", keywords: append([]string{"password", "passwd", "passphrase", "requirepass", "masterauth", "add_user"}, foreign...), inWord: true, look: near},
		{kind: "argument", keywords: taking, inWord: true, look: arguments},
		{kind: "piped", keywords: []string{"chpasswd"}, look: piped(true)},
		{kind: "piped", keywords: []string{"sudo -S"}, look: piped(false)},
		{kind: "wrapped", keywords: wrappedWords(inBase64), inWord: true, look: wrappedBase64},
		{kind: "wrapped", keywords: wrappedWords(inHex), inWord: true, look: wrappedHex},
	}
	for _, c := range commands {
		all = append(all, rule{kind: "option", keywords: []string{c.name}, look: c.options})
	}
	return all
}

// wrappedWords are the beginnings that say a secret is in base64 or in
// hexadecimal digits.
func wrappedWords(in func(string) []string) (words []string) {
	for _, word := range []string{
		"-----BEGIN", "password", "PASSWORD", "secret", "SECRET", "token", "TOKEN", "api_key", "API_KEY", "ghp_", "github_pat_",
		"glpat-", "xoxb-", "sk-ant-", "sk-proj-", "sk_live_", "AKIA", "npm_", "hvs.", "postgres://", "mysql://", "mongodb", "redis://", "amqp://", "https://",
	} {
		words = append(words, in(word)...)
	}
	return words
}
