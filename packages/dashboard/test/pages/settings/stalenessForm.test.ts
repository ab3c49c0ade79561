import type { Project } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { problemOf, stalenessChange, toStalenessForm } from '../../../src/pages/settings/stalenessForm.ts'

const staleness: Project['settings']['staleness'] = {
  enabled: true,
  released: { enabled: true, days: 30, types: { experiment: 60 } },
  unused: { enabled: false },
  unmodifiedShort: { enabled: true },
  unmodifiedLong: { enabled: true },
  email: { enabled: false, frequency: 'weekly', users: [] }
}

test('the form of staleness shows days, and leaves defaults empty', () => {
  const form = toStalenessForm(staleness)
  expect(form.released).toEqual({ enabled: true, days: '30', types: { release: '', experiment: '60' } })
  expect(form.unmodifiedLong).toEqual({ enabled: true, days: '', types: { ops: '', permission: '' } })
})

test('only changed reasons are saved, and emptied days return to the default', () => {
  const form = toStalenessForm(staleness)
  const edited = { ...form, released: { ...form.released, days: '', types: { release: '7', experiment: '' } } }
  expect(stalenessChange(edited, ['released'])).toEqual({
    released: { enabled: true, days: null, types: { release: 7, experiment: null } }
  })
})

test.each([
  ['', undefined],
  [' 14 ', undefined],
  ['0', 'Enter a whole number from 1 to 365.'],
  ['366', 'Enter a whole number from 1 to 365.'],
  ['1.5', 'Enter a whole number from 1 to 365.'],
  ['soon', 'Enter a whole number from 1 to 365.']
])('days of %j: %s', (text, problem) => {
  expect(problemOf(text, 365)).toBe(problem)
})
