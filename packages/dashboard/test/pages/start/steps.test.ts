import { expect, test } from 'vitest'
import { stepStates } from '../../../src/pages/start/steps.ts'

test('the first step that is not done is the current one', () => {
  expect(stepStates([true, false, false])).toEqual(['done', 'current', 'later'])
})

test('a step can be done before an earlier one', () => {
  expect(stepStates([true, false, true])).toEqual(['done', 'current', 'done'])
})

test('no step is current once all are done', () => {
  expect(stepStates([true, true])).toEqual(['done', 'done'])
})
