import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { askOn } from '../../src/run/askOn.ts'
import { toFailure } from '../../src/run/failures/toFailure.ts'

function question() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  return { input, output, answer: askOn(input, output, () => {})('Change it? (y/N) ') }
}

test('asks, and returns the line', async () => {
  const { input, output, answer } = question()
  input.write('yes\n')
  expect([await answer, String(output.read())]).toEqual(['yes', 'Change it? (y/N) '])
})

test('does not show a hidden answer', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const answer = askOn(input, output, () => {})('Secret: ', 'hidden')
  input.write('s3cret\n')
  expect([await answer, String(output.read())]).toEqual(['s3cret', 'Secret: \n'])
})

test('an end of the input instead of an answer is no confirmation', async () => {
  const { input, answer } = question()
  input.end()
  expect(await answer.catch(toFailure)).toEqual({
    code: 'NOT_CONFIRMED',
    exit: 11,
    message: 'nothing was changed: the question was not answered'
  })
})
