//go:build cgo

package syntax

import (
	"strings"
	"testing"
)

// Parts of a source of each language, broken off anywhere: what is not parsed
// defines nothing.
func TestMayDefine_WhatIsNotParsedDefinesNothing(t *testing.T) {
	skipped := 0
	for lang, source := range map[string]string{
		"go":         "package cart\n\nimport (\n\t\"fmt\"\n)\n\nconst size = 3\n\nvar table = map[string]int{\"a\": 1}\n\ntype Total struct {\n\tn int\n\tname string\n}\n\nfunc (t *Total) Add(n int) error {\n\tt.n += n\n\tif n > 3 {\n\t\treturn fmt.Errorf(\"%d\", n)\n\t}\n\tfor i := range n {\n\t\tt.n += i\n\t}\n\treturn nil\n}\n",
		"python":     "import os\n\n@cached\nclass Cart(Base):\n    size = 3\n\n    def add(self, n):\n        self.n += n\n        if n > 3:\n            raise ValueError(n)\n        return [x for x in range(n)]\n\ntotal = lambda n: n + 1\nprint(total(3))\n",
		"rust":       "use std::fmt;\n\n#[derive(Debug)]\npub struct Cart {\n    n: u32,\n}\n\nimpl Cart {\n    pub fn add(&mut self, n: u32) -> u32 {\n        self.n += n;\n        match n {\n            0 => 1,\n            _ => n,\n        }\n    }\n}\n\nlet x = |a| a + 1;\nprintln!(\"{}\", x(1));\n",
		"typescript": "import { a } from './a'\n\nexport interface Item {\n  name: string\n}\n\nconst total = (list: Item[]) => list.length\n\nexport class Cart {\n  private n = 0\n  add(n: number): void {\n    this.n += n\n  }\n}\n\nlet x = { a: 1, b: [2] }\nx.a += 2\nreturn x\n",
		"javascript": "const a = require('a')\n\nmodule.exports = {\n  total(list) {\n    return list.length\n  },\n  size: 3,\n}\n\nlet x = a ? 1 : 2\nfunction* each(list) {\n  yield* list\n}\n",
	} {
		lines := strings.SplitAfter(source, "\n")
		for from := range lines {
			for to := from + 1; to <= len(lines); to++ {
				part := strings.Join(lines[from:to], "")
				if mayDefine(lang, part) {
					continue
				}
				if skipped++; len(parse(lang, part, everything).symbols) > 0 {
					t.Errorf("%s: %q defines something", lang, part)
				}
			}
		}
	}
	if skipped < 100 {
		t.Errorf("%d parts were skipped: nothing is tested", skipped)
	}
}
