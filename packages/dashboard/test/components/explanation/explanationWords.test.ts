import type { ExplainedFeature } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { whySentence } from '../../../src/components/explanation/explanationWords.ts'

const user = { user_id: 'ada', country: 'US' }

function why(missed: ExplainedFeature['missed']): string {
  const feature = { outcome: 'unserved', status: 'active', reason: { reason: 'DEFAULT' }, missed } as ExplainedFeature
  return whySentence(feature, 'Production', { user, customProperties: new Map() })
}

const canada = {
  filter: { type: 'user', subType: 'country', comparator: '=', values: ['CA'] },
  isMatched: false
}

test('a row without targets names the condition that the user does not meet', () => {
  expect(why({ _id: 'one', filter: canada, further: 0 })).toBe('no match: country is Canada (CA) · the user has “US”')
})

test('a row without targets names the rollout that does not include the user', () => {
  const rollout = { percentage: 0.25, position: 0.6891, isAdmitted: false }
  expect(why({ _id: 'one', rollout, further: 0 })).toBe('not included: position 68.91% is beyond the first 25%')
})

test('a row of several targets names the first one', () => {
  expect(why({ _id: 'one', name: 'Canada', filter: canada, further: 1 })).toBe(
    'target “Canada”: no match: country is Canada (CA) · the user has “US”; no other target serves this user'
  )
})

test('a row says no more than that no target serves the user where the cause is not one', () => {
  expect(why({ _id: 'one', further: 0 })).toBe('no target serves this user')
  expect(why(undefined)).toBe('no target serves this user')
})
