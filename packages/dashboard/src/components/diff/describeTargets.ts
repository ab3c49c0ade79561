import { sanitizeName } from '@burgee/contract/rules'
import type { TargetInput, UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { sentence } from '@burgee/contract/words'
import { type Change, diffConfigurations } from '../../draft/diff.ts'
import { isSame, valueAt } from '../../draft/structure.ts'
import { targetName } from '../feature/targetName.ts'
import { describeFilters } from './describeFilters.ts'
import { describeRollout } from './describeRollout.ts'
import type { DiffContext, DiffGroup, DiffMark, DiffRow } from './model.ts'

/**
 * Describes the differences of two whole configurations. Targets are matched by `_id`.
 * @internal Tests compare whole configurations with it.
 */
export function describeConfigurations(
  before: UpdateFeatureConfiguration,
  after: UpdateFeatureConfiguration,
  context: DiffContext
): readonly DiffGroup[] {
  const [old, current] = [withTargets(before), withTargets(after)]
  const changes = diffConfigurations(old, current)
  const ofTargets = changes.filter(({ path }) => path[0] === 'targets')
  const keys = [...new Set(ofTargets.map(({ path }) => path[1]))]
  const targets = keys.map((key) => {
    const changesOfOne = ofTargets.filter(({ path }) => path[1] === key)
    return describeOne(key, changesOfOne, old, current, context)
  })
  return [...(changes.some(({ path }) => path[0] === 'status') ? [statusGroup(after.status)] : []), ...targets]
}

/** Describes that a feature was turned on or off. */
export function statusGroup(status: string | undefined): DiffGroup {
  const words = (isOn: boolean) => (isOn ? 'on' : 'off')
  const isOn = status === 'active'
  return {
    id: 'status',
    title: isOn ? 'Turned on' : 'Turned off',
    mark: 'changed',
    rows: [{ kind: 'value', label: 'Status', before: words(!isOn), after: words(isOn) }]
  }
}

/** Describes a target that was added or removed. */
export function wholeTarget(
  target: TargetInput,
  mark: 'added' | 'removed',
  context: DiffContext,
  position?: number
): DiffGroup {
  const id = `${mark}-${target._id ?? position ?? target.name ?? ''}`
  const at = position === undefined ? [] : [{ kind: 'value', label: 'Position', after: String(position) } as const]
  return {
    id,
    title: targetTitle(target, context),
    mark,
    note: sentence(target, context),
    rows: mark === 'added' ? at : []
  }
}

/** Describes the members in which two versions of a target differ. */
export function describeTarget(before: TargetInput, after: TargetInput, context: DiffContext): readonly DiffRow[] {
  const value = (label: string, was: string | undefined, is: string | undefined): readonly DiffRow[] =>
    was === is
      ? []
      : [
          {
            kind: 'value',
            label,
            ...(was === undefined ? {} : { before: was }),
            ...(is === undefined ? {} : { after: is })
          }
        ]
  const rollout = ({ rollout: one }: TargetInput) => describeRollout(one, context)
  return [
    ...value('Name', before.name, after.name),
    ...value('Name of the audience', before.audience.name, after.audience.name),
    ...describeFilters(before.audience.filters, after.audience.filters, context),
    ...value('Serve', describeShares(before, context), describeShares(after, context)),
    ...(isSame(before.rollout ?? undefined, after.rollout ?? undefined)
      ? []
      : value('Rollout', rollout(before), rollout(after))),
    ...value('Bucketing key', before.bucketingKey ?? 'user ID', after.bucketingKey ?? 'user ID')
  ]
}

/** The name of a target in a title, or its condition. */
export function targetTitle({ name, audience }: Pick<TargetInput, 'name' | 'audience'>, context: DiffContext): string {
  return `Target “${sanitizeName(targetName(name, audience.filters, context))}”`
}

function withTargets(configuration: UpdateFeatureConfiguration) {
  return { ...configuration, targets: configuration.targets ?? [] }
}

function describeOne(
  key: string | number | undefined,
  changes: readonly Change[],
  before: UpdateFeatureConfiguration,
  after: UpdateFeatureConfiguration,
  context: DiffContext
): DiffGroup {
  const find = ({ targets }: UpdateFeatureConfiguration) =>
    valueAt(targets, key === undefined ? [] : [key]) as TargetInput | undefined
  const whole = changes.find(({ path }) => path.length === 2)
  const [was, is] = [find(before), find(after)]
  const either = is ?? was
  if (whole?.kind === 'added') return wholeTarget(whole.after as TargetInput, 'added', context, indexOf(after, is) + 1)
  if (whole?.kind === 'removed') return wholeTarget(whole.before as TargetInput, 'removed', context)
  const position: DiffRow = {
    kind: 'value',
    label: 'Position',
    before: String(indexOf(before, was) + 1),
    after: String(indexOf(after, is) + 1)
  }
  const rows = was && is ? describeTarget(was, is, context) : []
  const mark: DiffMark = rows.length > 0 ? 'changed' : 'moved'
  return {
    id: String(key),
    title: either ? targetTitle(either, context) : 'Target',
    mark,
    rows: whole?.kind === 'moved' ? [position, ...rows] : rows
  }
}

function indexOf({ targets = [] }: UpdateFeatureConfiguration, target: TargetInput | undefined): number {
  return target === undefined ? -1 : targets.indexOf(target)
}

function describeShares({ distribution }: TargetInput, { variations, locale = 'en-GB' }: DiffContext): string {
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const served = distribution.filter(({ percentage }) => percentage > 0)
  const name = (id: string) => variations?.get(id) ?? id
  return served.length === 1
    ? served.map(({ _variation }) => name(_variation)).join()
    : served.map(({ percentage, _variation }) => `${name(_variation)} ${shares.format(percentage)}`).join(', ')
}
