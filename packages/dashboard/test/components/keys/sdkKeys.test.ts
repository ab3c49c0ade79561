import { expect, test } from 'vitest'
import { isExpired, keyEnd, maskedKey, maskKey, newestKey } from '../../../src/components/keys/sdkKeys.ts'

const now = Date.parse('2026-03-01T12:00:00.000Z')

function keyOf(key: string, more = {}) {
  return { key, createdAt: '2026-01-01T00:00:00.000Z', compromised: false, compromised_url: '', ...more }
}

test('a masked key shows its type and its last six characters', () => {
  expect(maskKey('server-burgee_0123456789abcdef')).toBe('server-••••••••abcdef')
  expect(keyEnd('server-burgee_0123456789abcdef')).toBe('abcdef')
})

test('a key without a type shows its end only', () => {
  expect(maskKey('0123456789')).toBe('••••••••456789')
})

test('a key is expired from its expiry on', () => {
  expect(isExpired(keyOf('server-a', { expiresAt: '2026-03-01T12:00:00.000Z' }), now)).toBe(true)
  expect(isExpired(keyOf('server-a', { expiresAt: '2026-03-01T12:00:00.001Z' }), now)).toBe(false)
  expect(isExpired(keyOf('server-a'), now)).toBe(false)
})

test('the newest key is the last one that works', () => {
  const server = [
    keyOf('server-old'),
    keyOf('server-new'),
    keyOf('server-expired', { expiresAt: '2026-02-01T00:00:00.000Z' }),
    keyOf('server-leaked', { compromised: true })
  ]
  expect(newestKey({ server, client: [], mobile: [] }, 'server', now)).toBe('server-new')
  expect(newestKey({ server, client: [], mobile: [] }, 'client', now)).toBeUndefined()
  expect(newestKey(undefined, 'server', now)).toBeUndefined()
})

test('what stands for a key that was not read shows its type', () => {
  expect(maskedKey('client')).toBe('client-••••••••')
})
