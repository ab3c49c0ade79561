import type { TargetInput } from '@burgee/contract/schemas'
import { rolloutState } from '@burgee/contract/words'
import { parseText, UsageError } from '@burgee/kit/settings'
import { roundFraction } from '../../document/percentage.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { ConflictError } from '../../run/failures/errors.ts'
import { parseTime } from '../../run/parseTime.ts'
import type { Session } from '../../run/session.ts'
import { confirmationSettings, environmentSettings, projectSettings } from '../../run/settings.ts'
import { changeFlag } from './changeFlag.ts'
import { type Condition, parseWhere, readConditions } from './conditions.ts'
import { findVariation } from './findVariation.ts'
import { type FlagInEnvironment, noticeIfOff } from './flag.ts'
import { getOnlyTarget, getTarget, type Target, toInput } from './targets.ts'

/** `burgee rollout` */
export const rollout = apiCommand({
  name: 'rollout',
  summary: 'Serve a flag to a share of users in an environment.',
  arguments: ['<flag>'],
  settings: {
    to: {
      variable: false,
      placeholder: 'percentage',
      help: 'Share of the users who match, 0 to 100. Required.',
      parse: parsePercentage
    },
    over: {
      variable: false,
      placeholder: 'duration',
      help: 'Change the share gradually over a duration such as 12h or 7d.',
      parse: parseDuration
    },
    at: {
      variable: false,
      placeholder: 'date',
      help: 'Serve this share from a time such as 2026-03-01T12:00:00Z.',
      parse: parseTime
    },
    from: {
      variable: false,
      placeholder: 'percentage',
      help: 'Share until then, with --over or --at. If empty, the current one; 0 for a new target.',
      parse: parsePercentage
    },
    where: {
      kind: 'list',
      placeholder: 'property=values',
      help: 'Only users with one of these values, separated by commas: country=CA,US. Repeatable; all must match.',
      parse: parseWhere
    },
    target: {
      variable: false,
      placeholder: 'name',
      help: 'Name or id of the target to change, if several have the same condition.',
      parse: parseText
    },
    serve: {
      variable: false,
      placeholder: 'variation',
      help: 'Variation of the target. If empty, a new one serves the only variation whose values are all true.',
      parse: parseText
    },
    ...environmentSettings,
    ...projectSettings,
    ...confirmationSettings
  },
  details: [
    'Changes the rollout of the target with this condition, or adds a target for it',
    'before the others. Other targets are unchanged.',
    '',
    'Examples:',
    '  burgee rollout new-checkout --to 20 --where country=CA --environment production',
    '  burgee rollout new-checkout --to 100 --over 7d --from 10 --environment production'
  ].join('\n'),
  run: async ({ arguments: [key = ''], settings: { to, over, at, from, where, target: name, serve } }, session) => {
    if (to === '')
      throw new UsageError('rollout needs --to, the share of users from 0 to 100. See burgee rollout --help')
    if (over !== '' && at !== '')
      throw new UsageError('--over changes the share gradually, and --at at one time: pass only one of them')
    if (from !== '' && over === '' && at === '') {
      throw new UsageError('--from requires --over <duration> or --at <date>')
    }
    const conditions = await readConditions(session, where)
    return changeFlag(session, key, (flag, warn) => {
      const { targets } = flag.configuration
      const found = findTarget(flag, conditions, name)
      const { now } = flag.words
      const before = from === '' ? currentShare(found, now) : from / 100
      const isLater = over !== '' || at !== ''
      const share = isLater ? laterShare({ before, to, over, at }, now) : toRollout(to, now)
      if (found) {
        const isKept = isLater && before === to / 100 && isServed({ found, from, to }, now, warn)
        if (isKept && serve === '') return {}
        noticeIfOff(flag, session)
        const changed: Target = {
          ...found,
          ...(serve !== '' && { distribution: [{ _variation: findVariation(flag.feature, serve)._id, percentage: 1 }] })
        }
        const input = { ...toInput(changed), ...(!isKept && { rollout: share ?? null }) }
        return { targets: targets.map((target) => (target === found ? input : toInput(target))) }
      }
      assertNotKilled(flag, session)
      for (const { warning } of conditions) if (warning !== undefined) warn(warning)
      return { status: 'active', targets: [newTarget(flag, conditions, serve, share), ...targets.map(toInput)] }
    })
  }
})

/** Warns that a rollout starts and ends with the same share. Returns whether the target includes that share already. */
function isServed(
  { found, from, to }: { readonly found: Target; readonly from: number | ''; readonly to: number },
  now: number,
  warn: (warning: string) => void
): boolean {
  const { end, share } = rolloutState(found.rollout, now)
  const isSame = end === undefined && share === to / 100
  warn(
    from === ''
      ? `the target includes ${to}% already${isSame ? '' : ', so its share stays'}: to start with another share, pass --from`
      : `--from and --to are the same share, ${to}%: ${isSame ? 'the target includes it already' : 'it applies at once'}`
  )
  return isSame
}

/**
 * Asserts that no kill turned off the flag in any environment: a new target would turn it on. @throws {ConflictError}
 */
