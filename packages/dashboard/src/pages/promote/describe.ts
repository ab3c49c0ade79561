import type { Comparison, TargetComparison } from '@burgee/contract/schemas'
import { condition, rolloutState, sentence, type WordContext } from '@burgee/contract/words'
import { targetName } from '../../components/feature/targetName.ts'

type Field = TargetComparison['fields'][number]

/** A line of a comparison: what differs, and how it is on both sides. */
export interface ComparedLine {
  readonly id: string
  /** The target or the setting. */
  readonly subject: string
  /** The part of it that differs. */
  readonly part?: string
  readonly left: string
  readonly right: string
  readonly isDifferent: boolean
}

/** What users of a target that only the other side has get. */
const ABSENT = 'No such target: these users go on to the next one.'

/** The lines of a compared feature, in the order of its targets. */
export function compareLines(feature: Comparison['features'][number], context: WordContext): readonly ComparedLine[] {
  const { status, admittedNow, targets } = feature
  const [left = 0, right = 0] = admittedNow.map((share) => Math.round(share * 1e4) / 1e4)
  return [
    {
      id: 'status',
      subject: 'Status',
      left: statusWord(status[0]),
      right: statusWord(status[1]),
      isDifferent: status[0] !== status[1]
    },
    {
      id: 'admitted',
      subject: 'Users included now, at most',
      left: percent(left),
      right: percent(right),
      isDifferent: left !== right
    },
    ...targets.flatMap((target, index) => targetLines(target, index, context))
  ]
}

/** `off` where the feature was never configured. */
function statusWord(status: 'active' | 'inactive' | null | undefined): string {
  if (status === null) return 'missing'
  return status === 'active' ? 'on' : 'off'
}

function targetLines(
  { name, change, fields }: TargetComparison,
  index: number,
  context: WordContext
): readonly ComparedLine[] {
  const subject = nameOf({ name, fields }, context) ?? `Target ${index + 1}`
  const line = (left: string, right: string, part?: string): ComparedLine => ({
    id: `${index} ${part ?? ''}`,
    subject,
    ...(part === undefined ? {} : { part }),
    left,
    right,
    isDifferent: change !== 'same'
  })
  if (change === 'added') return [line(ABSENT, describeWhole(fields, 'b', context))]
  if (change === 'removed') return [line(describeWhole(fields, 'a', context), ABSENT)]
  if (change === 'moved') return [line('different position', 'different position', 'order')]
  if (change === 'same') return [line('equal', 'equal')]
  return fields.map((field) =>
    line(describeField(field, 'a', context), describeField(field, 'b', context), partOf(field))
  )
}

/** The name of a target, or its condition where the comparison has it. */
function nameOf({ name, fields }: Pick<TargetComparison, 'name' | 'fields'>, context: WordContext): string | undefined {
  const filters = fields.find(({ path }) => path === 'audience.filters')
  return filters ? targetName(name, Object(filters.b ?? filters.a), context) : (name ?? undefined)
}

/** A target that one side has, in a sentence. */
function describeWhole(fields: readonly Field[], side: 'a' | 'b', context: WordContext): string {
  const sideOf = (path: string) => fields.find((field) => field.path === path)?.[side]
  const [rollout, shares] = [sideOf('rollout'), sideOf('distribution')]
  return sentence(
    {
      audience: { filters: Object(sideOf('audience.filters')) },
      ...(typeof rollout === 'object' ? { rollout } : {}),
      distribution: (Array.isArray(shares) ? shares : []).map(([variation, percentage]) => ({
        _variation: variation,
        percentage
      }))
    },
    context
  )
}

const parts: Readonly<Record<string, string>> = {
  name: 'name',
  'audience.name': 'name of the audience',
  'audience.filters': 'conditions',
  rollout: 'rollout',
  distribution: 'serves',
  bucketingKey: 'bucketing key'
}

function partOf({ path }: Field): string {
  return parts[path] ?? path
}

function describeField(field: Field, side: 'a' | 'b', context: WordContext): string {
  const value = field[side]
  if (field.path === 'audience.filters') return condition({ operator: 'and', ...Object(value) }, context)
  if (field.path === 'distribution') return describeShares(value, context)
  if (field.path === 'rollout') return describeRollout(value, context)
  if (field.path === 'bucketingKey') return typeof value === 'string' ? value : 'user_id'
  return value === null ? 'none' : String(value)
}

function describeShares(shares: unknown, { variations }: WordContext): string {
  if (!Array.isArray(shares)) return 'nothing'
  return shares
    .flatMap((share: unknown) => {
      const [key, percentage] = Array.isArray(share) ? share : []
      return typeof key === 'string' ? [`${variations?.get(key) ?? key} ${percent(Number(percentage))}`] : []
    })
    .join(', ')
}

function describeRollout(rollout: unknown, { now, locale = 'en', timeZone = 'UTC' }: WordContext): string {
  const { share, startsAt, end } = rolloutState(rollout, now)
  const date = (time: number) => {
    return new Date(time).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  }
  const last = end ? `${percent(end.share)} on ${date(end.date)}` : ''
  if (startsAt !== undefined) return last ? `from ${date(startsAt)}, ${last}` : `100% from ${date(startsAt)}`
  return last ? `${percent(share)} now, ${last}` : percent(share)
}

const percentages = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })

/** A share as a percentage. */
export function percent(share: number): string {
  return percentages.format(share)
}

/** What differs of a feature, in a few words. */
export function summarizePromotion({ status, targets }: Comparison['features'][number]): string {
  const missing = status.indexOf(null)
  if (missing !== -1) return 'exists in only one of the projects'
  const count = targets.filter(({ change }) => change !== 'same').length
  const changed = count === 0 ? [] : [count === 1 ? '1 target' : `${count} targets`]
  const words = [...(status[0] === status[1] ? [] : ['status']), ...changed]
  return words.length > 0 ? `${words.join(' and ')} differ${count > 1 || words.length > 1 ? '' : 's'}` : 'is equal'
}

/** The sides of a comparison by name: a promotion copies from the left one to the right one. */
export interface SideNames {
  readonly left: string
  readonly right: string
}

/**
 * Which targets only one side has, and what a promotion does about them. Undefined if both have the same ones. `isEmptied`
 * is whether the source has no target at all.
 */
export function describeOneSided(
  { targets }: Pick<Comparison['features'][number], 'targets'>,
  { left, right }: SideNames,
  context: WordContext
): { readonly sentences: readonly string[]; readonly isEmptied: boolean } | undefined {
  const namesOf = (change: TargetComparison['change']) =>
    targets.filter((target) => target.change === change).map((target) => `“${nameOf(target, context)}”`)
  const onlyLeft = namesOf('removed')
  const onlyRight = namesOf('added')
  if (onlyLeft.length + onlyRight.length === 0) return undefined
  const isEmptied = onlyRight.length === targets.length
  const sentences = [
    ...(onlyLeft.length > 0
      ? [`Only ${left} has ${list.format(onlyLeft)}: a promotion adds ${them(onlyLeft)} to ${right}.`]
      : []),
    ...(onlyRight.length > 0
      ? [`Only ${right} has ${list.format(onlyRight)}: a promotion removes ${them(onlyRight)} from ${right}.`]
      : []),
    ...(isEmptied ? [`${left} has no targets, so ${right} would have none either.`] : [])
  ]
  return { sentences, isEmptied }
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })

function them({ length }: readonly string[]): string {
  return length === 1 ? 'it' : 'them'
}
