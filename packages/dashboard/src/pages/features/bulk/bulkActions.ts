import type { ChangeItem, UpdateFeatures } from '@burgee/contract/schemas'
import type { OutcomeWords } from '../../../components/report/reportText.ts'

/** An action on the selected features. */
export type BulkAction = 'tag' | 'enable' | 'disable' | 'archive'

/** What an action needs besides the features. */
export interface BulkInput {
  readonly tagAction: 'addTags' | 'removeTags'
  readonly tags: string
  /** The key of an environment, or `EVERYWHERE`. */
  readonly environment: string
}

/** Stands for all environments, where features can only be turned off. Not a valid key. */
export const EVERYWHERE = '*'

/** The update of an action; undefined while something is missing. */
export function toBulkUpdate(
  action: BulkAction,
  features: readonly string[],
  { tagAction, tags, environment }: BulkInput
): UpdateFeatures | undefined {
  const all = { features: [...features] }
  switch (action) {
    case 'tag': {
      const list = [...new Set(tags.split(',').map((tag) => tag.trim()))].filter(Boolean)
      return list.length > 0 ? { ...all, action: tagAction, tags: list } : undefined
    }
    case 'enable':
    case 'disable':
      if (action === 'disable' && environment === EVERYWHERE) return { ...all, action: 'kill' }
      return environment && environment !== EVERYWHERE ? { ...all, action, environment } : undefined
    case 'archive':
      return { ...all, action }
  }
}

/** The words for the outcomes of a bulk action. */
export const outcomeWords: OutcomeWords = {
  wouldApply: { word: 'will change', tone: 'partly' },
  wouldRequest: { word: 'will ask for approval', tone: 'waiting' },
  applied: { word: 'changed', tone: 'live' },
  changeRequest: { word: 'waits for approval', tone: 'waiting' },
  unchanged: { word: 'unchanged', tone: 'off' },
  refused: { word: 'refused', tone: 'danger' }
}

const numbers = new Intl.NumberFormat('en')

const counted = {
  wouldApply: (count) => `${numbers.format(count)} would change`,
  wouldRequest: (count) => `${numbers.format(count)} ${count === 1 ? 'needs' : 'need'} approval`,
  applied: (count) => `${numbers.format(count)} changed`,
  changeRequest: (count) => `${numbers.format(count)} ${count === 1 ? 'waits' : 'wait'} for approval`,
  unchanged: (count) => `${numbers.format(count)} unchanged`,
  refused: (count) => `${numbers.format(count)} refused`
} as const satisfies Readonly<Record<ChangeItem['outcome'], (count: number) => string>>

/** How many items have each outcome, for example "9 would change, 1 needs approval, 2 refused". */
export function summarizeItems(items: readonly ChangeItem[]): string {
  const outcomes = Object.keys(counted) as (keyof typeof counted)[]
  return outcomes
    .map((outcome) => [outcome, items.filter((item) => item.outcome === outcome).length] as const)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => counted[outcome](count))
    .join(', ')
}

/** The changes that the action made, by their entries in the history. */
export function appliedChanges(project: string, items: readonly ChangeItem[]) {
  return items.flatMap(({ feature, outcome, revision: entry }) =>
    outcome === 'applied' && entry !== undefined ? [{ params: { project, feature }, entry }] : []
  )
}

/** The items that the action would change, or request a change of. */
export function countReady(items: readonly ChangeItem[]): number {
  return items.filter(({ outcome }) => outcome === 'wouldApply' || outcome === 'wouldRequest').length
}

/** A number of features in words. */
export function countFeatures(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'feature' : 'features'}`
}
