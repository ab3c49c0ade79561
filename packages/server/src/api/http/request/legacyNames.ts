import { formatValue } from '@burgee/kit/text'
import type { Context, Middleware } from 'koa'
import { badRequest } from '../../../lib/errors.ts'
import { isRecord } from '../../../lib/object.ts'

/**
 * For clients of the service that Burgee's management API is modelled on: members of bodies and queries, a path and
 * headers go by its names too (`management.md` §0). Answers have both names; requests may use either.
 */
export interface NameMapping {
  /** Runs before the routes: addresses and headers. */
  readonly middleware: Middleware
  /** What a request said, in Burgee's names. */
  readonly fromRequest: (value: unknown) => unknown
  /** What is answered, with the other names added. */
  readonly toResponse: (value: unknown) => unknown
}

/** Burgee's own names and no others. */
export const currentNames: NameMapping = {
  middleware: (_ctx, next) => next(),
  fromRequest: (value) => value,
  toResponse: (value) => value
}

/** Burgee's names, and those of existing clients. */
export const legacyNames: NameMapping = {
  middleware: (ctx, next) => {
    rename(ctx)
    return next()
  },
  fromRequest: (value) => mapObjects(value, toOwn),
  toResponse: (value) => mapObjects(value, addLegacy)
}

/** Burgee's name of a member, and the other one. */
const members: readonly (readonly [own: string, legacy: string])[] = [
  ['idp_user', 'a0_user'],
  ['svcUserId', 'dvcUserId'],
  ['hasIssueTrackerIntegration', 'hasJiraIntegration'],
  ['issueTrackerBaseUrl', 'jiraBaseUrl'],
  ['edgeConfigConnections', 'vercelEdgeConfigConnections'],
  ['externalLink', 'ldLink'],
  ['_chatIntegration', '_slackIntegration'],
  ['observabilityEnvironmentId', 'dynatraceEnvironmentId'],
  ['observability', 'dynatrace']
]

const legacyBy: ReadonlyMap<string, string> = new Map(members)
const ownBy: ReadonlyMap<string, string> = new Map(members.map(([own, legacy]) => [legacy, own]))

type Members = Readonly<Record<string, unknown>>

/** @throws {ApiError} 400 when a member has one value by this name and another by that: it is not for us to choose. */
function toOwn(object: Members): Members {
  const entries = Object.entries(object).map(([name, value]): [string, unknown] => {
    const own = ownBy.get(name) ?? name
    if (own === name || !Object.hasOwn(object, own) || isSame(object[own], value)) return [own, value]
    throw badRequest(
      `${name} should be the same as ${own}, which is another name of it, got ${formatValue(value)} and ${formatValue(object[own])}`
    )
  })
  return Object.fromEntries(entries)
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function addLegacy(object: Members): Members {
  const entries = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const legacy = legacyBy.get(name)
    return legacy === undefined
      ? [[name, value]]
      : [
          [name, value],
          [legacy, value]
        ]
  })
  return Object.fromEntries(entries)
}

/** Headers by their own names, and the path of the observability integration. */
function rename(ctx: Context): void {
  const referrer = ctx.get('dvc-referrer')
  if (referrer && !ctx.get('burgee-referrer')) {
    ctx.req.headers['burgee-referrer'] = referrer === 'slack' ? 'chat' : referrer
  }
  ctx.path = ctx.path.replace(/^\/v1\/integrations\/dynatrace(?=\/|$)/, '/v1/integrations/observability')
}

/** What people fill in as they like: names in there are theirs. */
const freeForm: readonly string[] = [
  'variables',
  'values',
  'value',
  'defaultValue',
  'exampleValue',
  'metaData',
  'metadata',
  'environmentMap',
  'body',
  'expected',
  'observed'
]

/** From keys of environments to something about each: the keys are theirs, what is in it is not. */
const byEnvironment: readonly string[] = ['configurations', 'environments', 'overrides']

/** A JSON value with another object in place of each object, but for what is free in form. */
function mapObjects(value: unknown, change: (object: Members) => Members): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (!isRecord(value)) return value
  return change(
    mapValues(value, (member, name) => {
      if (freeForm.includes(name)) return member
      if (!byEnvironment.includes(name) || !isRecord(member)) return mapObjects(member, change)
      return mapValues(member, (item) => mapObjects(item, change))
    })
  )
}

function mapValues(object: Members, change: (value: unknown, name: string) => unknown): Members {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
}
