import { expect, test } from 'vitest'
import { compile } from '../src/index.ts'
import { configWith, featureWith, targetWith } from './configs.ts'

const email = { type: 'user', subType: 'email', comparator: 'endWith', values: ['@example.com'] }
const country = { type: 'user', subType: 'country', comparator: '=', values: ['CA'] }

const evaluator = compile(
  configWith({
    features: [
      featureWith({
        targets: [
          targetWith({ _id: 'staff', name: 'Staff', filters: { operator: 'and', filters: [email, country] } }),
          targetWith({
            _id: '61538237b0a70b58ae6af71f',
            distribution: [
              { _variation: 'a', percentage: 0.5 },
              { _variation: 'b', percentage: 0.5 }
            ],
            rollout: { type: 'gradual', startDate: '2025-01-01T00:00:00.000Z', startPercentage: 0.9 }
          }),
          targetWith({ _id: 'rest' })
        ]
      })
    ]
  })
)

const at = { now: Date.parse('2025-06-01T00:00:00.000Z') }

test('explains which filters match, the position of the hash, and the variation it selects', () => {
  const user = { user_id: 'user1', country: 'CA' }
  const explanation = evaluator.explain(user, 'variable', at)
  const [feature] = explanation.features
  expect(feature?.outcome).toBe('served')
  expect(feature?.targets).toMatchObject([
    {
      _id: 'staff',
      name: 'Staff',
      isReached: true,
      isMatched: false,
      isChosen: false,
      filters: {
        operator: 'and',
        isMatched: false,
        filters: [
          { filter: email, isMatched: false },
          { filter: country, isMatched: true }
        ]
      }
    },
    {
      isReached: true,
      isMatched: true,
      isChosen: true,
      bucketingValue: 'user1',
      // The positions are those of the reference engine.
      rollout: { percentage: 0.9, position: 0.5027770166058971, isAdmitted: true },
      distribution: {
        position: 0.5890456364930248,
        ranges: [
          { _variation: 'b', from: 0, to: 0.5, isHit: false },
          { _variation: 'a', from: 0.5, to: 1, isHit: true }
        ]
      }
    },
    { _id: 'rest', isReached: false, isChosen: false }
  ])
  expect(explanation.resolution).toMatchObject({ status: 'served', variable: evaluator.variable(user, 'variable', at) })
})

test('explains unserved, overridden and unknown variables', () => {
  const unserved = compile(configWith({ features: [featureWith({ targets: [] })] }))
  expect(unserved.explain({ user_id: 'u' }, 'variable').features).toMatchObject([{ outcome: 'unserved', targets: [] }])
  const overridden = evaluator.explain({ user_id: 'u' }, 'variable', { ...at, overrides: { f1: 'c' } })
  expect(overridden.features).toMatchObject([{ outcome: 'overridden', served: { _variation: 'c' } }])
  expect(overridden.resolution).toMatchObject({ variable: { value: 'c' } })
  expect(evaluator.explain({ user_id: 'u' }, 'nowhere')).toEqual({
    key: 'nowhere',
    resolution: { status: 'unknown' },
    features: []
  })
})

test('explains which target failed, and why', () => {
  const failing = compile(configWith({ features: [featureWith({ targets: [targetWith({ distribution: [] })] })] }))
  const [feature] = failing.explain({ user_id: 'u' }, 'variable').features
  expect(feature).toMatchObject({ outcome: 'failed', problem: { code: 'UNDECIDED_DISTRIBUTION' } })
  expect(feature?.targets).toMatchObject([{ isReached: true, isMatched: true, isChosen: false }])
})
