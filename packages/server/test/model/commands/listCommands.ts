import fc from 'fast-check'
import { expect } from 'vitest'
import { feature } from '../arbitraries.ts'
import { named } from '../real.ts'
import { find, reading } from '../state.ts'
import { byKey, variableOf } from '../views.ts'
import { command } from './command.ts'

/** Lists sorted by key: a page of one, and one without optional members. */
export const listCommands = [
  ...command(
    1,
    fc.record({
      page: fc.integer({ min: 1, max: 3 }),
      perPage: fc.integer({ min: 1, max: 3 }),
      status: fc.constantFrom('active' as const, 'archived' as const, 'complete' as const)
    }),
    {
      operation: 'listFeatures',
      rule: () => () => {},
      request: (given) => ({ query: { ...given, sortBy: 'key', sortOrder: 'desc' } }),
      agree: ({ page, perPage, status }, { features }, _, body) => {
        const kept = features
          .filter((each) => each.status === status)
          .sort(byKey)
          .reverse()
        const keys = kept.slice((page - 1) * perPage, page * perPage).map(({ key }) => key)
        expect(body.map(({ key }: { key: string }) => key)).toEqual(keys)
      }
    }
  ),
  ...command(1, fc.record({ feature, status: fc.constantFrom('active' as const, 'archived' as const) }), {
    operation: 'listVariables',
    rule: ({ feature }) => reading((model) => Boolean(find(model.features, feature))),
    request: ({ feature, status }, model, real) => ({
      query: { feature: named(real, model.features, feature), status, sortBy: 'key', sortOrder: 'asc' }
    }),
    agree: ({ feature, status }, { features, variables }, _, body) => {
      const carrier = find(features, feature)?.handle
      const kept = variables.filter((each) => each.feature === carrier && each.status === status)
      expect(body.map(variableOf)).toEqual(kept.sort(byKey).map(variableOf))
    }
  })
]
