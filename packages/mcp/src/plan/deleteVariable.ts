import type { Environment, Variable } from '@burgee/contract/schemas'
import { formatQuoted, formatQuotedList } from '../results/formatQuoted.ts'
import { diff } from './diff/diff.ts'
import { variableTree } from './diff/featureTree.ts'
import { type Plan, versionOf } from './plan.ts'

/** Plans `delete_variable`. The variable is in no feature, so it is served to no one. */
export function planDeleteVariable(variable: Variable, environments: readonly Environment[]): Plan {
  return {
    summary: [
      `Deletes variable ${formatQuoted(variable.key)} of type ${variable.type} from every environment: ${formatQuotedList(environments.map(({ key }) => key))}.`,
      'Its schema and metadata are lost, and code that reads it gets the default in the code.',
      'It is in no feature, so it can also stay and be added to one later.'
    ].join(' '),
    changes: diff(variableTree(variable), undefined),
    environments: [],
    version: versionOf(variable),
    deletes: variable.key
  }
}
