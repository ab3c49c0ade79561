import type { Environment, Variable } from '@burgee/contract/schemas'
import type { Effect } from '../confirmation/effect.ts'
import { quoted, quotedList } from '../quoted.ts'
import { basisOf } from './basis.ts'
import { differences } from './differences.ts'
import { variableParts } from './featureParts.ts'

/** What deleting a variable would do. It is in no feature, so nobody is served it any more. */
export function deleteVariableEffect(variable: Variable, environments: readonly Environment[]): Effect {
  return {
    summary: [
      `Deletes variable ${quoted(variable.key)} of type ${variable.type} from every environment: ${quotedList(environments.map(({ key }) => key))}.`,
      'Its schema, tags and facts are lost for good, and code that reads it gets its own default.',
      'It is in no feature: it can as well stay, and be in one again.'
    ].join(' '),
    changes: differences(variableParts(variable), undefined),
    environments: [],
    basis: basisOf(variable),
    deletes: variable.key
  }
}
