import { escapeLine } from '@burgee/kit/text'
import { changesWords } from './formatChange.ts'
import { formatColumns } from './formatColumns.ts'

/** The result, or the predicted result, for one of several features. */
export interface ReportedFeature {
  readonly feature: string
  readonly outcome: string
  readonly changes: readonly { readonly type: string }[]
  readonly error?: { readonly message: string | readonly string[] }
  readonly warnings: readonly string[]
}

/** Whether the item of a preview would change its feature. */
export function isChanging({ outcome }: Pick<ReportedFeature, 'outcome'>): boolean {
  return /^would/.test(outcome)
}

/** Formats a report of changes of features as a table. Reasons of refusals are below it, since a column would cut them. */
export function formatFeatureReport(items: readonly ReportedFeature[], width: number): readonly string[] {
  const rows = items.map(({ feature, outcome, changes, error, warnings }) => {
    const made = changesWords(changes)
    const details = [made, error ? 'see below' : '', ...warnings].filter(Boolean).join('; ')
    return [feature, outcomeWords[outcome] ?? outcome, details]
  })
  const reasons = items.flatMap(({ feature, error }) => {
    return error ? [`${feature}: ${escapeLine([error.message].flat().join('; '))}`] : []
  })
  return [...formatColumns([['KEY', 'OUTCOME', 'DETAILS'], ...rows], width, { wrapped: [1, 2] }), ...reasons]
}

const outcomeWords: Readonly<Record<string, string>> = {
  applied: 'changed',
  changeRequest: 'change request',
  wouldApply: 'would change',
  wouldRequest: 'would become a change request'
}
