import { WebhookEvent } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { eventGroups, eventSummary, eventTitle } from '../../../src/pages/webhooks/events.ts'

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
