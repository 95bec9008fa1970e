package secretcorpus

import (
	encoding "encoding/base64"
	"math/rand/v2"
	"strings"
)

// Unseen makes the samples of forms that were written down by somebody who had read
// neither the rules, Later's among them, nor what is written about them: none of them is
// in Later. docs/secrets.md says what of them was found at first sight.
func Unseen(seed uint64) []Sample {
	m := &maker{random: rand.New(rand.NewPCG(seed, 34))}
	m.unseenIssuers()
	m.unseenFiles()
	m.unseenCommands()
	m.unseenTexts()
	return m.samples
}

// unseen adds a sample whose secret stands for % in a text.
func (m *maker) unseen(kind, text, secret string) {
	m.add("forms nobody had read the rules for", kind, strings.ReplaceAll(text, "%", secret), secret)
}

// unseenUUID makes a random UUID.
func (m *maker) unseenUUID() string {
	return m.of(hexa, 8) + "-" + m.of(hexa, 4) + "-4" + m.of(hexa, 3) + "-" + m.of("89ab", 1) + m.of(hexa, 3) + "-" + m.of(hexa, 12)
}

// unseenIssuers are tokens that say what they are.
func (m *maker) unseenIssuers() {
	// AI providers and their surroundings.
	m.unseen("groq", "from groq import Groq\nclient = Groq(api_key=\"%\")\n", "gsk_"+m.of(alnum, 52))
	m.unseen("xai", "- XAI: `%`\n- model: grok-4", "xai-"+m.of(alnum, 80))
	m.unseen("replicate", "I ran it with % and the prediction was queued.", "r8_"+m.of(alnum, 37))
	m.unseen("fireworks", `{"provider":"fireworks","credential":"%"}`, "fw_"+m.of(alnum, 24))
	m.unseen("langfuse", "Langfuse(public_key=\"pk-lf-demo\", secret_key=\"%\", host=\"https://cloud.langfuse.com\")", "sk-lf-"+m.unseenUUID())
	m.unseen("voyage", "vo = voyageai.Client(\"%\")", "pa-"+m.of(word, 43))
	m.unseen("e2b", `{\"stdout\":\"E2B sandbox started with %\\n\",\"exit_code\":0}`, "e2b_"+m.of(hexa, 40))
	m.unseen("anthropic-admin", "curl https://api.anthropic.com/v1/organizations/users -H 'x-api-key: %'", "sk-ant-admin01-"+m.of(word, 93)+"AA")
	m.unseen("kaggle", "kaggle: wrote % to ~/.kaggle/access_token", "KGAT_"+m.of(hexa, 32))
	// Databases, clouds and hosts.
	m.unseen("supabase-secret", "const supabase = createClient('https://abcd.supabase.co', '%')", "sb_secret_"+m.of(word, 22)+"_"+m.of(word, 8))
	m.unseen("databricks-oauth", "client id 0b1c, secret %", "dose"+m.of(hexa, 32))
	m.unseen("backblaze", "b2 account authorize 0051a2b3c4d5e6f0000000001 %", "K005"+m.of(base64, 27))
	m.unseen("scaleway", "scw init access-key=SCWAB12CD34EF56GH78J secret-key=% organization-id=x", m.unseenUUID())
	m.unseen("vercel-blob", "+BLOB_READ_WRITE_TOKEN=\"%\"", "vercel_blob_rw_"+m.of(alnum, 16)+"_"+m.of(alnum, 30))
	m.unseen("cloudflare-tunnel", "sudo cloudflared service install %", encoding.StdEncoding.EncodeToString([]byte(`{"a":"`+m.of(hexa, 32)+`","t":"`+m.unseenUUID()+`","s":"`+m.of(base64, 48)+`"}`)))
	m.unseen("infisical", "infisical export --env=prod --token %", "st."+m.of(hexa, 24)+"."+m.of(hexa, 32)+"."+m.of(hexa, 32))
	m.unseen("bitwarden-machine", "BWS_ACCESS_TOKEN: '%'", "0."+m.unseenUUID()+"."+m.of(alnum, 30)+":"+m.of(base64, 22)+"==")
	// Payment.
	m.unseen("braintree", "gateway = braintree.BraintreeGateway(access_token='%')", "access_token$production$"+m.of(lower+digits, 16)+"$"+m.of(hexa, 32))
	m.unseen("mercadopago", "mercadopago.configure({ access_token: '%' });", "APP_USR-"+m.of(digits, 16)+"-"+m.of(digits, 6)+"-"+m.of(hexa, 32)+"-"+m.of(digits, 9))
	m.unseen("mollie", "mollieClient.setApiKey(\"%\");", "live_"+m.of(alnum, 30))
	m.unseen("stripe-webhook", "> Ready! Your webhook signing secret is % (^C to quit)", "whsec_"+m.of(hexa, 64))
	// Code hosts, packages and CI.
	m.unseen("bitbucket-app", "git remote set-url origin https://ann:%@bitbucket.org/acme/app.git", "ATBB"+m.of(alnum, 24)+m.of(upperHx, 8))
	m.unseen("azure-devops", "echo % | az devops login --organization https://dev.azure.com/acme", m.of(alnum, 76)+"AZDO"+m.of(alnum, 4))
	m.unseen("crates-io", "$ cargo login %\n       Login token for `crates-io` saved", "cio"+m.of(alnum, 32))
	m.unseen("docker-organization", "docker login -u acme -p % docker.io", "dckr_oat_"+m.of(word, 32))
	m.unseen("nuget-push", "dotnet nuget push a.nupkg -k % -s https://api.nuget.org/v3/index.json", "oy2"+m.of(lower+"234567", 43))
	m.unseen("depot", "  - depot build -t app .   # depot %", "depot_project_"+m.of(hexa, 64))
	// Chat, telephones and tools.
	m.unseen("discord-webhook", "https://discord.com/api/webhooks/1184512345678901234/%", m.of(word, 68))
	m.unseen("matrix", "matrix-commander says: logged in with %", "syt_"+m.of(alnum, 8)+"_"+m.of(lower+upper, 20)+"_"+m.of(alnum, 6))
	m.unseen("dingtalk", "curl 'https://oapi.dingtalk.com/robot/send?access_token=%' -d @msg.json", m.of(hexa, 64))
	m.unseen("telnyx", "telnyx.api_key = '%'", "KEY"+m.of(upperHx, 32)+"_"+m.of(alnum, 22))
	m.unseen("figma", "GET /v1/files/abc\nX-Figma-Token: %\n", "figd_"+m.of(word, 40))
	// Monitoring and flags.
	m.unseen("honeycomb", "otlp:\n  headers:\n    x-honeycomb-team: %\n", "hcaik_01"+m.of(lower+digits, 56))
	m.unseen("axiom", "axiom ingest logs -t %", "xaat-"+m.unseenUUID())
	m.unseen("newrelic-license", "newrelic.license_key is % in newrelic.ini", m.of(hexa, 36)+"NRAL")
}

