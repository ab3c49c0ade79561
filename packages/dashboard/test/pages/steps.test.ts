import { expect, test } from 'vitest'
import { stepStates } from '../../src/pages/start/steps.ts'

test.each([
  [
    [true, false, false],
    ['done', 'current', 'later']
  ],
  [
    [true, false, true],
    ['done', 'current', 'done']
  ],
  [
    [true, true],
    ['done', 'done']
  ]
] as const)('facts %j are the states %j', (facts, states) => {
  expect(stepStates(facts)).toEqual(states)
})
