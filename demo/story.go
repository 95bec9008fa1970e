package main

import (
	"io"
	"time"
)

// tell is the whole session, in order.
func tell(w io.Writer) error {
	r := newRecorder()
	r.starts()
	exactAmounts(r)
	rates(r)
	homeCurrency(r)
	r.compacts("This session is being continued from a previous conversation that ran out of context. The summary below covers it.\n\n" +
		"1. Primary request: currencies in tally, exact amounts, rates from a file.\n" +
		"2. Done: money.Amount as int64 of the smallest unit, rates.Read with line numbers in its errors.\n" +
		"3. Pending: settle in the home currency, --in, documentation.")
	settle(r)
	return r.writeTo(w)
}

// exactAmounts is the first request: look around, ask, fail with floats, and
// decide.
func exactAmounts(r *recorder) {
	r.prompt(0, "tally splits what flatmates spent. Add currencies: an expense may be in EUR, CHF or USD, and `tally settle` reports in the home currency of the group. "+
		"Rates come from a file, never from the network. Amounts must stay exact to the last cent.")
	r.titled("Currencies in tally settle")
	r.thinks("Look at how amounts are kept before changing anything.")
	r.says("I'll look at how amounts and the settlement work today, then plan.")
	r.reads("expense.go", "package tally\n\n// Expense is what somebody paid for the group.\ntype Expense struct {\n\tWho    string\n\tWhat   string\n\tAmount float64\n}")
	r.reads("settle.go", "package tally\n\n// Settle says who owes whom.\nfunc Settle(list []Expense) []Transfer {\n\ttotal := 0.0\n\tfor _, e := range list {\n\t\ttotal += e.Amount\n\t}\n\treturn transfers(list, total/float64(people(list)))\n}")
	r.reads("read.go", "package tally\n\n// Read reads expenses: date,who,what,amount.\nfunc Read(path string) ([]Expense, error) {\n\trows, err := csv.NewReader(file).ReadAll()\n\treturn expenses(rows), err\n}")
	r.greps("float64", "expense.go:7:\tAmount float64\nsettle.go:5:\ttotal := 0.0\nsettle.go:21:func transfers(list []Expense, share float64) []Transfer {\nread.go:33:\tamount, err := strconv.ParseFloat(field, 64)")
	r.runs("go test ./...", "Run the tests", "ok  \ttally\t0.004s\nok  \ttally/cmd/tally\t0.011s")
	r.todos("> Exact amounts with a currency", "- Read rates from a file", "- Settle in the home currency", "- --in CUR for another one", "- Document the rates file")
	r.asks("Missing rate", "What should settle do when the rates file has no rate for a day?", "money must not be guessed",
		[2]string{"Refuse and name the day", "settle ends with an error that says which rate is missing"},
		[2]string{"Use the last known rate", "go back to the newest earlier day"},
		[2]string{"Ask at the terminal", "prompt for the rate and remember it"})
	r.says("Refusing it is. I'll start with the amounts.")
	r.writes("money/money.go", "// Package money keeps amounts with their currency.", "package money", "", "// Amount is a sum in a currency.", "type Amount struct {", "\tValue    float64", "\tCurrency string", "}")
	r.writes("money/money_test.go", "package money", "", "import \"testing\"", "", "func TestSumOfCents(t *testing.T) {", "\t// ten times ten cents are one euro", "}")
	r.fails("go test ./money", "Run the money tests", "--- FAIL: TestSumOfCents (0.00s)\n    money_test.go:14: ten times 0.10 EUR is 0.9999999999999999, want 1\nFAIL\nFAIL\ttally/money\t0.003s")
	r.thinks("Rounding after each step may hide it, but not make it exact.")
	r.says("Floats drift, as expected. I'll try rounding to two digits after every addition first, it is the smaller change.")
	r.edits("money/money.go", "\tValue    float64", "\tValue    float64 // rounded to cents after each step")
	r.fails("go test ./money", "Run the money tests again", "--- FAIL: TestThirds (0.00s)\n    money_test.go:27: three thirds of 100.00 EUR are 99.99, want 100\nFAIL\nFAIL\ttally/money\t0.003s")
	r.says("Rounded floats lose a cent in thirds. I'll keep integers.", "",
		"DECISION: how amounts are kept",
		"Options: float64, rounded float64, big.Rat, int64 of the smallest unit",
		"Chosen: int64 of the smallest unit",
		"Rationale: exact, small, and what the bank statements have",
		"Trade-offs: the number of digits of a currency must be known; JPY has none", "")
	r.edits("money/money.go", "\tValue    float64 // rounded to cents after each step", "\tUnits    int64 // of the smallest unit: cents, rappen")
	r.edits("expense.go", "\tAmount float64", "\tAmount money.Amount")
	r.edits("read.go", "\tamount, err := strconv.ParseFloat(field, 64)", "\tamount, err := money.Parse(field, currency)")
	r.runs("go test ./money ./...", "Run all tests", "ok  \ttally\t0.005s\nok  \ttally/money\t0.003s\nok  \ttally/cmd/tally\t0.012s")
	r.commits("4be1c07", "money: keep amounts as integers")
	r.todos("x Exact amounts with a currency", "> Read rates from a file", "- Settle in the home currency", "- --in CUR for another one", "- Document the rates file")
	r.answers("Amounts are exact now and committed. Next are the rates.")
}

