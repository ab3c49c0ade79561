import type { Place } from './place.ts'
import type { Json, Variable } from './types/variable.ts'

/** A variation with its values beside the variables they are for. */
export interface PreparedVariation {
  readonly _id: string
  readonly key: string
  readonly name: string
  readonly values: readonly { readonly variable: Variable; readonly value: Json }[]
  /** Id of a variable that it gives a value to and that the config does not have. */
  readonly unknownVariable: string | undefined
}

/** Prepares a variation. `variables` are those of the config, by id. */
export function prepareVariation(place: Place, variables: ReadonlyMap<string, Variable>): PreparedVariation {
  const values: { variable: Variable; value: Json }[] = []
  let unknownVariable: string | undefined
  for (const entry of place.at('variables').items()) {
    const id = entry.at('_var').string()
    const variable = variables.get(id)
    if (variable) values.push({ variable, value: entry.at('value').json() })
    else unknownVariable ??= id
  }
  return {
    _id: place.at('_id').string(),
    key: place.at('key').string(),
    name: place.at('name').string(),
    values,
    unknownVariable
  }
}
