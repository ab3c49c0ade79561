import { expect, test } from 'vitest'
import { addressHint, emptyWebhookForm, toWebhookBody, toWebhookUpdate } from '../../../src/pages/webhooks/form.ts'

test('a form without a feature is for all features', () => {
  expect(toWebhookBody({ ...emptyWebhookForm, name: 'Log', url: ' https://example.com ' })).toMatchObject({
    url: 'https://example.com',
    _feature: null,
    _environments: []
  })
})

test('only the members that changed are sent', () => {
  const before = { ...emptyWebhookForm, name: 'Log', url: 'https://example.com' }
  expect(toWebhookUpdate(before, { ...before, format: 'chat' })).toEqual({ outputFormat: { type: 'chat' } })
  expect(toWebhookUpdate(before, { ...before })).toEqual({})
})

test.each([
  ['https://example.com/hooks', undefined],
  ['not an address', undefined],
  ['http://example.com', /Prefer https/],
  ['http://localhost:3000', /private/],
  ['https://10.0.0.7', /private/],
  ['https://172.20.1.1', /private/],
  ['https://172.32.1.1', undefined],
  ['https://[::1]/', /private/],
  ['https://hooks.internal', /private/]
])('the hint of %s is %s', (url, expected) => {
  if (expected) expect(addressHint(url)).toMatch(expected)
  else expect(addressHint(url)).toBeUndefined()
})
