import type { SchemaCheck, ValueCheckInput } from './checks.ts'
import { createSchemaCheckBudget, createValueCheckBudget } from './timeBudget.ts'
import { validateVariableSchema, validateVariableValues } from './validation.ts'

/** The functions of the sandbox, by the names of their tasks. */
export const checkFunctions = {
  checkSchemas: (checks: readonly SchemaCheck[]) => {
    const budget = createSchemaCheckBudget()
    return checks.map(({ type, validationSchema }) => validateVariableSchema(type, validationSchema, budget))
  },
  // JSON has no `undefined`, so a valid value has the issue `null`, and a missing one no member `value`.
  checkValues: (checks: readonly ValueCheckInput[]) => {
    const budget = createValueCheckBudget()
    return checks.map(({ variable, values }) => {
      const issues = validateVariableValues(
        variable,
        values.map(({ value }) => value),
        budget
      )
      return issues.map((issue) => issue ?? null)
    })
  }
}
