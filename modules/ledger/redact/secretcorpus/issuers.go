package secretcorpus

import "strings"

// issuers are tokens with a form of their own. In a form, X stands for the
// secret's random part.
func (m *maker) issuers() {
	for _, one := range []struct {
		kind, begin, alphabet string
		n                     int
		end                   string
	}{
		{"aws-key-id", "AK" + "IA", upper + "234567", 16, ""},
		{"aws-temporary", "AS" + "IA", upper + "234567", 16, ""},
		{"github", "gh" + "p_", alnum, 36, ""},
		{"github-oauth", "gh" + "o_", alnum, 36, ""},
		{"github-server", "gh" + "s_", alnum, 36, ""},
		{"github-fine", "github" + "_pat_", alnum + "_", 82, ""},
		{"gitlab", "gl" + "pat-", word, 20, ""},
		{"gitlab-runner", "gl" + "rt-", word, 20, ""},
		{"gitlab-old-runner", "GR13" + "48941", word, 20, ""},
		{"slack-bot", "xo" + "xb-", digits, 12, "-1234567890123-" + "AbCdEfGhIjKlMnOpQrStUvWx"},
		{"slack-app", "xa" + "pp-1-A", upper + digits, 10, "-1234567890123-" + "0a1b2c3d4e5f60718293a4b5c6d7e8f9"},
		{"stripe", "sk_" + "live_", alnum, 24, ""},
		{"stripe-restricted", "rk_" + "live_", alnum, 24, ""},
		{"stripe-webhook", "whs" + "ec_", alnum, 32, ""},
		{"anthropic", "sk-" + "ant-api03-", word, 93, "AA"},
		{"openai", "sk" + "-proj-", word, 80, ""},
		{"openai-old", "s" + "k-", alnum, 48, ""},
		{"google-api", "AI" + "za", word, 35, ""},
		{"google-oauth", "GOC" + "SPX-", word, 28, ""},
		{"google-access", "ya" + "29.", word, 80, ""},
		{"google-refresh", "1/" + "/0", word, 60, ""},
		{"npm", "np" + "m_", alnum, 36, ""},
		{"pypi", "py" + "pi-AgEIcHlwaS5vcmc", word, 70, ""},
		{"huggingface", "h" + "f_", alnum, 34, ""},
		{"digitalocean", "do" + "p_v1_", hexa, 64, ""},
		{"sendgrid", "S" + "G.", word, 22, "." + "0123456789abcdefghijABCDEFGHIJ_-0123456789a"},
		{"age", "AGE-SEC" + "RET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58, ""},
		{"vault", "hv" + "s.", word, 95, ""},
		{"vault-short", "hv" + "s.", alnum, 24, ""},
		{"groq", "gs" + "k_", alnum, 52, ""},
		{"xai", "xa" + "i-", alnum, 80, ""},
		{"perplexity", "pp" + "lx-", alnum, 48, ""},
		{"replicate", "r" + "8_", alnum, 37, ""},
		{"figma", "fi" + "gd_", word, 40, ""},
		{"supabase", "sb" + "p_", hexa, 40, ""},
		{"sentry-user", "sntr" + "yu_", hexa, 64, ""},
		{"atlassian", "ATA" + "TT3", word, 186, ""},
		{"postman", "PM" + "AK-", hexa, 24, "-0123456789abcdef0123456789abcdef01"},
		{"notion", "nt" + "n_", digits, 11, "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"[:35]},
		{"linear", "lin_" + "api_", alnum, 40, ""},
		{"shopify", "shp" + "at_", hexa, 32, ""},
		{"square", "sq0" + "atp-", word, 22, ""},
		{"twilio", "S" + "K", hexa, 32, ""},
		{"mailgun", "ke" + "y-", hexa, 32, ""},
		{"databricks", "da" + "pi", hexa, 32, ""},
		{"new-relic", "NR" + "AK-", upper + digits, 27, ""},
		{"dynatrace", "dt0" + "c01.", upper + digits, 24, "." + strings.Repeat("A1B2C3D4", 8)},
		{"grafana", "gl" + "sa_", alnum, 32, "_0a1b2c3d"},
		{"pulumi", "pu" + "l-", hexa, 40, ""},
		{"doppler", "dp." + "pt.", alnum, 43, ""},
		{"rubygems", "ruby" + "gems_", hexa, 48, ""},
		{"crates-io", "ci" + "o", alnum, 32, ""},
		{"docker", "dckr_" + "pat_", word, 27, ""},
		{"planetscale", "pscale_" + "tkn_", word, 43, ""},
		{"fly", "fo" + "1_", word, 43, ""},
		{"heroku", "HR" + "KU-AA", word, 58, ""},
		{"netlify", "nf" + "p_", alnum, 36, ""},
		{"airtable", "pa" + "t", alnum, 14, "." + strings.Repeat("0a1b2c3d", 8)},
		{"bcrypt", "$2" + "b$12$", alnum, 53, ""},
	} {
		m.issued(one.kind, func() string { return one.begin + m.of(one.alphabet, one.n) + one.end })
	}
	m.issued("discord", func() string { return "MT" + m.of(alnum, 24) + "." + m.of(word, 6) + "." + m.of(word, 38) })
	m.issued("jwt", func() string {
		return "ey" + "J" + m.of(alnum, 33) + ".ey" + "J" + m.of(alnum, 60) + "." + m.of(word, 43)
	})
}

// issued adds a token where such tokens are met, without a name that says what
// it is.
func (m *maker) issued(kind string, make func() string) {
	for _, around := range []string{
		"X", "use X for now", "found: `X`.", "export VALUE=X\n", `{"value": "X"}`, "client.New(\"X\")", "value: X\n", "tool --with X --verbose", "2024-05-01 ERROR rejected X (401)",
	} {
		token := make()
		m.add("issuer", kind, strings.Replace(around, "X", token, 1), token)
	}
}

func (m *maker) addresses() {
	for _, scheme := range []string{"postgres", "mysql", "mongodb+srv", "redis", "amqp", "https", "ftp", "ssh"} {
		secret := m.of(alnum, 12)
		m.add("address", "url", scheme+"://ann:"+secret+"@db.internal:5432/app", secret)
	}
	secret := m.of(lower, 4) + "@" + m.of(alnum, 8)
	m.add("address", "url-at", "postgres://ann:"+secret+"@db:5432/app", secret)
	secret = m.of(alnum, 14)
	m.add("address", "url-no-user", "REDIS_URL=redis://:"+secret+"@cache:6379/0", secret)
	for _, around := range []string{
		"Authorization: Bearer X", `"Authorization": "Bearer X"`, "curl -H 'Authorization: Bearer X' https://host", "headers['Authorization'] = 'token X'",
		"Authorization: X", "authorization=Bearer X", "Proxy-Authorization: Bearer X", "> authorization: Bearer X",
	} {
		secret := m.of(alnum, 32)
		m.add("address", "authorization", strings.Replace(around, "X", secret, 1), secret)
	}
	secret = m.of(lower+upper, 32)
	m.add("address", "bearer-letters", "Authorization: Bearer "+secret, secret)
	for _, around := range []string{"Authorization: Basic X", `"Authorization": "Basic X"`, "-H \"Authorization: Basic X\""} {
		secret := encode("ann:" + m.of(alnum, 12))
		m.add("address", "basic", strings.Replace(around, "X", secret, 1), secret)
	}
	for _, around := range []string{"X-Api-Key: X1", "x-api-key: X1", `"X-Auth-Token": "X1"`, "PRIVATE-TOKEN: X1", "curl -H 'X-Api-Key: X1' https://host", "X-Vault-Token: X1"} {
		secret := m.of(alnum, 32)
		m.add("address", "header", strings.Replace(around, "X1", secret, 1), secret)
	}
	for _, around := range []string{"Cookie: session=X1; theme=dark", "Set-Cookie: sid=X1; Path=/; HttpOnly", "-H 'Cookie: connect.sid=X1'"} {
		secret := m.of(alnum, 32)
		m.add("address", "cookie", strings.Replace(around, "X1", secret, 1), secret)
	}
	for _, around := range []string{"https://host/x?access_token=X1&page=2", "https://host/?api_key=X1", "https://a.blob.core.windows.net/c?sv=2022&sig=X1&se=2024"} {
		secret := m.of(alnum, 32)
		m.add("address", "query", strings.Replace(around, "X1", secret, 1), secret)
	}
	secret = m.of(digits, 18) + "/" + m.of(word, 68)
	m.add("address", "discord-webhook", "https://discord.com/api/webhooks/"+secret, secret)
	secret = "T" + m.of(upper+digits, 8) + "/B" + m.of(upper+digits, 8) + "/" + m.of(alnum, 24)
	m.add("address", "slack-webhook", "https://hooks.slack.com/services/"+secret, secret)
	secret = m.of(digits, 10) + ":AA" + m.of(word, 33)
	m.add("address", "telegram", "https://api.telegram.org/bot"+secret+"/sendMessage", secret)
}
