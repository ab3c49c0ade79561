import { cpuTime } from '@burgee/testing/system/cpuTime'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { commonWords } from '../../../src/identity/people/commonPasswords.ts'
import { validatePassword } from '../../../src/identity/people/validatePassword.ts'

const ada = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' }

describe('a refused password', () => {
  test.each([
    ['', 'should have at least 12 characters, but has 0'],
    ['k7dm-2xqp-9', 'should have at least 12 characters, but has 11'],
    ['k7dm-2xqp'.repeat(29), 'should have at most 256 characters, but has 261'],
    ['passwordpassword', 'common words or years'],
    ['P@ssw0rd1234', 'common words or years and sequences of characters'],
    ['Welcome2026!!', 'common words or years'],
    ['summer2025winter', 'common words or years'],
    ['burgee-admin-1', 'common words or years'],
    ['aaaaaaaaaaaa', 'repetitions'],
    ['x'.repeat(256), 'repetitions'],
    ['q7zq7zq7zq7z', 'repetitions'],
    ['abcdefghijkl', 'sequences of characters'],
    ['zyxwvutsrqponm', 'sequences of characters'],
    ['123456789012', 'sequences of characters'],
    ['qwertyuiop123', 'sequences of characters'],
    ['1qaz2wsx3edc', 'sequences of characters'],
    ['ada.lovelace@example.com', 'the name or e-mail address of its owner'],
    ['ADA.LOVELACE', 'the name or e-mail address of its owner'],
    ['Ada Lovelace 1815', 'the name or e-mail address of its owner'],
    ['L0vel4ce-4d4!', 'the name or e-mail address of its owner']
  ])('is %j', (password, mistake) => {
    expect(validatePassword(password, ada)).toEqual([expect.stringContaining(mistake)])
  })
})

test.each([
  'k7dm-2xqp-9z',
  'the cat ate 3 grey shoes',
  'Ada and nine other dogs',
  '  spaces count  x9',
  'пароль-который-длинный'
])('%j can be used', (password) => expect(validatePassword(password, ada)).toEqual([]))

it('a common word with a few characters around it is refused', () => {
  const few = fc.string({ maxLength: 2 })
  const long = commonWords.filter((word) => word.length >= 8)
  fc.assert(
    fc.property(few, fc.constantFrom(...long), few, (before, word, after) => {
      const password = `${before}${word}${word}${after}`
      expect(validatePassword(password, ada)).not.toEqual([])
    })
  )
})

it('random passwords are accepted, and refused ones are never repeated', () => {
  const random = fc
    .uint8Array({ minLength: 24, maxLength: 24 })
    .map((bytes) => Buffer.from(bytes).toString('base64url'))
  fc.assert(
    fc.property(random, (password) => {
      fc.pre(new Set(password).size > 12)
      expect(validatePassword(password, ada)).toEqual([])
      for (const mistake of validatePassword(password.slice(0, 8), ada))
        expect(mistake).not.toContain(password.slice(0, 8))
    })
  )
})

it('the longest password is checked within a moment', async () => {
  const person = { email: `${'a'.repeat(64)}@example.com`, name: 'ab '.repeat(33) }
  expect(await cpuTime(() => validatePassword('ab'.repeat(128), person))).toBeLessThan(1_000)
})