// rates is the second request, with a correction by the person.
func rates(r *recorder) {
	r.prompt(4*time.Minute, "Rates are in rates.csv: date,from,to,rate. It is edited by hand, so every error must name the line. The format is described in docs/rates.md and at https://example.org/tally/rates-format.")
	r.reads("docs/rates.md", "# The rates file\n\nOne rate a line: `date,from,to,rate`. A rate holds for its day only.")
	r.writes("rates/rates.go", "// Package rates reads exchange rates from a file edited by hand.", "package rates", "", "// Read reads a file of date,from,to,rate.", "func Read(path string) (Table, error) { return parse(path, \",;\") }", "", "// TODO: cross rates, USD to CHF by way of EUR")
	r.writes("rates/rates_test.go", "package rates", "", "import \"testing\"", "", "func TestErrorsNameTheLine(t *testing.T) {}")
	r.runs("go test ./rates", "Run the rates tests", "ok  \ttally/rates\t0.003s")
	r.answers("`rates.Read` takes commas and semicolons as separators, and a comma as decimal point too, so that files from a spreadsheet work.")
	r.prompt(2*time.Minute, "No, don't accept semicolons silently, use exactly the separator in the header line. A wrong rate is worse than an error.")
	r.thinks("The header decides; anything else is an error with its line.")
	r.edits("rates/rates.go", "func Read(path string) (Table, error) { return parse(path, \",;\") }", "func Read(path string) (Table, error) { return parse(path, separator(path)) }")
	r.fails("go test ./rates", "Run the rates tests", "--- FAIL: TestErrorsNameTheLine (0.00s)\n    rates_test.go:31: got \"bad rate\", want \"rates.csv:4: bad rate\"\nFAIL\nFAIL\ttally/rates\t0.003s")
	r.edits("rates/rates.go", "\treturn errors.New(\"bad rate\")", "\treturn fmt.Errorf(\"%s:%d: bad rate\", path, line)")
	r.runs("go test ./rates", "Run the rates tests again", "ok  \ttally/rates\t0.003s")
	r.commits("91d3f52", "rates: read them, and name the line")
	r.todos("x Exact amounts with a currency", "x Read rates from a file", "> Settle in the home currency", "- --in CUR for another one", "- Document the rates file")
	r.answers("The header's separator is the only one now, and every error names its line.")
}

// homeCurrency is a small request, with a call that the person refuses.
func homeCurrency(r *recorder) {
	r.prompt(3*time.Minute, "Keep the home currency in tally.toml beside the expenses, key `home`. Without the file it is EUR, as before.")
	r.runs("ls && git status --short", "See what is there", "LICENSE\nREADME.md\ncmd\ndocs\nexpense.go\ngo.mod\nmoney\nrates\nread.go\nsettle.go\ntestdata")
	r.reads("go.mod", "module tally\n\ngo 1.26.0")
	r.thinks("One key does not need a TOML library, but hand-made parsing of TOML is a trap.")
	r.refused("go get github.com/example/toml@latest", "Add a TOML library")
	r.prompt(time.Minute, "No new dependencies. One line `home = \"CHF\"` is all it will ever hold, so read that and refuse anything else.")
	r.says("Understood: one line, and an error for anything else.")
	r.writes("settings/settings.go", "// Package settings reads tally.toml.", "package settings", "", "// Home is the home currency; EUR when there is no file.", "func Home(dir string) (string, error) { return \"EUR\", nil }")
	r.writes("settings/settings_test.go", "package settings", "", "import \"testing\"", "", "func TestHome(t *testing.T) {}")
	r.runs("go test ./settings", "Run the settings tests", "ok  \ttally/settings\t0.002s")
	r.edits("cmd/tally/main.go", "\treturn run(os.Args[1:])", "\thome, err := settings.Home(\".\")\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn run(home, os.Args[1:])")
	r.fails("go vet ./...", "Vet everything", "# tally/cmd/tally\ncmd/tally/main.go:19:13: too many arguments in call to run")
	r.edits("cmd/tally/main.go", "func run(args []string) error {", "func run(home string, args []string) error {")
	r.runs("go vet ./... && go test ./...", "Vet and test everything", "ok  \ttally\t0.005s\nok  \ttally/cmd/tally\t0.012s\nok  \ttally/money\t0.003s\nok  \ttally/rates\t0.003s\nok  \ttally/settings\t0.002s")
	r.commits("c07b6aa", "settings: the home currency")
	r.answers("`tally.toml` holds the home currency now, without a new dependency.")
}

