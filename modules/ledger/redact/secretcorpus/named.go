package secretcorpus

import (
	b64 "encoding/base64"
	"encoding/hex"
	"strings"
)

func encode(text string) string { return b64.StdEncoding.EncodeToString([]byte(text)) }

// forms are the ways of assigning; N is the name, X the value.
var forms = []struct{ kind, text string }{
	{"dotenv", "N=X\n"},
	{"dotenv-quoted", "N=\"X\"\n"},
	{"shell", "export N=X\n"},
	{"shell-quoted", "export N='X'"},
	{"inline", "N=X ./run --fast"},
	{"docker-env", "docker run -e N=X image"},
	{"yaml", "n: X\n"},
	{"yaml-indented", "spring:\n  datasource:\n    n: X\n    driver: pg\n"},
	{"yaml-quoted", "n: \"X\"\n"},
	{"yaml-single", "  n: 'X'\n"},
	{"json", "{\"n\": \"X\"}"},
	{"json-in-json", "{\\\"n\\\": \\\"X\\\"}"},
	{"toml", "n = \"X\"\n"},
	{"ini", "n = X\n"},
	{"properties", "app.n=X\n"},
	{"xml", "<n>X</n>"},
	{"xml-attribute", "<user n=\"X\"/>"},
	{"go", "n := \"X\""},
	{"python", "client = Client(n='X')"},
	{"javascript", "const n = `X`;"},
	{"ruby", "  :n => 'X',"},
	{"php", "define('N', 'X');"},
	{"terraform", "  n = \"X\"\n"},
	{"option", "tool --o X --verbose"},
	{"option-equals", "tool --o=X"},
	{"diff", "+N=X\n"},
	{"powershell", "$env:N = \"X\""},
	{"dockerfile", "ENV N=X\n"},
	{"log", "2024-05-01 warn config n=X loaded"},
	{"escaped-lines", "A=1\\nN=X\\nB=2"},
}

// names, and how their values look.
var names = []struct {
	kind, name string
	value      func(m *maker) string
}{
	{"password", "db_password", func(m *maker) string { return m.password() }},
	{"password-plain", "password", func(m *maker) string { return m.of(alnum, 12) }},
	{"aws-secret", "aws_secret_access_key", func(m *maker) string { return m.of(base64, 40) }},
	{"api-key", "api_key", func(m *maker) string { return m.of(alnum, 32) }},
	{"hex-secret", "client_secret", func(m *maker) string { return m.of(hexa, 32) }},
	{"hex-key", "encryption_key", func(m *maker) string { return m.of(hexa, 64) }},
	{"uuid-key", "heroku_api_key", func(m *maker) string {
		return m.of(hexa, 8) + "-" + m.of(hexa, 4) + "-" + m.of(hexa, 4) + "-" + m.of(hexa, 4) + "-" + m.of(hexa, 12)
	}},
	{"okta", "okta_token", func(m *maker) string { return "00" + m.of(word, 40) }},
	{"datadog", "dd_api_key", func(m *maker) string { return m.of(hexa, 32) }},
	{"telegram-token", "telegram_bot_token", func(m *maker) string { return m.of(digits, 10) + ":AA" + m.of(word, 33) }},
	{"vault-token", "vault_token", func(m *maker) string { return "s." + m.of(alnum, 24) }},
	{"base64-secret", "session_secret", func(m *maker) string { return encode(m.of(alnum, 30)) }},
}

