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

test.each(['A', ' A ', '購入', '🚀', '👩‍🚀', '-'])('a request with the name %j is valid', (name) => {
  expect(CreateFeature.safeParse({ key: 'checkout', name }).success).toBe(true)
})
