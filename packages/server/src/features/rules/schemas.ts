import { invalid } from '../../errors.ts'
import type { StoredVariable } from '../../store/resources.ts'
import { forSchemas } from '../../variables/budget.ts'
import { mistakesOfSchema } from '../../variables/validation.ts'

/**
 * Demands of variables that their validation schemas are right for their types. `placeOf` says where each stands in the
 * request. @throws {ApiError} 400 with every mistake, and when it takes too long to tell.
 */
export function demandSchemas(variables: readonly StoredVariable[], placeOf = (_index: number) => ''): void {
  const budget = forSchemas()
  const mistakes = variables.flatMap(({ type, validationSchema }, index) => {
    const found = validationSchema ? mistakesOfSchema(type, validationSchema, budget) : []
    return found.map((mistake) => `${placeOf(index)}${mistake}`)
  })
  if (mistakes.length > 0) throw invalid(mistakes)
}
