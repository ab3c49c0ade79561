import type { Project, UpdateProtectedSettings } from '@burgee/contract/schemas'

type Staleness = Project['settings']['staleness']
type FeatureType = 'release' | 'experiment' | 'ops' | 'permission'

/** A reason in the form. Days are typed; empty ones are the default. */
export interface ReasonForm {
  readonly enabled: boolean
  readonly days: string
  readonly types: Partial<Readonly<Record<FeatureType, string>>>
}

type ReasonName = 'released' | 'unused' | 'unmodifiedShort' | 'unmodifiedLong'

/** What the form of staleness changes. */
export type StalenessForm = { readonly enabled: boolean } & Readonly<Record<ReasonName, ReasonForm>>

interface ReasonRow {
  readonly name: ReasonName
  readonly title: string
  readonly hint: string
  readonly types: readonly FeatureType[]
  /** The most days. */
  readonly max: number
}

const LONGEST = 3650
const LONGEST_UNUSED = 365

/** The reasons in the order in which the server looks for them. */
export const reasons: readonly ReasonRow[] = [
  {
    name: 'released',
    title: 'Released',
    hint: 'Everyone in production has been getting the same variation for this number of days. Default: 14.',
    types: ['release', 'experiment'],
    max: LONGEST
  },
  {
    name: 'unused',
    title: 'Unused',
    hint: 'No application has evaluated any of its variables for this number of days. Default: 14.',
    types: ['release', 'experiment', 'ops', 'permission'],
    max: LONGEST_UNUSED
  },
  {
    name: 'unmodifiedShort',
    title: 'Unmodified: releases and experiments',
    hint: 'Not modified for this number of days. Default: 14.',
    types: ['release', 'experiment'],
    max: LONGEST
  },
  {
    name: 'unmodifiedLong',
    title: 'Unmodified: ops and permissions',
    hint: 'Not modified for this number of days. Default: 30.',
    types: ['ops', 'permission'],
    max: LONGEST
  }
]

/** What the form shows of the settings. */
export function toStalenessForm(staleness: Staleness): StalenessForm {
  const toReason = ({ name, types }: ReasonRow): readonly [ReasonName, ReasonForm] => {
    const { enabled, days, types: given = {} } = staleness[name]
    const byType: { readonly [Type in FeatureType]?: number | undefined } = given
    return [
      name,
      { enabled, days: toText(days), types: Object.fromEntries(types.map((type) => [type, toText(byType[type])])) }
    ]
  }
  // One member for each reason.
  return { enabled: staleness.enabled, ...Object.fromEntries(reasons.map(toReason)) } as unknown as StalenessForm
}

/** The change that saves the changed members of the form. `null` restores a default. */
export function stalenessChange(
  form: StalenessForm,
  changed: readonly (keyof StalenessForm)[]
): NonNullable<UpdateProtectedSettings['settings']['staleness']> {
  const rows = reasons.filter(({ name }) => changed.includes(name))
  const toChange = ({ name }: ReasonRow) => {
    const { enabled, days, types } = form[name]
    const byType = Object.entries(types).map(([type, text]) => [type, toDays(text)])
    return [name, { enabled, days: toDays(days), types: Object.fromEntries(byType) }]
  }
  return {
    ...(changed.includes('enabled') ? { enabled: form.enabled } : {}),
    ...Object.fromEntries(rows.map(toChange))
  }
}

/** What is wrong with typed days. */
export function problemOf(text: string | undefined, max: number): string | undefined {
  const typed = text?.trim() ?? ''
  if (typed === '') return undefined
  const days = Number(typed)
  return Number.isInteger(days) && days >= 1 && days <= max ? undefined : `Enter a whole number from 1 to ${max}.`
}

function toText(days: number | undefined): string {
  return days === undefined ? '' : String(days)
}

function toDays(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
