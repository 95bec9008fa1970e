package db

import (
	"hash/crc32"
	"strconv"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumKnown tells a checksum from the 0 of a row that has none.
const sumKnown = 1 << 32

// Sum is the checksum of the texts of a row. It is made for damage, not for
// forgery: whoever can write the file can write the checksum too (ADR 0034).
func Sum(texts ...string) int64 {
	var sum uint32
	for _, text := range texts {
		sum = crc32.Update(sum, castagnoli, []byte(text))
		sum = crc32.Update(sum, castagnoli, []byte{0})
	}
	return sumKnown | int64(sum)
}

// EventSum is the checksum of a row of the table event: its key, and what the digest covers.
func EventSum(key int64, id string, withdrawn bool, body string) int64 {
	row := strconv.FormatInt(key, 10)
	if withdrawn {
		return Sum(row, id, "withdrawn", body)
	}
	return Sum(row, id, "", body)
}
