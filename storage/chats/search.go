package chats

import (
	"context"
	"database/sql"
	"strings"
	"time"
	"unicode"
)

// Match is a turn that holds the words of a search.
type Match struct {
	Conversation, Turn int64
	Title              string // of the conversation
	Created            time.Time
	Question           string
	Snippet            string // around the first word that was found
}

// maxMatches bounds a search over conversations.
const maxMatches = 100

// Search finds turns whose question or answer holds every word of text, whole
// words or their beginnings, in any case, with or without accents; the best
// first. Turns that rest on a withheld or forgotten document are left out. Scripts without spaces are searched as they are written. Text without
// a letter or digit finds nothing.
func (s *Store) Search(ctx context.Context, text string) ([]Match, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
	if len(words) == 0 {
		return nil, nil
	}
	clauses := []string{"NOT " + hiddenTurn + "t.id)"}
	var args []any
	var phrase strings.Builder
	for _, w := range words {
		if spaceless(w) { // the word index has no words there
			clauses, args = append(clauses, "instr(t.question || char(10) || t.answer, ?) > 0"), append(args, w)
			continue
		}
		phrase.WriteString(` "` + w + `"*`)
	}
	from, order, snippet := "turns t", "t.id DESC", "''"
	if phrase.Len() > 0 {
		from += " JOIN turns_words ON turns_words.rowid = t.id"
		clauses, args = append(clauses, "turns_words MATCH ?"), append(args, phrase.String())
		order, snippet = "turns_words.rank, t.id DESC", "snippet(turns_words, -1, '', '', '…', 16)"
	}
	args = append(args, maxMatches)
	var found []Match
	err := s.query(ctx, func(rows *sql.Rows) error {
		var m Match
		var created int64
		var answer string
		err := rows.Scan(&m.Conversation, &m.Turn, &m.Title, &created, &m.Question, &answer, &m.Snippet)
		m.Created = time.UnixMilli(created)
		if m.Snippet == "" {
			m.Snippet = around(m.Question+"\n"+answer, words[0])
		}
		found = append(found, m)
		return err
	}, "SELECT t.conversation, t.id, c.title, t.created, t.question, t.answer, "+snippet+" FROM "+from+
		" JOIN conversations c ON c.id = t.conversation WHERE "+strings.Join(clauses, " AND ")+" ORDER BY "+order+" LIMIT ?", args...)
	return found, err
}

// spaceless tells whether a word is of a script that is written without spaces.
func spaceless(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}) >= 0
}

// around cuts some 40 characters to both sides of the first place of word.
func around(text, word string) string {
	before, after, ok := strings.Cut(text, word)
	if !ok {
		before, after, word = "", text, ""
	}
	head, tail := []rune(before), []rune(after)
	left, right := "", ""
	if len(head) > 40 {
		head, left = head[len(head)-40:], "…"
	}
	if len(tail) > 40 {
		tail, right = tail[:40], "…"
	}
	return left + string(head) + word + string(tail) + right
}
