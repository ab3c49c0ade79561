import { listLoosenedSettings } from '@burgee/contract/access'
import type { Project } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { consequences } from '../../src/pages/settings/save/consequences.ts'
import { applyChange, inverseOf } from '../../src/pages/settings/save/settingsChange.ts'

const settings: Project['settings'] = {
  edgeDB: { enabled: false },
  optIn: { enabled: false },
  sdkTypeVisibility: { enabledInFeatureSettings: false },
  lifeCycle: { disableCodeRefChecks: false },
  obfuscation: { enabled: true, required: false },
  trustClientWrites: false,
  disablePassthroughRollouts: false,
  observability: { enabled: true, environmentMap: { production: 'abc', staging: 'def' } },
  featureApprovalWorkflow: { enabled: true, allowPublisherBypass: false, defaultReviewers: ['ada'] },
  staleness: {
    enabled: true,
    released: { enabled: true, days: 30 },
    unused: { enabled: true },
    unmodifiedShort: { enabled: true },
    unmodifiedLong: { enabled: true },
    email: { enabled: false, frequency: 'weekly', users: [] }
  }
}

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

test('each setting that approvals cover for evaluations has a sentence about its consequence', () => {
  const changes = [
    { edgeDB: { enabled: true } },
    { trustClientWrites: true },
    { optIn: { enabled: true } },
    { obfuscation: { enabled: false } },
    { obfuscation: { required: true } },
    { disablePassthroughRollouts: true }
  ]
  for (const change of changes) {
    const after = applyChange(settings, change)
    expect(listLoosenedSettings(settings, after), JSON.stringify(change)).toHaveLength(1)
    expect(consequences(settings, after), JSON.stringify(change)).toHaveLength(1)
    expect(consequences(after, settings), JSON.stringify(change)).toHaveLength(1)
  }
})

test('settings that users do not notice have no consequence', () => {
  const after = applyChange(settings, {
    optIn: { title: 'Early access' },
    lifeCycle: { disableCodeRefChecks: true },
    staleness: { enabled: false }
  })
  expect(consequences(settings, after)).toEqual([])
})