function assertNotKilled(
  { feature: { key, configurations }, environment, environments, configuration }: FlagInEnvironment,
  { suggest }: Session
): void {
  if (configuration.status === 'active') return
  const killed = environments.filter(({ _id }) =>
    configurations.some((one) => one._environment === _id && one.status !== 'active' && one.killedAt !== undefined)
  )
  if (killed.length === 0) return
  const isKilledHere = killed.some(({ _id }) => _id === environment._id)
  const names = killed.map((one) => one.key).join(', ')
  const state = isKilledHere ? `killed in ${environment.key}` : `killed in ${names}, and off in ${environment.key}`
  const advice =
    configuration.targets.length > 0
      ? `first turn it on with ${suggest(`flags on ${key} --environment ${environment.key}`)}, which shows what it serves`
      : `first give it a target with ${suggest(`serve ${key} <variation> --environment ${environment.key}`)}, which turns nothing on`
  throw new ConflictError(`${key} is ${state}: ${advice}`)
}

type Rollout = NonNullable<TargetInput['rollout']>

function parsePercentage(text: string): number | '' | undefined {
  if (text === '') return ''
  const number = Number(text.replace(/\s*%$/, ''))
  return text.trim() !== '' && number >= 0 && number <= 100 ? number : undefined
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** Parses a duration such as `7d`, in milliseconds. */
function parseDuration(text: string): number | '' | undefined {
  if (text === '') return ''
  const [, number = '0', unit] = /^(\d{1,4})([mhdw])$/.exec(text) ?? []
  // The pattern accepts these units only.
  return Number(number) > 0 ? Number(number) * UNITS[unit as keyof typeof UNITS] : undefined
}

/** Returns the target to change; `undefined` if none has the condition. @throws {UsageError} if several do. */
function findTarget(flag: FlagInEnvironment, conditions: readonly Condition[], name: string): Target | undefined {
  if (name !== '') return getTarget(flag, name)
  const { targets } = flag.configuration
  const wanted = canonical(conditions.map(({ filter }) => filter))
  const found = targets.filter(({ audience }) => canonical(audience.filters.filters ?? []) === wanted)
  return found.length > 1 ? getOnlyTarget(flag, found, ' with this condition') : found[0]
}

/** Returns a text that is equal for equal conditions; no condition is the filter of all users. */
function canonical(filters: readonly unknown[]): string {
  const texts = filters.map((filter) =>
    JSON.stringify(Object.entries(Object(filter)).sort(([one], [other]) => (one < other ? -1 : 1)))
  )
  return texts
    .filter((text) => text !== '[["type","all"]]')
    .sort()
    .join()
}

/** A share that stays: a rollout with one stage at its start. All users need none. */
function toRollout(percentage: number, now: number): Rollout | undefined {
  if (percentage === 100) return undefined
  const startDate = new Date(now).toISOString()
  const share = roundFraction(percentage / 100)
  const stages = [{ type: 'discrete' as const, percentage: share, date: startDate }]
  return { type: 'stepped', startDate, startPercentage: share, stages }
}

/** Returns the share that a target includes now, as a fraction; 0 for a new target. */
function currentShare(target: Target | undefined, now: number): number {
  return target ? rolloutState(target.rollout, now).share : 0
}

interface LaterShare {
  /** A fraction. */
  readonly before: number
  /** A percentage. */
  readonly to: number
  readonly over: number | ''
  /** ISO 8601; empty for now. */
  readonly at: string
}

/** Returns a rollout that rises gradually during a time, or at once at a date. @throws {UsageError} for a past date */
function laterShare({ before, to, over, at }: LaterShare, now: number): Rollout {
  const [startDate, startPercentage] = [new Date(now).toISOString(), roundFraction(before)]
  const percentage = roundFraction(to / 100)
  if (over !== '') {
    const stages = [{ type: 'linear' as const, percentage, date: new Date(now + over).toISOString() }]
    return { type: 'gradual', startDate, startPercentage, stages }
  }
  if (Date.parse(at) <= now) throw new UsageError('--at has passed: leave it out to serve the share at once')
  const stages = [{ type: 'discrete' as const, percentage, date: at }]
  return { type: 'stepped', startDate, startPercentage, stages }
}

function newTarget(
  { feature }: FlagInEnvironment,
  conditions: readonly Condition[],
  serve: string,
  share: Rollout | undefined
): TargetInput {
  const { key } = serve === '' ? onVariation(feature) : findVariation(feature, serve)
  const filters = conditions.length > 0 ? conditions.map(({ filter }) => filter) : [{ type: 'all' as const }]
  return {
    name:
      conditions
        .map(({ name }) => name)
        .join('; ')
        .slice(0, 100) || 'Everyone',
    audience: { filters: { operator: 'and', filters } },
    distribution: [{ _variation: key, percentage: 1 }],
    ...(share && { rollout: share })
  }
}

/** Returns the only variation whose values are all true. @throws {UsageError} if there is none, or several. */
function onVariation({ key, variations }: FlagInEnvironment['feature']) {
  const on = variations.filter(({ variables = {} }) => {
    const values = Object.values(variables)
    return values.length > 0 && values.every((value) => value === true)
  })
  const [only] = on
  if (only && on.length === 1) return only
  throw new UsageError(
    `feature ${key} has the variations ${variations.map((one) => one.key).join(', ')}: choose what the new target serves with --serve`
  )
}
