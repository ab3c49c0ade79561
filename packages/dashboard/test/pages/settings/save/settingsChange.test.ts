import { expect, test } from 'vitest'
import { applyChange, inverseOf } from '../../../../src/pages/settings/save/settingsChange.ts'
import { settings } from '../../../support/projectSettings.ts'

test('a change keeps the members that it does not name', () => {
  const after = applyChange(settings, { obfuscation: { required: true } })
  expect(after.obfuscation).toEqual({ enabled: true, required: true })
  expect(after.edgeDB).toBe(settings.edgeDB)
})

test('a change replaces lists and the map of environments as a whole', () => {
  const after = applyChange(settings, {
    observability: { environmentMap: { production: 'abc' } },
    featureApprovalWorkflow: { defaultReviewers: ['bob'] }
  })
  expect(after.observability.environmentMap).toEqual({ production: 'abc' })
  expect(after.featureApprovalWorkflow.defaultReviewers).toEqual(['bob'])
})

test('a change with null removes a member', () => {
  const after = applyChange(settings, { staleness: { released: { days: null } } })
  expect(after.staleness.released).toEqual({ enabled: true })
})

test('the inverse of a change restores the settings', () => {
  const changes = [
    { obfuscation: { required: true }, trustClientWrites: true },
    { observability: { enabled: false, environmentMap: {} } },
    { staleness: { released: { days: null }, unused: { days: 7, types: { ops: 90 } } } }
  ]
  for (const change of changes) {
    const after = applyChange(settings, change)
    const back = applyChange(after, inverseOf(settings, change) ?? {})
    expect(back).toEqual(settings)
  }
})

test('a change that adds a text has no inverse, because the API cannot remove it', () => {
  expect(inverseOf(settings, { optIn: { title: 'Early access' } })).toBeUndefined()
})