// unseenFiles are the files of programs.
func (m *maker) unseenFiles() {
	m.unseen("tfstate", "{\n  \"type\": \"random_password\",\n  \"name\": \"db\",\n  \"instances\": [{\"attributes\": {\"length\": 20, \"result\": \"%\", \"special\": true}}]\n}", m.of(alnum+"!@#*()-_=+", 20))
	m.unseen("docker-config", `{"type":"tool_result","content":"{\n\t\"auths\": {\n\t\t\"ghcr.io\": {\n\t\t\t\"auth\": \"%\"\n\t\t}\n\t}\n}"}`, encoding.StdEncoding.EncodeToString([]byte("ann:"+m.of(alnum, 26))))
	m.unseen("npmrc-password", "//npm.example.com/:username=ann\n//npm.example.com/:_password=%\n//npm.example.com/:always-auth=true\n", encoding.StdEncoding.EncodeToString([]byte(m.of(alnum, 18))))
	m.unseen("ansible-inventory", "[web]\nweb1 ansible_host=10.0.0.4 ansible_user=deploy ansible_become_pass=%\n", m.password())
	m.unseen("wireguard", "[Interface]\nAddress = 10.8.0.2/24\nPrivateKey = %\nDNS = 10.8.0.1\n", m.of(base64, 43)+"=")
	m.unseen("filezilla", "<Server>\n  <Host>ftp.example.com</Host>\n  <User>ann</User>\n  <Pass encoding=\"base64\">%</Pass>\n</Server>", encoding.StdEncoding.EncodeToString([]byte(m.password())))
	m.unseen("jenkins-credentials", "<username>deploy</username>\n<password>{%}</password>\n", "AQAAABAAAAAQ"+m.of(base64, 32))
	m.unseen("pg-dump", "COPY public.users (id, email, encrypted) FROM stdin;\n1\tann@example.com\t%\n\\.\n", "$2b$12$"+m.of(alnum+"./", 53))
	m.unseen("shadow", "root:*:19700:0:99999:7:::\nann:%:19812:0:99999:7:::\n", "$y$j9T$"+m.of(alnum+"./", 22)+"$"+m.of(alnum+"./", 43))
	m.unseen("tomcat-users", `<user username="admin" password="%" roles="manager-gui,admin-gui"/>`, m.password())
	m.unseen("kubernetes-env", "        env:\n        - name: PG_HOST\n          value: db\n        - name: PG_PASSWORD\n          value: \"%\"\n", m.password())
	m.unseen("dotenv-diff", "diff --git a/.env b/.env\n@@ -3,2 +3,2 @@\n MAIL_USERNAME=ann\n-MAIL_PASSWORD=\n+MAIL_PASSWORD='%'\n", m.password())
	m.unseen("consul-gossip", "datacenter = \"dc1\"\nencrypt = \"%\"\nretry_join = [\"10.0.0.2\"]\n", m.of(base64, 43)+"=")
	m.unseen("redis-conf", "port 6379\nappendonly yes\nrequirepass %\n", m.password())
	m.unseen("cisco", "hostname sw1\nenable secret 5 %\nip ssh version 2\n", "$1$"+m.of(alnum, 4)+"$"+m.of(alnum+"./", 22))
	m.unseen("ipsec-secrets", "# /etc/ipsec.secrets\n203.0.113.1 198.51.100.7 : PSK \"%\"\n", m.of(alnum, 24))
	m.unseen("rndc-key", "key \"rndc-key\" {\n\talgorithm hmac-sha256;\n\tsecret \"%\";\n};\n", m.of(base64, 43)+"=")
	m.unseen("postfix-sasl", "[smtp.example.com]:587 ann@example.com:%\n", m.password())
	m.unseen("service-account", `{"type": "service_account", "project_id": "demo", "private_key": "-----BEGIN `+`PRIVATE KEY-----\n%\n-----END `+`PRIVATE KEY-----\n", "client_email": "a@demo.iam.gserviceaccount.com"}`, "MIIEvQIBADANBgkqhkiG"+m.of(base64, 44)+`\n`+m.of(base64, 64)+`\n`+m.of(base64, 22)+"==")
	m.unseen("jwk", `{"keys":[{"kty":"EC","crv":"P-256","kid":"1","d":"%","use":"sig"}]}`, m.of(word, 43))
	m.unseen("laravel-key", "APP_NAME=Shop\nAPP_ENV=production\nAPP_KEY=base64:%\nAPP_DEBUG=false\n", m.of(base64, 43)+"=")
	m.unseen("postman-environment", `{"name":"prod","values":[{"key":"base","value":"https://api.example.com","enabled":true},{"key":"apiToken","value":"%","type":"secret","enabled":true}]}`, m.of(alnum, 36))
	m.unseen("cloud-init", "#cloud-config\nchpasswd:\n  expire: false\n  list: |\n    ann:%\nssh_pwauth: true\n", m.password())
	m.unseen("winlogon-registry", "[HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Winlogon]\n\"AutoAdminLogon\"=\"1\"\n\"DefaultUserName\"=\"ann\"\n\"DefaultPassword\"=\"%\"\n", m.password())
	m.unseen("mcp-arguments", "{\n  \"mcpServers\": {\n    \"search\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"search-mcp\", \"--api-key\", \"%\"]\n    }\n  }\n}", m.of(alnum, 32))
}

