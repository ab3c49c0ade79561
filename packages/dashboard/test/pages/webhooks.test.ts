import { WebhookEvent } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { readDeliverySearch } from '../../src/pages/webhooks/deliveries/deliverySearch.ts'
import { eventGroups, eventSummary, eventTitle } from '../../src/pages/webhooks/events.ts'
import { addressHint, changedMembers, emptyWebhookForm, toWebhookBody } from '../../src/pages/webhooks/form.ts'

test('every event of the API is in one group', () => {
  const shown = eventGroups.flatMap(({ events }) => events.map(([event]) => event))
  expect([...shown].sort()).toEqual([...WebhookEvent.options].sort())
})

test('an unknown event keeps its name', () => {
  expect(eventTitle('somethingNew')).toBe('somethingNew')
})

test.each([
  [[], 'none'],
  [['enabledEnvironment'], 'turned on'],
  [['enabledEnvironment', 'addedTarget', 'removedTarget'], 'turned on, target added and 1 more'],
  [WebhookEvent.options, 'all events']
])('%j is %j', (events, expected) => {
  expect(eventSummary(events)).toBe(expected)
})

test('a form without a feature is for all features', () => {
  expect(toWebhookBody({ ...emptyWebhookForm, name: 'Log', url: ' https://example.com ' })).toMatchObject({
    url: 'https://example.com',
    _feature: null,
    _environments: []
  })
})

test('only the members that changed are sent', () => {
  const before = { ...emptyWebhookForm, name: 'Log', url: 'https://example.com' }
  expect(changedMembers(before, { ...before, format: 'chat' })).toEqual({ outputFormat: { type: 'chat' } })
  expect(changedMembers(before, { ...before })).toEqual({})
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

test('an address keeps only what the page understands', () => {
  expect(readDeliverySearch({ status: 'dead', page: 3, delivery: 'abc', x: 1 })).toEqual({
    status: 'dead',
    page: 3,
    delivery: 'abc'
  })
  expect(readDeliverySearch({ status: 'lost', page: -1, delivery: '' })).toEqual({})
})
