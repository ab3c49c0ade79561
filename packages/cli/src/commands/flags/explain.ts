import { ApiError } from '@burgee/contract/client'
import type { ExplainedFeature, ExplainedTarget, ExplainRequest } from '@burgee/contract/schemas'
import { condition, type WordContext } from '@burgee/contract/words'
import { isRecord } from '@burgee/kit'
import { parseBoolean, parseText, UsageError } from '@burgee/kit/settings'
import { parseFlag } from '../../operations/parseFlag.ts'
import { formatColumns, shorten } from '../../output/formatColumns.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { NotFoundError } from '../../run/failures/errors.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import { parseTime } from '../../run/parseTime.ts'
import { wordContext } from '../../run/server/wordContext.ts'
import type { Session } from '../../run/session.ts'
import { environmentSettings, projectSettings } from '../../run/settings.ts'
import { formatShare } from './words.ts'

const userSetting = {
  user: {
    variable: false,
    placeholder: 'user',
    help: 'The user: an id, JSON with user_id and other properties, @file, or - for standard input. Required.',
    parse: parseUser
  }
} as const

/** Returns the update that a project file would make of a flag; none if it changes nothing. @throws {UsageError} */
async function readDraft(path: string, feature: string | undefined, session: Session) {
  if (feature === undefined) throw new UsageError('--draft needs the key of the flag that it changes')
  const { readFilesWithIssues } = await import('../../document/read/readFiles.ts')
  const { openPlan } = await import('../../plan/openPlan.ts')
  const { draftUpdate } = await import('../../plan/previewPlan.ts')
  const described = await readFilesWithIssues([path])
  const resource = `features.${feature}`
  const opened = await openPlan(session, described, { paths: [path], into: session.project(), only: [resource] })
  const change = opened.plan.changes.find(({ section, key }) => section === 'features' && key === feature)
  if (change?.action === 'create')
    throw new NotFoundError(`feature "${feature}" does not exist yet: apply the file first`)
  return change && draftUpdate(change, opened.server)
}

/** `burgee explain` and `burgee evaluate` */
export const explainCommands = [
  apiCommand({
    name: 'explain',
    summary: 'Explain which variation a user gets in an environment, and why, for one flag or all flags.',
    arguments: ['[flag]'],
    settings: {
      ...userSetting,
      draft: {
        variable: false,
        placeholder: 'file',
        help: 'Explain the flag as if this project file were applied. Needs the permission feature:write.',
        parse: parseText
      },
      at: {
        variable: false,
        placeholder: 'time',
        help: 'Explain the flag at this time, such as 2026-03-01T12:00:00Z: as it was, or as its schedules will serve it. Audiences and the properties of the user are not from then.',
        parse: parseTime
      },
      exitCode: {
        kind: 'switch',
        variable: false,
        help: 'Exit with 1 if the user is served no variation.',
        parse: parseBoolean
      },
      ...environmentSettings,
      ...projectSettings
    },
    details: `Examples:\n  burgee explain new-checkout --environment production --user '{"user_id":"ada","country":"CA"}'\n  burgee explain new-checkout --environment production --user ada --draft flags/features/new-checkout.yaml\n  burgee explain new-checkout --environment production --user ada --at 2026-02-14T18:00:00Z`,
    run: async ({ arguments: [feature], settings: { user, draft: path, at, exitCode } }, session) => {
      const { client, project, environment } = session
      if (at !== '' && feature === undefined) throw new UsageError('--at needs the key of the flag')
      if (at !== '' && path !== '') throw new UsageError('pass one of --at and --draft, not both')
      const draft = path === '' ? undefined : await readDraft(path, feature, session)
      const data = await client
        .explain({
          params: { project: project(), environment: environment() },
          body: {
            user: assertUser(user, 'explain'),
            ...(feature !== undefined && { feature }),
            ...(draft && { draft }),
            ...(at !== '' && { at })
          }
        })
        .catch(rethrowUnknown('feature', session.suggest('flags list')))
      const isServed = data.features.some(({ variation }) => variation !== undefined)
      const words =
        feature !== undefined && session.terminal.isTerminal ? await wordContext(session, project()) : { now: 0 }
      return {
        data,
        text: (width) =>
          feature === undefined
            ? formatTable(data.features, width)
            : data.features.map((one) => formatFeature(one, words)).join('\n\n'),
        ...(exitCode && !isServed && { exitCode: exitCodes.found })
      }
    }
  }),
  apiCommand({
    name: 'evaluate',
    summary: 'Print the value of a variable that a user gets in an environment. The evaluation is not counted.',
    arguments: ['<variable>'],
    settings: { ...userSetting, ...environmentSettings, ...projectSettings },
    details: 'Example:\n  burgee evaluate new-checkout --environment production --user ada',
    run: async ({ arguments: [variable = ''], settings: { user } }, { client, project, environment, suggest }) => {
      const { variables, features } = await client
        .explain({
          params: { project: project(), environment: environment() },
          body: { user: assertUser(user, 'evaluate'), variable }
        })
        .catch(rethrowUnknown('variable', suggest('variables list')))
      const [found] = variables
      const [feature] = features
      const data = { ...found, variation: feature?.variation?.key, reason: feature?.reason }
      return {
        data,
        text: () =>
          found?.value === undefined
            ? `no value: the application uses its default (${found?.outcome})`
            : JSON.stringify(found.value)
      }
    }
  })
]

