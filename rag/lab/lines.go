package lab

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ErrAbsent says that a set does not lie in the folder.
var ErrAbsent = errors.New("the set is not there")

// openSet opens a file of a set, compressed or not: name or name.gz.
func openSet(dir, name string) (io.ReadCloser, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err == nil {
		return f, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err = os.Open(filepath.Join(dir, name+".gz"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", ErrAbsent, filepath.Join(dir, name))
	}
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), errors.Join(err, f.Close()))
	}
	return unzipped{z, f}, nil
}

type unzipped struct {
	*gzip.Reader
	file *os.File
}

// Close closes the file below.
func (u unzipped) Close() error { return errors.Join(u.Reader.Close(), u.file.Close()) }

// readLines reads one JSON object a line.
func readLines[T any](dir, name string) (rows []T, err error) {
	r, err := openSet(dir, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	d := json.NewDecoder(r)
	for {
		var row T
		err := d.Decode(&row)
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s, object %d: %w", filepath.Join(dir, name), len(rows)+1, err)
		}
		rows = append(rows, row)
	}
}

// readJudgements reads lines of query, passage and grade, split by tabs. A first
// line whose grade is no number is a heading. Grades of 0 are left out.
func readJudgements(dir, name string) (byQuery map[string]Grades, err error) {
	r, err := openSet(dir, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	byQuery = map[string]Grades{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		f := strings.Split(strings.TrimRight(lines.Text(), "\r"), "\t")
		grade, bad := 0, error(nil)
		if len(f) == 3 {
			grade, bad = strconv.Atoi(f[2])
		}
		switch {
		case len(f) == 3 && bad != nil && n == 1:
			continue
		case len(f) != 3 || bad != nil || grade < 0:
			return nil, fmt.Errorf("%s, line %d: not a query, a passage and a grade", filepath.Join(dir, name), n)
		case grade == 0:
			continue
		}
		if byQuery[f[0]] == nil {
			byQuery[f[0]] = Grades{}
		}
		byQuery[f[0]][f[1]] = grade
	}
	return byQuery, lines.Err()
}

// relevantOnly makes a judgement, each of grade 1, of a list of relevant passages.
func relevantOnly(ids []string) Grades {
	g := Grades{}
	for _, id := range ids {
		g[id] = 1
	}
	return g
}
