package copilotcli

import (
	"strings"
	"testing"
)

func TestTodosFollowTheStatements(t *testing.T) {
	s := &state{}
	for _, step := range []struct{ query, want string }{
		{"INSERT INTO todos (id, title, description, status) VALUES ('a', 'Read it', 'x; y', 'in_progress'), ('b', 'It''s next', '', 'pending')", "Read it=in_progress, It's next=pending"},
		{"INSERT OR REPLACE INTO todos (id, title) VALUES ('c', 'Third'); UPDATE todos SET status = 'done' WHERE id = 'a';", "Read it=done, It's next=pending, Third=pending"},
		{"UPDATE todos SET status = CASE id WHEN 'b' THEN 'done' WHEN 'c' THEN 'blocked' ELSE status END WHERE id IN ('b', 'c')", "Read it=done, It's next=done, Third=blocked"},
		{"SELECT * FROM todos WHERE status = 'pending'", "Read it=done, It's next=done, Third=blocked"},
		{"INSERT INTO todo_deps (todo_id, depends_on) VALUES ('b', 'a')", "Read it=done, It's next=done, Third=blocked"},
		{"DELETE FROM todos WHERE id = 'b'", "Read it=done, Third=blocked"},
		{"UPDATE todos SET status = 'pending'", "Read it=pending, Third=pending"},
		{"DELETE FROM todos", ""},
		{"INSERT INTO todos", ""},
		{"UPDATE todos SET status = '", ""},
	} {
		for statement := range splitStatements(step.query) {
			s.apply(statement)
		}
		var got []string
		for _, todo := range s.Todos {
			got = append(got, todo.Title+"="+todo.State)
		}
		if strings.Join(got, ", ") != step.want {
			t.Errorf("after %s\ngot  %s\nwant %s", step.query, strings.Join(got, ", "), step.want)
		}
	}
}

func FuzzTodos(f *testing.F) {
	f.Add("INSERT INTO todos (id, title, status) VALUES ('a', 'b', 'done'); UPDATE todos SET status = 'x' WHERE id = 'a'")
	f.Add("UPDATE todos SET status = CASE id WHEN 'a' THEN")
	f.Fuzz(func(_ *testing.T, query string) {
		s := &state{Todos: []todo{{ID: "a"}}}
		for statement := range splitStatements(query) {
			s.apply(statement)
		}
	})
}
