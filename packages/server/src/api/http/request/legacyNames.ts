import { isRecord } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import type { Context, Middleware } from 'koa'
import { badRequest } from '../../../lib/errors.ts'

/**
 * Translates between the names of Burgee's management API and those of the service that it is compatible with: property
 * names in bodies and queries, one path, and headers. Responses have both names; requests may use either (ADR 14).
 */
export interface NameMapping {
  /** Translates paths and headers. Runs before the routes. */
  readonly middleware: Middleware
  /** Translates a body or query to Burgee's names. */
  readonly fromRequest: (value: unknown) => unknown
  /** Adds the legacy names to a response. */
  readonly toResponse: (value: unknown) => unknown
}

/** Accepts Burgee's names only. */
export const currentNames: NameMapping = {
  middleware: (_ctx, next) => next(),
  fromRequest: (value) => value,
  toResponse: (value) => value
}

/** Accepts Burgee's names and the legacy ones. */
export const legacyNames: NameMapping = {
  middleware: (ctx, next) => {
    rename(ctx)
    return next()
  },
  fromRequest: (value) => mapObjects(value, toCurrent),
  toResponse: (value) => mapObjects(value, addLegacy)
}

/** The names of properties. */
const members: readonly (readonly [current: string, legacy: string])[] = [
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

const legacyByCurrent: ReadonlyMap<string, string> = new Map(members)
const currentByLegacy: ReadonlyMap<string, string> = new Map(members.map(([current, legacy]) => [legacy, current]))

type Members = Readonly<Record<string, unknown>>

/** @throws {HttpError} 400 if a property has different values under its two names. */
function toCurrent(object: Members): Members {
  const entries = Object.entries(object).map(([name, value]): [string, unknown] => {
    const current = currentByLegacy.get(name) ?? name
    if (current === name || !Object.hasOwn(object, current) || isEqual(object[current], value)) return [current, value]
    throw badRequest(
      `${name} is another name of ${current} and should have the same value, got ${formatValue(value)} and ${formatValue(object[current])}`
    )
  })
  return Object.fromEntries(entries)
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function addLegacy(object: Members): Members {
  const entries = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const legacy = legacyByCurrent.get(name)
    return legacy === undefined
      ? [[name, value]]
      : [
          [name, value],
          [legacy, value]
        ]
  })
  return Object.fromEntries(entries)
}

/** Renames the header of the referrer and the path of the observability integration. */
function rename(ctx: Context): void {
  const referrer = ctx.get('dvc-referrer')
  if (referrer && !ctx.get('burgee-referrer')) {
    ctx.req.headers['burgee-referrer'] = referrer === 'slack' ? 'chat' : referrer
  }
  ctx.path = ctx.path.replace(/^\/v1\/integrations\/dynatrace(?=\/|$)/, '/v1/integrations/observability')
}

/** Properties with user-defined content, which is never renamed. */
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
  'observed',
  'a',
  'b',
  'choices',
  'data',
  'target',
  'credential',
  'response',
  'clientExtensionResults',
  'user',
  'customData',
  'privateCustomData',
  'filter',
  'fields'
]

/** Maps by environment or project key: the keys are user-defined, their values are not. */
const byKey: readonly string[] = ['configurations', 'environments', 'overrides', 'projects']

/** Applies `change` to each object in a JSON value, except in free-form properties. */
function mapObjects(value: unknown, change: (object: Members) => Members): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (!isRecord(value)) return value
  return change(
    mapValues(value, (member, name) => {
      if (freeForm.includes(name)) return member
      if (!byKey.includes(name) || !isRecord(member)) return mapObjects(member, change)
      return mapValues(member, (item) => mapObjects(item, change))
    })
  )
}

function mapValues(object: Members, change: (value: unknown, name: string) => unknown): Members {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
}
