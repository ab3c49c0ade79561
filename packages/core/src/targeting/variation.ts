import type { JsonCursor } from '../json/jsonCursor.ts'
import type { Json, Variable } from '../types/variable.ts'

/** A prepared variation: its values with the variables they belong to. */
export interface PreparedVariation {
  readonly _id: string
  readonly key: string
  readonly name: string
  readonly values: readonly { readonly variable: Variable; readonly value: Json }[]
  /** The id of the first variable that is missing from the config, if any. */
  readonly unknownVariable: string | undefined
}

/** The variables of a config by id. */
export type VariablesById = Pick<ReadonlyMap<string, Variable>, 'get'>

/** Prepares a variation. `variables` are the variables of the config by id. */
export function prepareVariation(cursor: JsonCursor, variables: VariablesById): PreparedVariation {
  const values: { variable: Variable; value: Json }[] = []
  let unknownVariable: string | undefined
  for (const entry of cursor.at('variables').items()) {
    const id = entry.at('_var').string()
    const variable = variables.get(id)
    if (variable) values.push({ variable, value: entry.at('value').json() })
    else unknownVariable ??= id
  }
  return {
    _id: cursor.at('_id').string(),
    key: cursor.at('key').string(),
    name: cursor.at('name').string(),
    // A copy has the exact length. The list that grew has room for up to 17 more values.
    values: values.slice(),
    unknownVariable
  }
}
