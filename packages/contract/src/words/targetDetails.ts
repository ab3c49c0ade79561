import { createFormatter, quote, toJson, type WordContext } from './context.ts'
import { list, type Members, members, number } from './data.ts'
import { english, type Messages } from './messages.ts'

/** The name of a target in sentences. */
export function labelOf({ name }: Members, messages: Messages): string {
  return typeof name === 'string' ? quote(name) : messages.unnamedTarget()
}

/** Describes the differences between two targets that have the same sentences at present. */
export function detailSentences(
  { rollout: oldRollout, ...before }: Members,
  { rollout, ...after }: Members,
  context: WordContext
): readonly string[] {
  const { messages = english } = context
  const name = labelOf(after, messages)
  const [was, is] = [rolloutWords(oldRollout, context), rolloutWords(rollout, context)]
  return [
    ...(was === is ? [] : [messages.changeTarget({ name, before: `${was}.`, after: `${is}.` })]),
    ...(toJson(before) === toJson(after) ? [] : [messages.changeDetails(name)])
  ]
}

/** Describes the start and the stages of a rollout. */
export function rolloutWords(rollout: unknown, context: WordContext): string {
  const { messages = english } = context
  if (!rollout) return messages.everyone()
  const { percent, date } = createFormatter(context)
  const { type, startDate, startPercentage, stages } = members(rollout)
  const isSchedule = type === 'schedule'
  const start = { date: startDate, percentage: isSchedule ? 1 : startPercentage }
  return [start, ...(isSchedule ? [] : list(stages).map(members))]
    .map((stage: Members) =>
      messages.rolloutStage({
        share: percent(number(stage.percentage)),
        date: date(Date.parse(String(stage.date))),
        isLinear: stage.type === 'linear'
      })
    )
    .filter((words, index, all) => words !== all[index - 1])
    .join(', ')
}
