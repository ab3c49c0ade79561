import { listLoosenedSettings } from '@burgee/contract/access'
import { expect, test } from 'vitest'
import { consequences } from '../../../../src/pages/settings/save/consequences.ts'
import { applyChange } from '../../../../src/pages/settings/save/settingsChange.ts'
import { settings } from '../../../support/projectSettings.ts'

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