type ExplainedUser = ExplainRequest['user']

/** Throws a refusal of the flag or variable that the user named as what it is: there is none with this key. */
function rethrowUnknown(member: 'feature' | 'variable', list: string): (error: unknown) => never {
  return (error) => {
    const isUnknown =
      error instanceof ApiError && error.issues.length > 0 && error.issues.every(({ path }) => path[0] === member)
    if (!isUnknown) throw error
    const message = error.detail ?? error.message
    const hint = message.includes('did you mean') ? {} : { hint: `List them with ${list}.` }
    throw new NotFoundError(message, { cause: error, ...hint })
  }
}

/** Parses a user: an id, or JSON. */
function parseUser(text: string): object | '' {
  if (text === '') return ''
  if (!/^[{@]|^-$/.test(text)) return { user_id: text }
  const user = parseFlag({ kind: 'json' }, text)
  if (!isRecord(user) || typeof user.user_id !== 'string')
    throw new Error('it should be an object with user_id, a string')
  return user
}

function assertUser(user: object | '', name: string): ExplainedUser {
  if (user === '') throw new UsageError(`${name} needs --user, for example --user ada. See burgee ${name} --help`)
  // The server validates the other properties.
  return user as ExplainedUser
}

function formatTable(features: readonly ExplainedFeature[], width: number): string {
  // Values are cut, so that their keys are not.
  const room = Math.max(MIN_VALUE_WIDTH, width - USUAL_WIDTH)
  const rows = features.map(({ key, outcome, variation, target, variables }) => [
    key,
    outcome,
    variation?.key ?? '',
    target?.name ?? '',
    variables.map(({ key: name, value }) => `${name}=${shorten(JSON.stringify(value), room)}`).join(' ')
  ])
  return formatColumns([['KEY', 'OUTCOME', 'VARIATION', 'TARGET', 'VALUES'], ...rows], width, {
    optional: [3],
    wrapped: [2, 4]
  }).join('\n')
}

/** The smallest width of a value that is cut. */
const MIN_VALUE_WIDTH = 12

/** The width that the other columns and the key of a variable usually take. */
const USUAL_WIDTH = 80

function formatFeature(
  { key, outcome, variation, variables, targets = [], problem }: ExplainedFeature,
  words: WordContext
): string {
  const gets = variation ? `${outcome}: ${variation.key}` : outcome
  return [
    `${key}: ${gets}`,
    ...variables.map(({ key: name, value }) => `  ${name} = ${JSON.stringify(value)}`),
    ...(problem ? [`  problem: ${problem.message}`] : []),
    ...targets.flatMap((target, index) => formatTarget(target, words, index + 1))
  ].join('\n')
}

function formatTarget(target: ExplainedTarget, words: WordContext, position: number): readonly string[] {
  const { name = 'unnamed', isReached, isChosen, isMatched, filters, rollout, distribution } = target
  const state = isChosen ? 'serves this user' : isReached ? 'does not serve this user' : 'is not reached'
  const hit = distribution.ranges.find((range) => range.isHit)
  return [
    `  target ${position} "${name}" ${state}`,
    `    ${mark(isMatched)} filters`,
    ...filterLines(filters, words, 6),
    ...(rollout
      ? [
          `    ${mark(rollout.isAdmitted)} rollout of ${formatShare(rollout.percentage ?? 0)}, user at ${formatShare(rollout.position ?? 0)}`
        ]
      : []),
    ...(isChosen && hit
      ? [`    → ${hit.key ?? hit._variation}, ${formatShare(hit.from)} to ${formatShare(hit.to)}`]
      : [])
  ]
}

function filterLines(
  { operator, filters }: ExplainedTarget['filters'],
  words: WordContext,
  indent: number
): readonly string[] {
  const space = ' '.repeat(indent)
  return filters.flatMap((one) => {
    if ('operator' in one)
      return [`${space}${mark(one.isMatched)} ${one.operator}`, ...filterLines(one, words, indent + 2)]
    return [
      `${space}${mark(one.isMatched)} ${condition(one.filter, words)}${filters.length > 1 ? ` (${operator})` : ''}`
    ]
  })
}

function mark(isTrue: boolean): string {
  return isTrue ? '✓' : '✗'
}
