import { browser } from './browser.ts'
import { dotnet } from './dotnet.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { kotlin } from './kotlin.ts'
import { node } from './node.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import { react } from './react.ts'
import { ruby } from './ruby.ts'
import type { SnippetCode, SnippetInput, SnippetLanguage } from './snippet.ts'
import { swift } from './swift.ts'

/** All languages with a snippet, in the order of the choice. */
export const languages: readonly SnippetLanguage[] = [
  node,
  browser,
  react,
  python,
  go,
  java,
  dotnet,
  ruby,
  php,
  swift,
  kotlin
]

/** The language with an id; Node.js if there is none. */
export function languageOf(id: string): SnippetLanguage {
  return languages.find((language) => language.id === id) ?? node
}

/** OpenFeature's SDK, or the SDK that the language has besides. */
export type SnippetStyle = 'openfeature' | 'native'

/** The snippet of a language in a style, or in the only style that it has. */
export function snippetOf(language: SnippetLanguage, style: SnippetStyle, input: SnippetInput): SnippetCode {
  const write = language[style] ?? language.openfeature ?? language.native
  if (!write) throw new Error(`the language ${language.id} has no snippet`)
  return write(input)
}
