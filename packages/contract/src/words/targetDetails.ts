import { createFormatter, quote, toJson, type WordContext } from './context.ts'
import { list, type Members, members, number, text } from './data.ts'
import { english, type Messages } from './messages.ts'
import { rolloutState } from './rolloutState.ts'

/** The name of a target in sentences. */
export function labelOf({ name }: Members, messages: Messages): string {
  return typeof name === 'string' ? quote(name) : messages.unnamedTarget()
}

/** Describes the differences of two targets whose sentences are the same at present. */
export function detailSentences(before: Members, after: Members, context: WordContext): readonly string[] {
  const { messages = english, now } = context
  const differs = (member: string) => toJson(before[member] ?? null) !== toJson(after[member] ?? null)
  const name = labelOf(after, messages)
  const rollouts = () => ({
    name,
    before: rolloutWords(before.rollout, context),
    after: rolloutWords(after.rollout, context),
    ...(isSteady(after.rollout, now) && {
      steady: createFormatter(context).percent(rolloutState(after.rollout, now).share)
    })
  })
  const bucketing = () => ({ name, before: keyOf(before), after: keyOf(after) })
  return [
    ...(differs('name') ? [messages.changeName({ before: labelOf(before, messages), after: name })] : []),
    ...(differs('rollout') ? [messages.changeRollout(rollouts())] : []),
    ...(differs('bucketingKey') ? [messages.changeBucketing(bucketing())] : []),
    ...(differs('audience') ? [messages.changeCondition(name)] : []),
    ...(differs('distribution') ? [messages.changeDistribution(name)] : [])
  ]
}

/** Evaluation buckets by the id of the user without a bucketing key. */
function keyOf({ bucketingKey }: Members): string {
  return quote(text(bucketingKey) ?? 'user_id')
}

/** Describes the start and the stages of a rollout. */
function rolloutWords(rollout: unknown, context: WordContext): string {
  const { messages = english } = context
  if (rollout === undefined || rollout === null) return messages.noRollout()
  const { percent, date } = createFormatter(context)
  const dateOf = (value: unknown) => date(Date.parse(text(value) ?? ''))
  const { type, startDate, startPercentage, stages } = members(rollout)
  const isSchedule = type === 'schedule'
  const start = { date: dateOf(startDate), ...(!isSchedule && { share: percent(number(startPercentage)) }) }
  const later = (isSchedule ? [] : list(stages)).map(members).map((stage) =>
    messages.rolloutStage({
      share: percent(number(stage.percentage)),
      date: dateOf(stage.date),
      isLinear: stage.type === 'linear'
    })
  )
  return [messages.rolloutStart(start), ...later].join(', ')
}

/** Whether a rollout with dates includes the same share at all times from now on. */
function isSteady(rollout: unknown, now: number): boolean {
  const { type, startPercentage, stages } = members(rollout)
  const { share, startsAt } = rolloutState(rollout, now)
  if (type === 'schedule' || startsAt !== undefined) return false
  const shares = [startPercentage, ...list(stages).map((stage) => members(stage).percentage)].map(number)
  return rollout !== undefined && rollout !== null && shares.every((one) => one === share)
}
