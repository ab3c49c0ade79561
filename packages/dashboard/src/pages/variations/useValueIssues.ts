import type { Variable } from '@burgee/contract/schemas'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../../api/query.ts'
import type { VariableValue } from '../../components/values/valueText.ts'
import { changedValues, type Matrix, rowId } from './matrix.ts'

/** What the server finds wrong with values, by `cellId`. */
export type ValueIssues = ReadonlyMap<string, string>

/** Names a cell of the matrix. */
export function cellId(row: string, variable: string): string {
  return `${row}:${variable}`
}

const DELAY_MS = 400

/** Asks the server whether the changed values of a draft are valid: soon after each change, and when `check` is called. */
export function useValueIssues(
  project: string,
  variables: readonly Variable[],
  { base, draft }: { readonly base: Matrix; readonly draft: Matrix }
) {
  const [issues, setIssues] = useState<ValueIssues>(new Map())
  const check = useCallback(async () => {
    const found = new Map(
      (await Promise.all(variables.map((each) => checkVariable(project, each, { base, draft })))).flat()
    )
    setIssues(found)
    return found
  }, [project, variables, base, draft])
  useEffect(() => {
    // Saving checks again: nothing is lost if this early check fails.
    const timer = setTimeout(() => void check().catch(() => undefined), DELAY_MS)
    return () => clearTimeout(timer)
  }, [check])
  return { issues, check }
}

type Matrices = { readonly base: Matrix; readonly draft: Matrix }

async function checkVariable(project: string, variable: Variable, { base, draft }: Matrices) {
  const changed = changedValues(base, draft)
  const cells = draft.variations.flatMap((row) => {
    const value = row.variables[variable.key]
    const isChanged = changed.get(rowId(row))?.includes(variable.key) ?? false
    return isChanged && value !== undefined ? [{ id: cellId(rowId(row), variable.key), value }] : []
  })
  if (cells.length === 0) return []
  const found = await validateValues(
    project,
    variable,
    cells.map(({ value }) => value)
  )
  return cells.flatMap(({ id }, index): [string, string][] => {
    const issue = found[index]
    return issue === undefined ? [] : [[id, issue]]
  })
}

/** Returns what is wrong with each value of a variable; `undefined` for valid ones. */
export async function validateValues(
  project: string,
  { type, validationSchema }: Pick<Variable, 'type' | 'validationSchema'>,
  values: readonly VariableValue[]
): Promise<readonly (string | undefined)[]> {
  const body = { type, ...(validationSchema ? { validationSchema } : {}), values: [...values] }
  const { values: results } = await call('validateVariableValue', { params: { project }, body })
  return results.map(({ isValid, issues }) => (isValid ? undefined : issues.join('; ')))
}