func (m *maker) named() {
	for _, name := range names {
		for _, form := range forms {
			secret := name.value(m)
			text := strings.ReplaceAll(form.text, "X", "\x00")
			text = strings.ReplaceAll(text, "N", strings.ToUpper(name.name))
			text = replaceWord(text, "n", name.name)
			text = strings.ReplaceAll(text, "--o", "--"+strings.ReplaceAll(name.name, "_", "-"))
			m.add("named", name.kind+" "+form.kind, strings.Replace(text, "\x00", secret, 1), secret)
		}
	}
	for _, one := range []struct {
		kind, text string
		n          int
	}{
		{"azure", "DefaultEndpointsProtocol=https;AccountName=store;AccountKey=X==;EndpointSuffix=core.windows.net", 86},
		{"azure-bus", "Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=all;SharedAccessKey=X=", 43},
		{"sql-server", "Server=db;Database=app;User Id=sa;Password=X;Encrypt=True", 12},
		{"sql-short", "server=db;uid=sa;pwd=X;", 12},
		{"odbc", "Driver={ODBC};Server=db;UID=sa;PWD=X", 12},
		{"pg", "host=db user=ann password=X dbname=app", 12},
		{"pass", "SMTP_PASS=X\n", 12},
		{"pwd", "MYSQL_PWD=X\n", 12},
		{"netrc", "machine host login ann password X\n", 12},
		{"netrc-lines", "machine host\n  login ann\n  password X\n", 12},
		{"pypirc", "[pypi]\nusername = ann\npassword = X\n", 12},
		{"npmrc", "//registry.host/:_authToken=X\n", 36},
		{"npmrc-password", "//registry.host/:_password=X\n", 24},
		{"kubeconfig", "users:\n- name: ann\n  user:\n    token: X\n", 40},
		{"camel", "apiKey: 'X',", 32},
		{"camel-secret", "clientSecret=\"X\"", 32},
		{"dbPass", "dbPass = \"X\"", 12},
		{"wireguard", "[Interface]\nPrivateKey = X=\n", 43},
		{"laravel", "APP_KEY=base64:X=\n", 43},
		{"rails", "secret_key_base: X\n", 64},
		{"django", "SECRET_KEY = 'X'\n", 50},
		{"call", "setProperty(\"password\", \"X\")", 14},
		{"map", "config[\"secret\"] = \"X\"", 20},
		{"map-get", "os.environ['API_TOKEN'] = 'X'", 20},
		{"credentials", "[default]\naws_access_key_id = x\naws_secret_access_key = X\n", 40},
	} {
		secret := m.of(alnum, one.n)
		m.add("named", one.kind, strings.Replace(one.text, "X", secret, 1), secret)
	}
	auth := encode("ann:" + m.of(alnum, 16))
	m.add("named", "docker-auth", "{\"auths\": {\"registry.host\": {\"auth\": \""+auth+"\"}}}", auth)
	key := encode("-----BEGIN " + "RSA PRIVATE KEY-----\n" + m.of(base64, 200))
	m.add("named", "kubeconfig-key", "    client-key-data: "+key+"\n", key)
}

