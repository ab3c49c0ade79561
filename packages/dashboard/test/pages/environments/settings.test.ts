import type { Environment } from '@burgee/contract/schemas'
import { describe, expect, test } from 'vitest'
import { affectsUsers, changesBetween, toForm } from '../../../src/pages/environments/settings.ts'

const environment: Environment = {
  _id: '65f0c0ffee01234567890001',
  _project: '65f0c0ffee01234567890002',
  _createdBy: 'ada',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  key: 'qa',
  name: 'QA',
  type: 'staging',
  readonly: false
}

describe('settings', () => {
  const form = toForm(environment)

  test('nothing is sent where nothing changed', () => {
    expect(changesBetween(form, { ...form })).toBeUndefined()
  })

  test('sends only changed members', () => {
    expect(changesBetween(form, { ...form, name: 'Quality', signedUsers: 'accepted' })).toEqual({
      name: 'Quality',
      settings: { signedUsers: 'accepted' }
    })
  })

  test('a colour that was not there cannot be taken away again', () => {
    expect(changesBetween({ ...form, color: '#112233' }, form)).toBeUndefined()
  })

  test('the type and the settings of evaluation affect users, a name does not', () => {
    expect(affectsUsers({ name: 'Quality' })).toBe(false)
    expect(affectsUsers({ type: 'production' })).toBe(true)
    expect(affectsUsers({ settings: { ofrepOffValues: true } })).toBe(true)
  })
})
