import type { StoredVariable } from '../../../../storage/resources/feature.ts'
import { checkSchemas, invalidValues } from '../../../variables/checks.ts'
import type { FeatureContext } from '../model/featureContext.ts'

/**
 * Asserts that validation schemas are valid for the types of their variables. `pathOf` returns the path of a variable
 * in the request.
 * @throws {HttpError} 400 with the issues, or when checking takes too much time or memory.
 */
export function assertVariableSchemas(
  variables: readonly StoredVariable[],
  { compute }: Pick<FeatureContext, 'compute'>,
  pathOf = (_index: number) => ''
): void {
  const checks = variables.flatMap(({ type, validationSchema }, index) => {
    return validationSchema ? [{ type, validationSchema, index }] : []
  })
  const found = checkSchemas(
    checks.map(({ type, validationSchema }) => ({ type, validationSchema })),
    compute
  )
  const issues = checks.flatMap(({ index }, position) => {
    return (found[position] ?? []).map((issue) => `${pathOf(index)}${issue}`)
  })
  if (issues.length > 0) throw invalidValues(issues)
}
