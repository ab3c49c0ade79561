import { quote, type SnippetCode, type SnippetInput, type SnippetLanguage, shell } from './snippet.ts'

const defaults = { Boolean: 'false', String: '""', Number: '0.0', JSON: 'map[string]any{}' }
const methods = { Boolean: 'Boolean', String: 'String', Number: 'Float', JSON: 'Object' }

function openfeature(input: SnippetInput): SnippetCode {
  const { url, variable } = input
  return {
    shell: shell(
      'go get github.com/open-feature/go-sdk@latest github.com/open-feature/go-sdk-contrib/providers/ofrep@latest',
      input
    ),
    code: `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/open-feature/go-sdk-contrib/providers/ofrep"
	"github.com/open-feature/go-sdk/openfeature"
)

func main() {
	provider := ofrep.NewProvider(${quote(url, '"')}, ofrep.WithBearerToken(os.Getenv("BURGEE_SERVER_KEY")))
	if err := openfeature.SetProviderAndWait(provider); err != nil {
		log.Fatal(err)
	}
	flags := openfeature.NewClient("app")

	user := openfeature.NewEvaluationContext("ada", map[string]any{"country": "CA"})
	fmt.Println(flags.${methods[variable.type]}(context.Background(), ${quote(variable.key, '"')}, ${defaults[variable.type]}, user))
}`
  }
}

function native(input: SnippetInput): SnippetCode {
  const { url, variable } = input
  return {
    shell: shell('go get github.com/devcyclehq/go-server-sdk/v2', input),
    code: `package main

import (
	"fmt"
	"log"
	"os"

	devcycle "github.com/devcyclehq/go-server-sdk/v2"
)

func main() {
	url := ${quote(url, '"')}
	options := devcycle.Options{ConfigCDNURI: url, EventsAPIURI: url}
	flags, err := devcycle.NewClient(os.Getenv("BURGEE_SERVER_KEY"), &options)
	if err != nil {
		log.Fatal(err)
	}

	user := devcycle.User{UserId: "ada", Country: "CA"}
	fmt.Println(flags.VariableValue(user, ${quote(variable.key, '"')}, ${defaults[variable.type]}))
}`
  }
}

export const go: SnippetLanguage = { id: 'go', title: 'Go', keyType: 'server', openfeature, native }
