import { isDeepStrictEqual } from 'node:util'
import type { Json, Variation } from '@burgee/core'
import { preconditionFailed } from '../../../../lib/errors.ts'
import type { StoredVariable } from '../../../../storage/resources/feature.ts'
import { checkValues, invalidValues } from '../../../variables/checks.ts'
import type { FeatureContext } from '../model/featureContext.ts'
import type { FeatureState } from '../model/featureState.ts'

/**
 * Asserts that values which changed, or whose variable changed, are valid.
 * @throws {HttpError} 400 for invalid values, or when checking takes too much time or memory; 412 when existing values
 * do not fit a new type.
 */
export function assertValidValues(
  before: FeatureState,
  after: FeatureState,
  { compute }: Pick<FeatureContext, 'compute'>
): void {
  const changed = changedValues(before, after)
  const issuesOf = checkValues(
    changed.map(({ variable, values }) => ({ variable, values: values.map(({ value }) => ({ value })) })),
    compute
  )
  const found = changed.flatMap((values, index) => toProblems(values, issuesOf[index] ?? []))
  const issues = found.filter(({ isMisfit }) => !isMisfit)
  if (issues.length > 0) throw invalidValues(issues.map(({ message }) => message))
  const misfits = found.map(({ message }) => message)
  if (misfits.length > 0) throw preconditionFailed(`values do not fit the new type: ${misfits.join('; ')}`)
}

/** The values of a variable to check. */
interface ChangedValues {
  readonly variable: StoredVariable
  readonly hasNewType: boolean
  readonly values: readonly { readonly variation: string; readonly value: Json | undefined; readonly isKept: boolean }[]
}

function changedValues(before: FeatureState, after: FeatureState): readonly ChangedValues[] {
  const earlier = new Map(before.variables.map((variable) => [variable._id, variable]))
  const known = new Map(before.feature.variations.map((variation) => [variation._id, valuesOf(variation)]))
  const variations = after.feature.variations.map((variation) => {
    return { key: variation.key, values: valuesOf(variation), former: known.get(variation._id) }
  })
  return after.variables.map((variable): ChangedValues => {
    const { _id } = variable
    const was = earlier.get(_id)
    const hasSameRules = was !== undefined && isDeepStrictEqual(rulesOf(was), rulesOf(variable))
    const values = variations.flatMap(({ key, values, former }) => {
      const value = values.get(_id)
      const isKept = was !== undefined && former !== undefined && isDeepStrictEqual(former.get(_id), value)
      return isKept && hasSameRules ? [] : [{ variation: key, value, isKept }]
    })
    return { variable, hasNewType: was !== undefined && was.type !== variable.type, values }
  })
}

function toProblems({ hasNewType, values }: ChangedValues, issues: readonly (string | undefined)[]) {
  return values.flatMap(({ variation, isKept }, index) => {
    const issue = issues[index]
    if (issue === undefined) return []
    return [{ message: `variation "${variation}": ${issue}`, isMisfit: isKept && hasNewType }]
  })
}

function valuesOf({ variables }: Variation): ReadonlyMap<string, Json> {
  return new Map(variables.map(({ _var, value }) => [_var, value]))
}

function rulesOf({ type, validationSchema }: StoredVariable): readonly unknown[] {
  return [type, validationSchema]
}