// settle is the last request. It ends in the middle of the work.
func settle(r *recorder) {
	r.prompt(9*time.Minute, "Now wire the rates into settle: report in the home currency, and add --in CUR to report in another one. Three people must be able to split 100.00 without losing a cent.")
	r.runs("git log --oneline -4 && git diff --stat main", "See what is done", "c07b6aa settings: the home currency\n91d3f52 rates: read them, and name the line\n4be1c07 money: keep amounts as integers\n8d0e6f1 tally: first version\n 11 files changed, 240 insertions(+), 31 deletions(-)")
	r.greps("Settle\\(", "settle.go:4:func Settle(list []Expense) []Transfer {\ncmd/tally/settle.go:8:\treturn print(tally.Settle(list))")
	r.reads("settle.go", "package tally\n\n// Settle says who owes whom.\nfunc Settle(list []Expense) []Transfer {\n\ttotal := sum(list)\n\treturn transfers(list, total.Div(people(list)))\n}")
	r.reads("cmd/tally/settle.go", "package main\n\nfunc settle(args []string) error {\n\tlist, err := tally.Read(args[0])\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn print(tally.Settle(list))\n}")
	r.edits("cmd/tally/settle.go", "\treturn print(tally.Settle(list))", "\treturn print(tally.Settle(list, table, home))")
	r.edits("settle.go", "func Settle(list []Expense) []Transfer {", "func Settle(list []Expense, table rates.Table, home string) ([]Transfer, error) {")
	r.writes("settle_test.go", "package tally", "", "import \"testing\"", "", "func TestThreeWaySplit(t *testing.T) {", "\t// 100.00 CHF among three: 33.34, 33.33, 33.33", "}")
	r.fails("go test ./...", "Run all tests", "--- FAIL: TestThreeWaySplit (0.00s)\n    settle_test.go:41: shares add up to 99.99 CHF, want 100.00 CHF\nFAIL\nFAIL\ttally\t0.006s\nok  \ttally/money\t0.003s\nok  \ttally/rates\t0.003s")
	r.says("The split drops the remainder of the division. I'll try rounding half to even in `money.Div`.")
	r.edits("money/money.go", "\treturn Amount{a.Units / n, a.Currency}", "\treturn Amount{roundHalfEven(a.Units, n), a.Currency}")
	r.fails("go test ./...", "Run all tests again", "--- FAIL: TestThreeWaySplit (0.00s)\n    settle_test.go:41: shares add up to 99.99 CHF, want 100.00 CHF\nFAIL\nFAIL\ttally\t0.006s\nok  \ttally/money\t0.003s\nok  \ttally/rates\t0.003s")
	r.thinks("No rounding of the single share can help: the remainder must go to somebody.")
	r.says("Rounding cannot help: 33.33 three times is 99.99 however it is rounded, so I take it back.")
	r.edits("money/money.go", "\treturn Amount{roundHalfEven(a.Units, n), a.Currency}", "\treturn Amount{a.Units / n, a.Currency}")
	r.todos("x Exact amounts with a currency", "x Read rates from a file", "> Settle in the home currency", "- --in CUR for another one", "- Document the rates file")
	r.answers("TestThreeWaySplit still fails. Next I'll add `money.Split`, which hands the remainder out cent by cent to the people who paid most, use it in settle.go, and run `go test ./...` again.", "",
		"One thing is open: who should get the extra cent when two people paid the same?")
}
