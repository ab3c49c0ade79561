import { expect, test } from 'vitest'
import { lineDiff } from '../../../src/components/diff/lineDiff.ts'

function show(before: string, after: string): readonly string[] {
  return lineDiff(before, after).map((line) =>
    line.kind === 'skipped' ? `${line.count} skipped` : `${line.kind} ${line.text}`
  )
}

test('keeps equal lines and marks the others', () => {
  expect(show('a\nb\nc', 'a\nx\nc\nd')).toEqual(['same a', 'removed b', 'added x', 'same c', 'added d'])
})

test('leaves out equal lines far from a difference', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  expect(show(lines.join('\n'), [...lines, 'new'].join('\n'))).toEqual([
    '17 skipped',
    'same line 17',
    'same line 18',
    'same line 19',
    'added new'
  ])
})

test('compares with nothing', () => {
  expect(show('', 'a')).toEqual(['added a'])
  expect(show('a', '')).toEqual(['removed a'])
})

test('answers for texts of thousands of lines', () => {
  const many = (name: string) => Array.from({ length: 5000 }, (_, index) => `${name} ${index}`).join('\n')
  expect(lineDiff(many('a'), many('b'))).toHaveLength(10_000)
})