// replaceWord replaces a letter where it stands alone.
func replaceWord(text, letter, by string) string {
	var out strings.Builder
	for i := range len(text) {
		alone := (i == 0 || !strings.Contains(alnum, text[i-1:i]) || text[i-1] == 'n' && i > 1 && text[i-2] == '\\') && (i+1 == len(text) || !strings.Contains(alnum, text[i+1:i+2]))
		if text[i:i+1] == letter && alone && (i == 0 || text[i-1] != '\\') {
			out.WriteString(by)
		} else {
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

func (m *maker) options() {
	for _, one := range []struct{ kind, text string }{
		{"mysql", "mysql -u root -pX app"},
		{"mysqldump", "mysqldump -h db -uroot -p'X' app > dump.sql"},
		{"sshpass", "sshpass -p X ssh ann@host"},
		{"sshpass-attached", "sshpass -pX scp a host:"},
		{"sshpass-quoted", "sshpass -p 'X' ssh ann@host"},
		{"redis", "redis-cli -h cache -a X ping"},
		{"curl", "curl -u ann:X https://host"},
		{"curl-long", "curl --user ann:X https://host"},
		{"curl-quoted", "curl -s -u 'ann:X' https://host"},
		{"docker-login", "docker login -u ann -p X registry.host"},
		{"ldap", "ldapsearch -x -D cn=admin -w X -b dc=host"},
		{"mongo", "mongosh -u ann -p X --host db"},
		{"password-option", "createuser --name ann --password X"},
		{"password-equals", "mysql --user=ann --password=X app"},
		{"token-option", "gh auth --token X"},
		{"passphrase", "gpg --batch --passphrase X -c file"},
		{"wget", "wget --http-user=ann --http-password=X https://host"},
		{"unzip", "unzip -P X archive.zip"},
		{"7z", "7z x -pX archive.7z"},
		{"smb", "smbclient //host/share -U ann%X"},
		{"az", "az login --service-principal -u app -p X --tenant t"},
		{"sqlcmd", "sqlcmd -S db -U sa -P X -Q 'select 1'"},
		{"in-shell", "$ cd /srv && mysql -uroot -pX < a.sql"},
		{"tool-call", "{\"command\": \"mysql -uroot -pX app\"}"},
	} {
		for range 3 {
			secret := m.of(alnum, 10) + m.of(digits, 2)
			m.add("option", one.kind, strings.Replace(one.text, "X", secret, 1), secret)
		}
	}
}

func (m *maker) wrapped() {
	token := "gh" + "p_" + m.of(alnum, 36)
	for _, one := range []struct{ kind, text string }{
		{"base64-token", "TOKEN is " + token},
		{"base64-password", "password=" + m.of(alnum, 16)},
		{"base64-url", "postgres://ann:" + m.of(alnum, 12) + "@db/app"},
		{"base64-key", "-----BEGIN " + "EC PRIVATE KEY-----\n" + m.of(base64, 120) + "\n-----END " + "EC PRIVATE KEY-----"},
		{"base64-json", "{\"api_key\": \"" + m.of(alnum, 32) + "\"}"},
	} {
		for lead := range 3 {
			wrapped := encode(strings.Repeat("x", lead) + " " + one.text)
			m.add("wrapped", one.kind, "data: "+wrapped+"\n", wrapped)
		}
	}
	hexed := hex.EncodeToString([]byte("password=" + m.of(alnum, 16)))
	m.add("wrapped", "hex-password", "0x"+hexed, hexed)
	hexed = hex.EncodeToString([]byte("x=" + token))
	m.add("wrapped", "hex-token", "dump "+hexed, hexed)
	value, second := encode(m.of(alnum, 9)), encode("hunter"+m.of(digits, 2))
	m.add("wrapped", "kubernetes", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  user: "+value+"\n  value: "+second+"\n", value, second)
	value = encode(m.of(alnum, 9))
	m.add("wrapped", "kubernetes-before", "apiVersion: v1\ndata:\n  value: "+value+"\nkind: Secret\nmetadata:\n  name: db\n", value)
	for _, at := range []int{10, 20, 33} {
		for _, eol := range []string{"\n", "\n    ", "\\\n", "\r\n"} {
			split := "gh" + "p_" + m.of(alnum, 36)
			m.add("wrapped", "split", "the value is "+split[:at]+eol+split[at:]+" end", split[:at], split[at:])
		}
	}
	split := "sk-" + "ant-api03-" + m.of(word, 93) + "AA"
	m.add("wrapped", "split-long", "key "+split[:15]+"\n"+split[15:]+"\n", split[15:])
}

func (m *maker) prose() {
	for _, one := range []string{
		"the password is X", "The password is: X", "Password: X", "my password is X, please log in", "password for ann: X", "use the passphrase X1 (secret: X)", "the api key is X", "token: X",
		"das Passwort ist X", "Passwort: X", "Das Passwort lautet X.", "Kennwort: X", "密码：X", "密码是X", "パスワード：X", "パスワードはX", "비밀번호: X", "contraseña: X", "la contraseña es X",
		"mot de passe : X", "le mot de passe est X", "senha: X", "пароль: X", "Пароль: X", "hasło: X", "wachtwoord: X", "The admin password was X.", "set the password to X",
	} {
		for range 3 {
			secret := m.password()
			m.add("prose", one, strings.Replace(strings.Replace(one, "X1", "from below", 1), "X", secret, 1), secret)
		}
	}
}

func (m *maker) wallets() {
	words := strings.Fields("abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act action actor actress actual")
	for _, around := range []string{"mnemonic: \"X\"", "seed phrase: X", "MNEMONIC=\"X\"", "my recovery phrase is X"} {
		seed := strings.Join(words[:12], " ")
		m.add("wallet", "seed", strings.Replace(around, "X", seed, 1), seed)
	}
	for _, one := range []struct {
		kind, text, alphabet string
		n                    int
	}{
		{"ethereum", "PRIVATE_KEY=0xX", hexa, 64}, {"ethereum-quoted", "privateKey: \"0xX\"", hexa, 64}, {"bitcoin", "private key: 5X", base58, 50}, {"extended", "xp" + "rvX", base58, 107}, {"stellar", "secret: SX", upper + "234567", 55},
	} {
		secret := m.of(one.alphabet, one.n)
		m.add("wallet", one.kind, strings.Replace(one.text, "X", secret, 1), secret)
	}
}

func (m *maker) others() {
	body := m.of(base64, 64) + "\n" + m.of(base64, 64) + "\n" + m.of(base64, 40) + "=\n"
	for _, kind := range []string{"RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED "} {
		m.add("other", "pem "+kind, "-----BEGIN "+kind+"PRIVATE KEY-----\n"+body+"-----END "+kind+"PRIVATE KEY-----\n", body[:64], body[65:129])
	}
	m.add("other", "pem-torn", "-----BEGIN "+"RSA PRIVATE KEY-----\n"+body, body[:64], body[65:129])
	m.add("other", "pem-headless", "$ tail key.pem\n"+body+"-----END "+"RSA PRIVATE KEY-----\n", body[:64], body[65:129])
	m.add("other", "pem-json", "\"-----BEGIN "+"RSA PRIVATE KEY-----\\n"+strings.ReplaceAll(body, "\n", "\\n")+"-----END "+"RSA PRIVATE KEY-----\\n\"", body[:64])
	pgp := m.of(base64, 64)
	m.add("other", "pgp", "-----BEGIN "+"PGP PRIVATE KEY BLOCK-----\n\n"+pgp+"\n=aB3d\n-----END "+"PGP PRIVATE KEY BLOCK-----", pgp)
	mark := m.of(hexa, 80)
	m.add("other", "ansible", "$ANSIBLE_VAULT;1.1;AES256\n"+mark+"\n", mark)
	hash := m.of(alnum, 60)
	m.add("other", "shadow", "root:$6$"+"salt1234$"+hash+":19000:0:99999:7:::", hash)
}
