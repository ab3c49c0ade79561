import { condition, nameOf } from './condition.ts'
import { createFormatter, type WordContext } from './context.ts'
import {
  type ConfigurationData,
  filtersOf,
  list,
  type Members,
  matchesEveryone,
  members,
  sharesOf,
  type TargetData
} from './data.ts'
import { english, type TargetWords } from './messages.ts'
import { rolloutState } from './rolloutState.ts'
import { detailSentences, labelOf } from './targetDetails.ts'

/** Describes a target, or a configuration with all its targets. Works for any data. */
export function sentence(subject: TargetData | ConfigurationData, context: WordContext): string {
  return 'distribution' in members(subject) || 'audience' in members(subject)
    ? targetSentence(members(subject), context)
    : sentences(subject as ConfigurationData, context).join(' ')
}

/** Describes a configuration, with a sentence for each target. */
export function sentences(configuration: ConfigurationData, context: WordContext): readonly string[] {
  const { messages = english } = context
  const { status, hasStaticConfig, staticVariation, targets, killedAt } = members(configuration)
  if (status !== 'active') return [killedAt ? messages.configurationKilled() : messages.configurationOff()]
  if (hasStaticConfig === true) {
    return [messages.configurationComplete(staticVariation ? nameOf(context.variations, staticVariation) : undefined)]
  }
  const all = list(targets).map(members)
  if (all.length === 0) return [messages.configurationEmpty()]
  return all.map((target, index) =>
    targetSentence(target, context, { isLater: index > 0, isLast: index === all.length - 1 })
  )
}

/** The members of a feature that take precedence over its targets. */
export interface FeatureData {
  readonly status: 'active' | 'complete' | 'archived'
  /** The id or key of the variation of a complete feature. */
  readonly staticVariation?: string | undefined
}

/** Describes what users of an environment get from a feature with this configuration. */
export function servedSentences(
  { status, staticVariation }: FeatureData,
  configuration: ConfigurationData,
  context: WordContext
): readonly string[] {
  const { messages = english } = context
  if (status === 'archived') return [messages.featureArchived()]
  return sentences({ ...configuration, hasStaticConfig: status === 'complete', staticVariation }, context)
}

/** `isLater`: targets precede it, so it serves the users whom these do not serve. */
function targetSentence(target: Members, context: WordContext, { isLater = false, isLast = false } = {}): string {
  const { messages = english, now, disablePassthroughRollouts } = context
  const format = createFormatter(context)
  const [first, ...more] = sharesOf(target).map(({ variation, percentage }) => ({
    variation: nameOf(context.variations, variation),
    share: format.percent(percentage)
  }))
  if (!first) return messages.servesNothing()
  const filters = filtersOf(target)
  return messages.target({
    matchesNobody: list(filters.filters).length === 0,
    ...(matchesEveryone(filters) ? {} : { condition: condition({ operator: 'and', ...filters }, context) }),
    isLater,
    serves:
      more.length === 0 ? { type: 'one', variation: first.variation } : { type: 'split', shares: [first, ...more] },
    admission: admissionOf(rolloutState(target.rollout, now), format),
    others: isLast || disablePassthroughRollouts ? 'defaults' : 'next',
    isLast,
    and: format.and
  })
}

function admissionOf(
  { share, trend, startsAt, end }: ReturnType<typeof rolloutState>,
  format: ReturnType<typeof createFormatter>
): TargetWords['admission'] {
  if (startsAt !== undefined) return { type: 'from', date: format.date(startsAt) }
  const words = end && {
    ...end,
    trend: end.isStep || trend === 'steady' ? ('changing' as const) : trend,
    share: format.percent(end.share),
    date: format.date(end.date)
  }
  if (share === 1 && !words) return { type: 'all' }
  if (share === 0 && !words) return { type: 'never' }
  // A changing share is outdated when it is read, so more decimals would mislead.
  const shown = words ? Math.round(share * 1000) / 1000 : share
  return { type: 'share', share: format.percent(shown), ...(words ? { end: words } : {}) }
}

/** Describes the differences of two configurations, with a sentence for each. Targets are matched by `_id`. */
export function changeSentences(
  before: ConfigurationData,
  after: ConfigurationData,
  context: WordContext
): readonly string[] {
  const { messages = english } = context
  const [old, current] = [members(before), members(after)]
  const [oldTargets, targets] = [list(old.targets).map(members), list(current.targets).map(members)]
  const position = (index: number) => createFormatter(context).value(index + 1)
  const label = (target: Members) => labelOf(target, messages)
  const isOn = current.status === 'active'
  const status = (old.status === 'active') === isOn ? [] : [messages.changeStatus({ isOn })]
  const find = (all: readonly Members[], { _id }: Members) =>
    _id === undefined ? -1 : all.findIndex((target) => target._id === _id)
  const removed = oldTargets.flatMap((target, index) =>
    find(targets, target) === -1 ? [messages.changeRemoved({ position: position(index), name: label(target) })] : []
  )
  const kept = oldTargets.filter((target) => find(targets, target) !== -1)
  const stayed = targets.filter((target) => find(oldTargets, target) !== -1)
  const placeIn = (all: readonly Members[], index: number) => ({ isLater: index > 0, isLast: index === all.length - 1 })
  const others = targets.flatMap((target, index) => {
    const from = find(oldTargets, target)
    const former = oldTargets[from]
    const place = placeIn(targets, index)
    const is = targetSentence(target, context, place)
    const name = label(target)
    if (!former) return [messages.changeAdded({ position: position(index), name, target: is })]
    // At the same place, so that a change of the targets around it does not count as one of this target.
    const isSame = targetSentence(former, context, place) === is
    const was = targetSentence(former, context, placeIn(oldTargets, from))
    return [
      ...(kept.indexOf(former) === stayed.indexOf(target)
        ? []
        : [messages.changeMoved({ name, from: position(from), to: position(index) })]),
      ...(isSame ? [] : [messages.changeTarget({ name, before: was, after: is })]),
      ...(isSame ? detailSentences(former, target, context) : [])
    ]
  })
  return [...status, ...removed, ...others]
}
