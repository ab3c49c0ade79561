import { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { describeJsonProblem } from '../../../src/pages/targeting/describeJsonProblem.ts'

const problemsOf = (value: unknown) =>
  UpdateFeatureConfiguration.safeParse(value).error?.issues.map(describeJsonProblem)

test.each([
  [[], ['The configuration should be an object, not an array.']],
  [{ targets: {} }, ['targets should be an array, not an object.']],
  [{ targets: [[]] }, ['Target 1 should be an object, not an array.']]
])('names what is wrong in %j', (value, problems) => {
  expect(problemsOf(value)).toEqual(problems)
})

test('names the target by its position and a member that is missing', () => {
  const problems = problemsOf({ targets: [{}] })
  expect(problems).toContain('Target 1: audience is missing.')
})

test('keeps the words of the contract', () => {
  const [problem] = problemsOf({ status: 'on' }) ?? []
  expect(problem).toMatch(/^status: (?!Invalid input)/)
})
