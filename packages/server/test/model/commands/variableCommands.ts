import type { ApiResponse } from '@burgee/testing/harness'
import fc from 'fast-check'
import { expect } from 'vitest'
import { feature, mostly, name, partial, typeOf, types, valueFor, variable, variableKey } from '../arbitraries.ts'
import { meet, named, type Real } from '../real.ts'
import { find, keyIn, type Model, reading } from '../state.ts'
import * as variables from '../variables.ts'
import { variableOf } from '../views.ts'
import { command } from './command.ts'

const inVariable = ({ variable }: { variable: string }, model: Model, real: Real) => ({
  params: { key: named(real, model.variables, variable) }
})

function agreeOnVariable(key: string, model: Model, real: Real, body: ApiResponse['body']): void {
  const found = find(model.variables, key)
  expect(variableOf(body)).toEqual(found && variableOf(found))
  meet(real, found?.handle ?? '', body._id)
}

/** All commands on variables. */
export const variableCommands = [
  ...command(
    3,
    fc.oneof(
      variableKey.chain((key) =>
        fc.record({ key: fc.constant(key), type: mostly(fc.constant(typeOf(key)), fc.constantFrom(...types)) })
      ),
      variableKey.chain((key) =>
        fc.record({ key: fc.constant(key), type: fc.constant(typeOf(key)), feature, defaultValue: valueFor(key) })
      )
    ) as fc.Arbitrary<Parameters<typeof variables.createVariable>[0]>,
    {
      operation: 'createVariable',
      rule: variables.createVariable,
      request: ({ feature, ...body }, model, real) => ({
        body: { ...body, ...(feature ? { _feature: named(real, model.features, feature) } : {}) }
      }),
      agree: ({ key }, model, real, body) => agreeOnVariable(key, model, real, body)
    }
  ),
  ...command(
    3,
    fc.record({
      variable,
      body: fc.oneof(
        partial({ key: fc.oneof(variableKey, fc.constant('renamed')), name }),
        fc.record({ type: fc.constantFrom(...types) })
      )
    }) as fc.Arbitrary<{ variable: string; body: Parameters<typeof variables.updateVariable>[1] }>,
    {
      operation: 'updateVariable',
      rule: ({ variable, body }) => variables.updateVariable(variable, body),
      request: ({ variable, body }, model, real) => ({ ...inVariable({ variable }, model, real), body }),
      agree: ({ variable, body }, model, real, answer) =>
        agreeOnVariable(body.key ?? keyIn(variable), model, real, answer)
    }
  ),
  ...command(2, fc.record({ variable, status: fc.constantFrom('active' as const, 'archived' as const) }), {
    operation: 'updateVariableStatus',
    rule: ({ variable, status }) => variables.updateVariableStatus(variable, status),
    request: ({ variable, status }, model, real) => ({ ...inVariable({ variable }, model, real), body: { status } }),
    agree: ({ variable }, model, real, body) => agreeOnVariable(keyIn(variable), model, real, body)
  }),
  ...command(1, fc.record({ variable }), {
    operation: 'deleteVariable',
    rule: ({ variable }) => variables.deleteVariable(variable),
    request: inVariable
  }),
  ...command(1, fc.record({ variable }), {
    operation: 'getVariable',
    rule: ({ variable }) => reading((model) => Boolean(find(model.variables, variable))),
    request: inVariable,
    agree: ({ variable }, model, real, body) => agreeOnVariable(keyIn(variable), model, real, body)
  })
]
