import { describe, expect, test } from 'vitest'
import { toConfigurationDraft } from '../../src/rules/targets.ts'
import { locateIssue } from '../../src/rules/validate.ts'
import { configuration } from '../support/configuration.ts'

const draft = toConfigurationDraft(configuration)

describe('the draft of a configuration', () => {
  test('places issues of the server at their controls', () => {
    const place = (...path: (string | number)[]) => locateIssue(draft, ['targets', 0, ...path])
    expect(place('audience', 'filters', 'filters', 0, 'values', 3)).toEqual({
      target: '1',
      part: 'filters',
      node: '2',
      path: ['values', 3]
    })
    expect(place('distribution', 1, '_variation')).toEqual({
      target: '1',
      part: 'split',
      node: 'off',
      path: ['_variation']
    })
    expect(place('rollout', 'startDate')).toEqual({ target: '1', part: 'rollout', node: 'start', path: ['date'] })
    expect(place('name')).toEqual({ target: '1', part: 'name', path: [] })
    expect(locateIssue(draft, ['targets', 7])).toEqual({ part: 'configuration', path: ['targets', 7] })
  })
})
