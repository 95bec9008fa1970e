package extract

import (
	"strings"
	"unicode"
)

// A nudge moves the agent on without saying what to do: "yes", "continue",
// "ok do it". The task is what was asked before it.

// nudgeWords are the words nudges are made of in languages that write spaces
// between words. A prompt of at most six such words and nothing else nudges.
var nudgeWords = setOf(
	// English
	"yes y yep yeah yup ya ok okay okey k kk sure go on ahead continue proceed do it that this so please pls next thanks thank you thx ty " +
		"great good perfect nice cool awesome excellent lgtm lets let's let us now sounds looks works fine right correct keep going resume " +
		"again retry try start begin and then all just alright agreed agree approved approve confirm confirmed yess yesss carry move forward " +
		"to the step ship both exactly absolutely definitely of course i done ready no problem hi hello hey test ping carryon man bro sir " +
		"more a bit is fire away " +
		// German
		"ja jo jep klar genau weiter mach machen bitte gerne gern passt gut super danke los geht's gehts fortfahren fortsetzen einverstanden " +
		"so das nächster nächste schritt leg stimmt prima dann mal jetzt " +
		// French
		"oui d'accord daccord vas-y vas continue continuer continuez allez allons bien parfait merci suivant suite la stp svp ça marche " +
		"c'est bon fais-le fais le " +
		// Spanish
		"sí si vale dale sigue seguir continúa continua continuar adelante hazlo claro bueno perfecto gracias procede siguiente por favor de " +
		"acuerdo está bien listo ok " +
		// Italian
		"sì va bene vai avanti procedi prosegui fallo certo perfetto grazie ottimo prossimo " +
		// Portuguese
		"sim pode continue continuar prossiga prosseguir segue seguir faça isso claro beleza bom obrigado obrigada próximo em frente " +
		// Dutch
		"ja ga door verder doe maar prima goed dank je wel akkoord graag volgende oké " +
		// Polish
		"tak dalej kontynuuj dobrze zrób to proszę dzięki jasne następny śmiało super okej działaj " +
		// Russian, Ukrainian
		"да ага ок окей хорошо давай продолжай продолжить продолжайте дальше делай делайте закончи заканчивай доделай пожалуйста спасибо конечно отлично вперед вперёд " +
		"следующий шаг верно так добре далі роби " +
		// Turkish
		"evet tamam tamamdır devam et edelim edin olur peki hadi yap lütfen teşekkürler güzel harika süper sonraki onaylıyorum tabii başla " +
		// Czech, Swedish, Danish, Norwegian, Finnish, Romanian, Hungarian, Greek, Indonesian, Vietnamese
		"ano jo jasně pokračuj dobře ja fortsätt kör gärna bra tack fortsett fortsæt gør det jatka kyllä joo hyvä da continuă bine igen folytasd " +
		"jó rendben ναι συνέχισε εντάξει lanjut lanjutkan oke baik tiếp tục vâng được",
)

// nudgePhrases are whole prompts in scripts without spaces between words, and
// in Korean, Hindi, Arabic and Hebrew.
var nudgePhrases = setOf(
	"是 是的 好 好的 好吧 可以 行 对 对的 继续 请继续 继续吧 下一步 开始 开始吧 没问题 嗯 同意 确认 做吧 就这样 谢谢 繼續 請繼續 好啊 當然 " +
		"はい うん ええ 続けて 続けてください 続行 続き お願い お願いします よろしく よろしくお願いします 進めて 進めてください 次 次へ 了解 それで そうして やって やってください いいよ いいですよ オーケー ありがとう " +
		"네 예 응 어 그래 좋아 좋아요 계속 계속해 계속해줘 계속해주세요 계속하자 진행 진행해 진행해줘 진행해주세요 진행하자 진행합시다 해줘 해주세요 다음 다음단계 시작 시작해 시작해줘 확인 알겠어 고마워 감사합니다 오케이 ㅇㅇ ㅇㅋ ㄱㄱ ㄱ 부탁해 그렇게해 그렇게해줘 " +
		"हाँ हां जारी रखें ठीक نعم استمر أكمل تابع حسنا כן המשך תמשיך בסדר ต่อ ใช่",
)

// isNudge says whether a prompt only moves the agent on. Digits alone are one
// too: they pick from a list.
func isNudge(text string) bool {
	words := nudgeTokens(text)
	if len(words) == 0 {
		return true
	}
	if len(words) <= 3 && nudgePhrases[strings.Join(words, "")] {
		return true
	}
	if len(words) > 6 {
		return false
	}
	for _, w := range words {
		if !nudgeWords[w] && !nudgePhrases[w] && !allDigits(w) {
			return false
		}
	}
	return true
}

// isConsent says whether a nudge says yes, and not merely "next" or "hello".
func isConsent(text string) bool {
	words := nudgeTokens(text)
	if len(words) == 0 || len(words) > 12 {
		return false
	}
	if consent[words[0]] || consent[strings.Join(words, "")] {
		return true
	}
	return len(words) > 1 && consent[words[0]+" "+words[1]]
}

var consent = func() map[string]bool {
	set := setOf("yes y yep yeah yup ok okay sure perfect agreed approved lgtm ja klar genau passt einverstanden oui d'accord vale sí si dale sì " +
		"certo sim tak да давай evet tamam olur 是 是的 好 好的 可以 行 同意 确认 はい うん お願いします 네 예 응 그래 좋아 좋아요 진행해줘 해줘 ano kyllä ναι vâng 1")
	for _, phrase := range []string{"go ahead", "do it", "go for", "sounds good", "mach das", "vas y", "va bene", "let's do"} {
		set[phrase] = true
	}
	return set
}()

func nudgeTokens(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-' && !unicode.IsMark(r)
	})
}

func allDigits(s string) bool {
	for _, r := range s {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}
