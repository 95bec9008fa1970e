// Package wire lays a request out over an address: fields with a `path` tag
// stand in the path, those with a `query` tag in the query, the others in the
// body. Server, client and the OpenAPI document read the same tags.
package wire

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
)

// Parameter is a field of a request that stands in the address.
type Parameter struct {
	Name        string
	InPath      bool
	Required    bool
	Description string
	Type        reflect.Type

	index []int
}

// Parameters are the fields of a request that stand in the address, also those
// of embedded structs.
func Parameters(request reflect.Type) []Parameter {
	var list []Parameter
	for _, field := range reflect.VisibleFields(request) {
		parameter := Parameter{Description: field.Tag.Get("jsonschema"), Type: field.Type, index: field.Index}
		if name, ok := field.Tag.Lookup("path"); ok {
			parameter.Name, parameter.InPath, parameter.Required = name, true, true
		} else if tag, ok := field.Tag.Lookup("query"); ok {
			name, option, _ := strings.Cut(tag, ",")
			parameter.Name, parameter.Required = name, option == "required"
		} else {
			continue
		}
		list = append(list, parameter)
	}
	return list
}

// HasBody says whether a request has fields that stand in the body.
func HasBody(request reflect.Type) bool {
	if reflect.PointerTo(request).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return true
	}
	for _, field := range reflect.VisibleFields(request) {
		if tag, ok := field.Tag.Lookup("json"); ok && tag != "-" {
			return true
		}
	}
	return false
}

// Address is a route's path, with its {names} and query filled from a request.
// What is zero is left out.
func Address[T any](path string, request T) string {
	value, query := reflect.ValueOf(request), url.Values{}
	for _, parameter := range Parameters(value.Type()) {
		field := value.FieldByIndex(parameter.index)
		text := fmt.Sprint(field)
		switch {
		case parameter.InPath:
			path = strings.ReplaceAll(path, "{"+parameter.Name+"}", url.PathEscape(text))
		case !field.IsZero():
			query.Set(parameter.Name, text)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// Fill sets the fields of a request that stand in the address, from what path
// and query hold under their names.
func Fill[T any](request *T, path func(name string) string, query url.Values) error {
	value := reflect.ValueOf(request).Elem()
	for _, parameter := range Parameters(value.Type()) {
		text := query.Get(parameter.Name)
		if parameter.InPath {
			text = path(parameter.Name)
		}
		if text == "" {
			continue
		}
		if err := set(value.FieldByIndex(parameter.index), text); err != nil {
			return fmt.Errorf("invalid %s %q", parameter.Name, text)
		}
	}
	return nil
}

// set reads a text into a field.
func set(field reflect.Value, text string) error {
	switch {
	case field.Kind() == reflect.String:
		field.SetString(text)
	case field.Kind() == reflect.Bool:
		is, err := strconv.ParseBool(text)
		field.SetBool(is)
		return err
	case field.CanInt():
		n, err := strconv.ParseInt(text, 10, 64)
		field.SetInt(n)
		return err
	}
	return nil
}
