import { badRequest } from '../../../../lib/errors.ts'
import type { StoredVariable } from '../../../../storage/resources.ts'
import { createSchemaCheckBudget } from '../../../variables/timeBudget.ts'
import { validateVariableSchema } from '../../../variables/validation.ts'

/**
 * Demands of variables that their validation schemas are right for their types. `placeOf` says where each stands in the
 * request. @throws {ApiError} 400 with every mistake, and when it takes too long to tell.
 */
export function assertVariableSchemas(variables: readonly StoredVariable[], placeOf = (_index: number) => ''): void {
  const budget = createSchemaCheckBudget()
  const mistakes = variables.flatMap(({ type, validationSchema }, index) => {
    const found = validationSchema ? validateVariableSchema(type, validationSchema, budget) : []
    return found.map((mistake) => `${placeOf(index)}${mistake}`)
  })
  if (mistakes.length > 0) throw badRequest(mistakes)
}
