import { expect, test } from 'vitest'
import { CreateFeature, Feature } from '../src/schemas.ts'

test.each(['   ', '\t\n', '\u00a0', '\u200b\u200d', '\u2800', '\u3164'])(
  'a request with the name %j, which nobody can see, is invalid',
  (name) => {
    const { error } = CreateFeature.safeParse({ key: 'checkout', name })
    expect(error?.issues).toMatchObject([{ path: ['name'], message: 'should contain a visible character' }])
    expect(Feature.shape.name.safeParse(name).success).toBe(true)
  }
)

test.each([
  'a\nb',
  'a\r\nb',
  'a\tb',
  'a\u0000',
  '\u001b[2Ka',
  'a\u0085b',
  'a\u2028b',
  'a\u2029b',
  'a\u202eb',
  'a\u2066b',
  'a\u{e0041}b',
  'a\u{e0001}',
  '🏴\u{e0067}\u{e0062}\u{e0068}\u{e0069}\u{e007f}',
  '🚀\u{e0141}',
  '葛\u{e0100}\u{e0101}'
])('a request with the name %j, which is not one line of plain text, is invalid', (name) => {
  const { error } = CreateFeature.safeParse({ key: 'checkout', name })
  expect(error?.issues).toMatchObject([{ path: ['name'], message: SINGLE_LINE }])
  const settings = CreateFeature.safeParse({ key: 'checkout', name: 'A', settings: { publicName: name } })
  expect(settings.error?.issues[0]?.path).toEqual(['settings', 'publicName'])
  expect(Feature.shape.name.safeParse(name).success).toBe(true)
  expect(CreateFeature.safeParse({ key: 'checkout', name: 'A', description: 'a\nb' }).success).toBe(true)
})

const SINGLE_LINE = 'should be one line without control characters and hidden letters'

/** The flag of Scotland. */
const SCOTLAND = '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'

test.each(['A', ' A ', '購入', '葛\u{e0100}', '🚀', '👩‍🚀', SCOTLAND, '-', 'שלום\u200f A'])(
  'a request with the name %j is valid',
  (name) => {
    expect(CreateFeature.safeParse({ key: 'checkout', name }).success).toBe(true)
  }
)
