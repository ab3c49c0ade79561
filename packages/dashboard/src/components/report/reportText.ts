import type { ChangeItem } from '@burgee/contract/schemas'
import type { Tone } from '../Badge.tsx'
import { changeLine } from './changeLine.ts'

/** An item of a report. Some reports have warnings. */
export interface ReportItem extends ChangeItem {
  readonly warnings?: readonly string[]
}

/** The word for each outcome of an item, and its tone. */
export type OutcomeWords = Readonly<Record<ChangeItem['outcome'], { readonly word: string; readonly tone: Tone }>>

/** The reason of a refusal, or the changes, and the warnings. Each line is different. */
export function linesOf(
  { error, changes, warnings = [] }: ReportItem,
  environments: ReadonlyMap<string, string>
): readonly string[] {
  const lines = error ? [error.message].flat() : changes.map((change) => changeLine(change, environments))
  return [...new Set([...lines, ...warnings])]
}

/** A report as text: a line per item with its outcome and what changes. */
export function reportText(
  items: readonly ReportItem[],
  words: OutcomeWords,
  environments: ReadonlyMap<string, string>
): string {
  return items
    .map((item) => [item.feature, words[item.outcome].word, ...linesOf(item, environments)].join('\t'))
    .join('\n')
}