// unseenCommands are options of commands and calls of libraries.
func (m *maker) unseenCommands() {
	// Shells.
	m.unseen("mysqldump-attached", "mysqldump -h db -uroot -p% shop > /tmp/shop.sql", m.password())
	m.unseen("sqlplus", "sqlplus -s scott/%@//ora.example.com:1521/ORCLPDB1 @report.sql", m.of(alnum, 14))
	m.unseen("ldapsearch", "ldapsearch -x -H ldap://ldap.example.com -D cn=admin,dc=example,dc=com -w '%' -b dc=example,dc=com", m.password())
	m.unseen("seven-zip", "7z x backup.7z -p% -o/tmp/restore -y", m.password())
	m.unseen("azure-login", "az login --service-principal -u 11111111-2222-3333-4444-555555555555 -p % --tenant acme.onmicrosoft.com", m.of(alnum, 3)+"8Q~"+m.of(word, 34))
	m.unseen("ssm-parameter", "aws ssm put-parameter \\\n  --name /prod/db/password \\\n  --type SecureString \\\n  --value '%'", m.password())
	m.unseen("expect", `expect -c 'spawn ssh ann@10.0.0.9; expect "assword:"; send "%\r"; interact'`, m.password())
	m.unseen("snmp", "snmpwalk -v3 -l authPriv -u monitor -a SHA -A % -x AES 10.0.0.1 sysDescr", m.of(alnum, 16))
	m.unseen("nmcli", "nmcli device wifi connect \"Office 5G\" password \"%\" ifname wlan0", m.password())
	m.unseen("net-user", `C:\> net user backup % /add /expires:never`, m.password())
	m.unseen("rabbitmqctl", "docker exec mq rabbitmqctl add_user shop '%' && docker exec mq rabbitmqctl set_user_tags shop administrator", m.password())
	m.unseen("gitlab-header", `{"command": "curl -s --header \"PRIVATE-TOKEN: %\" \"https://gitlab.example.com/api/v4/projects?per_page=5\" | jq '.[].name'"}`, m.of(word, 20))
	m.unseen("session-cookie", "curl -sS -b 'lang=en; PHPSESSID=%' https://shop.example.com/admin/orders", m.of(lower+digits, 26))
	// Databases.
	m.unseen("sql-server-login", "ALTER LOGIN [sa] WITH PASSWORD = N'%', CHECK_POLICY = OFF;\nGO", m.password())
	m.unseen("mongo-create-user", "db.createUser({ user: \"shop\", pwd: \"%\", roles: [{ role: \"readWrite\", db: \"shop\" }] })", m.password())
	m.unseen("clickhouse-s3", "SELECT count() FROM s3('https://b.s3.amazonaws.com/e/*.parquet', 'AKIDEXAMPLE', '%', 'Parquet')", m.of(base64, 40))
	m.unseen("sql-insert", "INSERT INTO integrations (id, vendor, api_key) VALUES (7, 'acme', '%');", m.of(alnum, 40))
	// Libraries.
	m.unseen("java-driver-manager", "Connection c = DriverManager.getConnection(\"jdbc:postgresql://db:5432/shop\", \"shop\", \"%\");", m.password())
	m.unseen("csharp-network-credential", "smtp.Credentials = new NetworkCredential(\"ann@example.com\", \"%\");", m.password())
	m.unseen("go-plain-auth", "auth := smtp.PlainAuth(\"\", \"ann@example.com\", \"%\", \"smtp.example.com\")", m.password())
	m.unseen("python-requests", "r = requests.get(f\"{BASE}/rest/api/2/myself\", auth=(\"ann\", \"%\"), timeout=10)", m.password())
	m.unseen("php-pdo", "$pdo = new PDO('mysql:host=db;dbname=shop', 'shop', '%');", m.password())
	m.unseen("rust-bearer", "let res = client.get(url).bearer_auth(\"%\").send().await?;", m.of(alnum, 40))
	m.unseen("node-jwt", "const session = jwt.sign({ sub: user.id }, '%', { expiresIn: '7d' });", m.of(alnum, 32))
	m.unseen("elixir-repo", "config :shop, Shop.Repo,\n  username: \"shop\",\n  password: \"%\",\n  hostname: \"db\"\n", m.password())
}

