import type { ApiResponse } from '@burgee/testing/harness'
import fc from 'fast-check'
import { expect } from 'vitest'
import { audience, audienceKey, name, partial, who } from '../arbitraries.ts'
import * as audiences from '../audiences.ts'
import { meet, named, type Real } from '../real.ts'
import { find, type Model } from '../state.ts'
import { filtersOf } from './bodies.ts'
import { command, type Spec } from './command.ts'
import type { WhoInput } from './inputs.ts'

function agreeOnAudience(key: string, model: Model, real: Real, body: ApiResponse['body']): void {
  const found = find(model.audiences, key)
  expect(body.name).toBe(found?.name)
  meet(real, found?.handle ?? '', body._id)
}

/** The commands that create audiences. */
export const createAudience: Spec<{ key: string; name: string; who: WhoInput }> = {
  operation: 'createAudience',
  rule: ({ key, name, who }) => audiences.createAudience(key, name, who),
  request: ({ who, ...members }, model, real) => ({ body: { ...members, filters: filtersOf(who, model, real) } }),
  agree: ({ key }, model, real, body) => agreeOnAudience(key, model, real, body)
}

/** All commands on audiences. */
export const audienceCommands = [
  ...command(3, fc.record({ key: audienceKey, name, who }), createAudience),
  ...command(
    2,
    fc.record({
      audience,
      body: partial<{ key: string; name: string; who: WhoInput }>({ key: audienceKey, name, who })
    }),
    {
      operation: 'updateAudience',
      rule: ({ audience, body }) => audiences.updateAudience(audience, body),
      request: ({ audience, body: { who, ...members } }, model, real) => ({
        params: { key: named(real, model.audiences, audience) },
        body: { ...members, ...(who ? { filters: filtersOf(who, model, real) } : {}) }
      }),
      agree: ({ audience, body }, model, real, answer) => agreeOnAudience(body.key ?? audience, model, real, answer)
    }
  ),
  ...command(1, fc.record({ audience }), {
    operation: 'deleteAudience',
    rule: ({ audience }) => audiences.deleteAudience(audience),
    request: ({ audience }, model, real) => ({ params: { key: named(real, model.audiences, audience) } })
  })
]
