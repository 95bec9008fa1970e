package secretcorpus

import (
	"math/rand/v2"
	"strings"
)

// Later makes the samples of issuers and shapes that were written down after the first
// rules, by somebody who had not read them: none of them is in All or among the rules
// of gitleaks. Shapes that they showed have rules since.
func Later(seed uint64) []Sample {
	m := &maker{random: rand.New(rand.NewPCG(seed, 21))}
	m.laterIssuers()
	m.laterFiles()
	m.laterCommands()
	m.laterTexts()
	return m.samples
}

const (
	base32  = upper + "234567"
	upperHx = digits + "ABCDEF"
)

// later adds a sample whose secret stands for % in a text.
func (m *maker) later(kind, text, secret string) {
	m.add("forms written after the rules", kind, strings.ReplaceAll(text, "%", secret), secret)
}

// laterIssuers are tokens that say what they are.
func (m *maker) laterIssuers() {
	m.later("buildkite", "export BK=%", "bkua_"+m.of(hexa, 40))
	m.later("circleci", "using % for the pipeline", "CCIPAT_"+m.of(alnum, 22)+"_"+m.of(hexa, 40))
	m.later("cloudinary", "CLOUDINARY_URL=cloudinary://"+m.of(digits, 15)+":%@demo", m.of(alnum, 27))
	m.later("openrouter", "OPENROUTER=%", "sk-or-v1-"+m.of(hexa, 64))
	m.later("nvidia", "the key is %", "nvapi-"+m.of(word, 64))
	m.later("langsmith", "LANGSMITH=%", "lsv2_pt_"+m.of(hexa, 32)+"_"+m.of(hexa, 10))
	m.later("pinecone", "Pinecone(%)", "pcsk_"+m.of(alnum, 6)+"_"+m.of(alnum, 62))
	m.later("tavily", "client = Tavily('%')", "tvly-"+m.of(alnum, 32))
	m.later("firecrawl", "app = Firecrawl('%')", "fc-"+m.of(hexa, 32))
	m.later("elevenlabs", "xi: %", "sk_"+m.of(hexa, 48))
	m.later("resend", "new Resend('%')", "re_"+m.of(alnum, 8)+"_"+m.of(alnum, 24))
	m.later("neon", "neonctl uses %", "napi_"+m.of(lower+digits, 64))
	m.later("render", "curl with %", "rnd_"+m.of(alnum, 28))
	m.later("cerebras", "Cerebras(%)", "csk-"+m.of(lower+digits, 48))
	m.later("posthog", "posthog personal %", "phx_"+m.of(alnum, 43))
	m.later("clickup", "clickup says %", "pk_"+m.of(digits, 8)+"_"+m.of(upper+digits, 32))
	m.later("rollbar", "ROLLBAR_POST_SERVER_ITEM=%", m.of(hexa, 32))
	m.later("tailscale", "tailscale up --authkey=%", "tskey-auth-"+m.of(alnum, 12)+"CNTRL-"+m.of(alnum, 32))
	m.later("ngrok", "ngrok config add-authtoken %", "2"+m.of(alnum, 26)+"_"+m.of(alnum, 21))
	m.later("wandb", "wandb login %", m.of(hexa, 40))
	m.later("coolify", "coolify %", m.of(digits, 2)+"|"+m.of(alnum, 48))
	m.later("confluent", "kafka.sasl.password=%", m.of(base64, 64))
	m.later("firebase-messaging", "server key %", "AAAA"+m.of(word, 7)+":APA91b"+m.of(word, 134))
	m.later("azure-logic-url", "https://prod-1.westus.logic.azure.com/workflows/x/triggers/manual/paths/invoke?api-version=1&sig=%", m.of(word, 43))
	m.later("azure-sas", "https://acc.blob.core.windows.net/c/b?sv=2022-11-02&ss=b&sp=rw&se=2026-01-01&sig=%&sr=b", m.of(alnum, 43))
	m.later("aws-presigned", "https://b.s3.amazonaws.com/k?X-Amz-Date=20260101T000000Z&X-Amz-Signature=%", m.of(hexa, 64))
	m.later("gcs-signed", "https://storage.googleapis.com/b/o?X-Goog-Expires=900&X-Goog-Signature=%", m.of(hexa, 256))
	m.later("onepassword-secret-key", "Secret Key A3-%", strings.Join([]string{m.of(upper+digits, 6), m.of(upper+digits, 6), m.of(upper+digits, 5), m.of(upper+digits, 5), m.of(upper+digits, 5), m.of(upper+digits, 5)}, "-"))
	m.later("otpauth", "otpauth://totp/Acme:ann?secret=%&issuer=Acme", m.of(base32, 32))
	m.later("twitch-chat", "PASS oauth:%", m.of(lower+digits, 30))
	m.later("apple-app-password", "app-specific password: %", m.of(lower, 4)+"-"+m.of(lower, 4)+"-"+m.of(lower, 4)+"-"+m.of(lower, 4))
}

