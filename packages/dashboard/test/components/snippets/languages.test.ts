import { describe, expect, test } from 'vitest'
import { languageOf, languages, snippetOf } from '../../../src/components/snippets/languages.ts'
import type { SnippetInput, VariableType } from '../../../src/components/snippets/snippet.ts'

const url = 'https://flags.example.com'

function inputOf(type: VariableType, keyType = 'server'): SnippetInput {
  return { url, sdkKey: `${keyType}-abc123`, variable: { key: 'new-checkout', type } }
}

describe.each(languages.map((language) => [language.title, language] as const))('%s', (_title, language) => {
  const styles = (['openfeature', 'native'] as const).filter((style) => language[style])

  test('has at least one snippet', () => {
    expect(styles.length).toBeGreaterThan(0)
  })

  test.each(styles)('%s: has the address, the variable and the key for each type of variable', (style) => {
    for (const type of ['Boolean', 'String', 'Number', 'JSON'] as const) {
      const { shell, code } = snippetOf(language, style, inputOf(type, language.keyType))
      expect(code).toContain(url)
      expect(code).toContain('new-checkout')
      expect(shell + code).toContain(`${language.keyType}-abc123`)
      expect(shell + code).not.toContain('undefined')
    }
  })

  test.each(styles)('%s: keeps server keys out of the code', (style) => {
    const { code } = snippetOf(language, style, inputOf('Boolean', language.keyType))
    expect(code.includes('server-abc123')).toBe(false)
    if (language.keyType === 'server') expect(code).toContain('BURGEE_SERVER_KEY')
  })
})

test('ids of languages are unique', () => {
  expect(new Set(languages.map(({ id }) => id)).size).toBe(languages.length)
})

test('an unknown language is Node.js', () => {
  expect(languageOf('cobol').id).toBe('node')
})

test('a language without the style has its other snippet', () => {
  expect(snippetOf(languageOf('ruby'), 'openfeature', inputOf('Boolean')).code).toContain('DevCycle::Client')
  expect(snippetOf(languageOf('java'), 'native', inputOf('Boolean')).code).toContain('OfrepProvider')
})

test.each([
  ['Boolean', "getBooleanValue('new-checkout', false, user)"],
  ['String', "getStringValue('new-checkout', '', user)"],
  ['Number', "getNumberValue('new-checkout', 0, user)"],
  ['JSON', "getObjectValue('new-checkout', {}, user)"]
] as const)('%s variables are asked for by the method of their type', (type, expected) => {
  expect(snippetOf(languageOf('node'), 'openfeature', inputOf(type)).code).toContain(expected)
})