// unseenTexts are what programs print and people write.
func (m *maker) unseenTexts() {
	// Programs.
	m.unseen("elasticsearch-first-start", "✅ Elasticsearch security features have been configured\n\nℹ️  Password for the elastic user (reset it with the tool in bin/):\n  %\n", m.of(alnum+"_*=+-", 20))
	m.unseen("kubeadm-join", "kubeadm join 10.0.0.2:6443 --token % \\\n\t--discovery-token-ca-cert-hash sha256:0000", m.of(lower+digits, 6)+"."+m.of(lower+digits, 16))
	m.unseen("php-stack-trace", "[2026-01-12 08:14:02] production.ERROR: SQLSTATE[HY000] [2002] Connection refused\n#0 Connector.php(67): PDO->__construct('mysql:host=db;d...', 'shop', '%', Array)\n#1 {main}", m.of(alnum, 14))
	m.unseen("header-log", "DEBUG:client:send GET /v2/orders headers={'accept': '*/*', 'authorization': 'Bearer %', 'user-agent': 'shop/1.4'}", m.of(word, 44))
	m.unseen("printed-environment", `{"role":"tool","content":[{"type":"text","text":"HOME=/root\nQUEUE_PW=%\nPWD=/app\nSHLVL=1\n"}]}`, m.password())
	m.unseen("bitlocker-recovery", "Numerical Password:\n  ID: {0A1B}\n  Password:\n    %\n", strings.Join([]string{m.of(digits, 6), m.of(digits, 6), m.of(digits, 6), m.of(digits, 6), m.of(digits, 6), m.of(digits, 6), m.of(digits, 6), m.of(digits, 6)}, "-"))
	m.unseen("reset-link", "Click below to choose a new password:\nhttps://app.example.com/users/password/edit?reset_password_token=%\nThe link is valid for 6 hours.", m.of(word, 20))
	// People.
	m.unseen("markdown-table", "| host | user | password |\n|------|------|----------|\n| db-1 | ann | `%` |\n", m.password())
	m.unseen("chat-slash", "ann  10:32\nstaging is up, login is qa@example.com / % – please don't share\nbob  10:33\nthx 👍", m.password())
	m.unseen("agent-prose", "I'll log in as `admin` with the password you gave me (`%`) and check whether the dashboard loads.", m.password())
	m.unseen("polish", "Hasło do bazy testowej to %, zmień je po pierwszym logowaniu.", m.password())
	m.unseen("russian", "пароль от сервера: %, логин root", m.password())
	m.unseen("chinese", "测试环境的数据库密码是%，用户名是 root。", m.password())
	m.unseen("japanese", "管理者のパスワードは「%」です。よろしくお願いします。", m.password())
	m.unseen("portuguese", "oi, a senha do wi-fi do escritório é % (rede Acme-Visitantes)", m.password())
}