// laterFiles are the files of programs.
func (m *maker) laterFiles() {
	m.later("pgpass", "$ cat ~/.pgpass\ndb.example.com:5432:app:ann:%\n", m.password())
	m.later("my-cnf", "[client]\nuser=ann\npassword=%\n", m.password())
	m.later("nuget", `<add key="ClearTextPassword" value="%" />`, m.password())
	m.later("maven", "<server><id>r</id><username>ann</username><password>%</password></server>", m.password())
	m.later("gradle", "signing.password=%", m.password())
	m.later("rails", "production:\n  secret_key_base: %\n", m.of(hexa, 128))
	m.later("django", "SECRET_KEY = 'django-insecure-%'", m.of(lower+digits+"!@#^&*(-_=+)", 50))
	m.later("spring", "spring.datasource.password=%", m.password())
	m.later("spring-yaml", "spring:\n  datasource:\n    username: ann\n    password: %\n", m.password())
	m.later("tfvars", "db_admin_password = \"%\"", m.password())
	m.later("kubernetes-string", "kind: Secret\nstringData:\n  smtp-pass: %\n", m.password())
	m.later("compose", "    environment:\n      - RABBITMQ_DEFAULT_PASS=%\n", m.password())
	m.later("putty", "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n%\nPrivate-MAC: ", m.of(base64, 48))
	m.later("openvpn", "-----BEGIN OpenVPN Static key V1-----\n%\n-----END OpenVPN Static key V1-----", m.of(hexa, 32)+"\n"+m.of(hexa, 32))
	m.later("rclone", "[remote]\ntype = sftp\npass = %\n", m.of(word, 30))
	m.later("htpasswd", "ann:$apr1$%", m.of(alnum, 8)+"$"+m.of(alnum+"./", 22))
	m.later("wpa", "network={\n  ssid=\"home\"\n  psk=\"%\"\n}", m.password())
	m.later("aspnet", `"ConnectionStrings": {"Default": "Server=db;Database=app;User Id=ann;Password=%;"}`, m.password())
	m.later("boto", "[Credentials]\ngs_secret_access_key = %\n", m.of(base64, 40))
	m.later("msmtp", "account work\nuser ann@example.com\npassword %\n", m.password())
	m.later("svn", "K 8\npassword\nV 12\n%\nEND\n", m.password())
	m.later("jupyter", "http://localhost:8888/lab?token=%", m.of(hexa, 48))
	m.later("php-define", "define( 'AUTH_KEY', '%' );", m.of(alnum+"!@#^&*()-_ []{}<>~`+=,.;:/?|", 64))
}

// laterCommands are options of commands.
func (m *maker) laterCommands() {
	m.later("openssl", "openssl rsa -in k.pem -passin pass:%", m.password())
	m.later("lftp", "lftp -u ann,% sftp://host", m.password())
	m.later("net-use", `net use \\host\share /user:ann %`, m.password())
	m.later("htpasswd-command", "htpasswd -b users ann %", m.password())
	m.later("ipmitool", "ipmitool -H host -U admin -P % chassis status", m.password())
	m.later("kubectl-literal", "kubectl create secret generic db --from-literal=password=%", m.password())
	m.later("helm-set", "helm upgrade x ./x --set auth.rootPassword=%", m.password())
	m.later("aws-configure", "aws configure set aws_secret_access_key %", m.of(base64, 40))
	m.later("powershell", `$p = ConvertTo-SecureString "%" -AsPlainText -Force`, m.password())
	m.later("powershell-env", `$env:DEPLOY_TOKEN = "%"`, m.of(alnum, 32))
	m.later("fish-set", "set -x DEPLOY_TOKEN %", m.of(alnum, 32))
	m.later("cmd-set", "set DB_PASS=%", m.password())
	m.later("chpasswd", "echo 'ann:%' | chpasswd", m.password())
	m.later("sudo-stdin", "echo '%' | sudo -S true", m.password())
	m.later("psql-alter", "ALTER USER ann WITH PASSWORD '%';", m.password())
	m.later("mysql-identified", "CREATE USER 'ann'@'localhost' IDENTIFIED BY '%';", m.password())
	m.later("redis-auth", "127.0.0.1:6379> AUTH %", m.password())
	m.later("keytool", "keytool -list -keystore k.jks -storepass %", m.password())
	m.later("xfreerdp", "xfreerdp /v:host /u:ann /p:%", m.password())
	m.later("restic", "RESTIC_PASSWORD=% restic snapshots", m.password())
}

// laterTexts are what programs print and people write.
func (m *maker) laterTexts() {
	m.later("initial-admin", "Please use the following password to proceed to installation:\n\n%\n", m.of(hexa, 32))
	m.later("generated", "Generated admin credentials: admin / %", m.password())
	m.later("prompted", "Enter password for ann: %\nLogged in.", m.password())
	m.later("go-struct", `cfg := Config{User: "ann", Passwd: "%"}`, m.password())
	m.later("js-object", "auth: { user: 'ann', pass: '%' }", m.password())
	m.later("python-call", `connect("db", user="ann", passwd="%")`, m.password())
	m.later("set-cookie", "Set-Cookie: sid=%; HttpOnly; Path=/", m.of(alnum, 40))
	m.later("ftp", "ftp> user ann\n331 Please specify the password.\nPASS %\n230 Login successful.", m.password())
	m.later("smtp-auth", "AUTH PLAIN %", m.of(base64, 40))
	m.later("digest-uri", "wss://host/socket?access_token=%", m.of(word, 48))
	m.later("italian", "la password è %", m.password())
	m.later("turkish", "Şifre: %", m.password())
	m.later("multi-line-json", "{\n  \"username\": \"ann\",\n  \"password\":\n    \"%\"\n}", m.password())
	m.later("uppercase-hex", "MASTER_KEY: %", m.of(upperHx, 64))
}
