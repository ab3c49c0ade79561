import { badRequest } from '../../../../lib/errors.ts'
import type { StoredVariable } from '../../../../storage/resources/feature.ts'
import { createSchemaCheckBudget } from '../../../variables/timeBudget.ts'
import { validateVariableSchema } from '../../../variables/validation.ts'

/**
 * Asserts that validation schemas are valid for the types of their variables. `pathOf` returns the path of a variable
 * in the request.
 * @throws {HttpError} 400 with every issue, or when checking takes too long.
 */
export function assertVariableSchemas(variables: readonly StoredVariable[], pathOf = (_index: number) => ''): void {
  const budget = createSchemaCheckBudget()
  const issues = variables.flatMap(({ type, validationSchema }, index) => {
    const found = validationSchema ? validateVariableSchema(type, validationSchema, budget) : []
    return found.map((issue) => `${pathOf(index)}${issue}`)
  })
  if (issues.length > 0) throw badRequest(issues)
}
