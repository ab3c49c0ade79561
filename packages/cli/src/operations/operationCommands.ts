import { ApiError, collect } from '@burgee/contract/client'
import type { Command } from '@burgee/kit/commandLine'
import { parseBoolean, parseText, type Settings } from '@burgee/kit/settings'
import { isRead } from '../manifest/isRead.ts'
import { manifest } from '../manifest/manifest.ts'
import type { OperationCommand, OperationFlag } from '../manifest/operationCommand.ts'
import type { OperationRequest } from '../manifest/operationRequest.ts'
import { formatAny } from '../output/formatValue.ts'
import type { Outcome } from '../output/outcome.ts'
import { type Names, refersToEnvironment, refersToPeople, withNames } from '../output/peopleNames.ts'
import { apiCommand } from '../run/apiCommand.ts'
import { assertMayCall } from '../run/server/assertPermitted.ts'
import { readEnvironments } from '../run/server/readEnvironments.ts'
import { readNames } from '../run/server/readNames.ts'
import type { Session } from '../run/session.ts'
import {
  confirmationSettings,
  dryRunSettings,
  environmentSettings,
  limitSettings,
  projectSettings
} from '../run/settings.ts'
import { quoteWord } from '../run/suggestCommand.ts'
import type { Terminal } from '../run/terminal.ts'
import { assertValid } from './assertValid.ts'
import { describeRequest, pathOf } from './describeRequest.ts'
import { parseFlag } from './parseFlag.ts'
import { assertDryRun } from './protected/assertAccepted.ts'
import { canChangeProtected, describeProtectedChange } from './protected/describeProtected.ts'
import { toRequest } from './toRequest.ts'

/** Returns a command for each operation of the manifest. */
export function operationCommands(operations: readonly OperationCommand[]): readonly Command<Terminal>[] {
  return operations.map(operationCommand)
}

function operationCommand(operation: OperationCommand): Command<Terminal> {
  const { name, summary, placeholder } = operation
  return apiCommand({
    name,
    summary: `${summary}.`,
    ...(placeholder && { arguments: [`<${placeholder}>`] }),
    settings: settingsOf(operation),
    details: detailsOf(operation),
    run: async ({ arguments: [argument], settings }, session) => {
      const request = toRequest(operation, {
        positional: argument,
        values: { ...valuesOf(operation, settings), ...defaultsOf(operation, session) },
        body: listIn(settings.body),
        unset: listIn(settings.unset).map(String)
      })
      await assertValid(operation, request)
      if (settings.dryRun) return describeRequest(operation, request, session)
      const confirmed = settings.yes ? request : await confirmRequest(operation, { request, argument }, session)
      if (operation.row.responseKind === 'lines') return streamLines(operation, confirmed, session)
      const data = await send(operation, confirmed, session, Number(settings.limit ?? 0))
      const isTable =
        !settings.json && (settings.output === 'table' || (!settings.output && session.terminal.isTerminal))
      if (data === undefined && settings['--dry-run'] === true) {
        return { data, text: () => `The server would accept this request: ${operation.name}. Nothing was changed.` }
      }
      return toOutcome(operation, data, isTable ? await namesIn(operation, data, session) : new Map())
    }
  })
}

/** The flags of one operation. Each is a list, because a text that is not given differs from an empty one. */
function settingsOf({ flags, hasBody, row, ...operation }: OperationCommand): Settings {
  const own = flags.filter((flag) => !isProject(flag) && !isEnvironment(flag))
  const isList = row.responseKind === 'list'
  return {
    ...Object.fromEntries(own.map((flag) => [flag.flag, toSetting(flag)])),
    ...(hasBody && { body: bodySetting }),
    ...(flags.some(({ isNullable }) => isNullable) && { unset: unsetSetting }),
    ...(isList && limitSettings),
    ...(hasDryRun({ flags, row }) && dryRunSettings),
    ...(flags.some(isEnvironment) && environmentSettings),
    ...(flags.some(isProject) && projectSettings),
    ...((isDestructive({ ...operation, row }) || canChangeProtected(row.id)) && confirmationSettings)
  }
}

/** The project in the path has a default. */
function isProject({ flag, in: part }: OperationFlag): boolean {
  return flag === '--project' && part === 'params'
}

/** An environment that the request needs has a default. One that only filters has none. */
function isEnvironment({ flag, isRequired, kind }: OperationFlag): boolean {
  return flag === '--environment' && isRequired === true && kind === 'text'
}

function toSetting(flag: OperationFlag): Settings[string] {
  const { kind, choices, isList, isRequired, help } = flag
  if (isServerDryRun(flag)) return { kind: 'switch', flag: flag.flag, variable: false, help, parse: parseBoolean }
  const notes = [
    ...(choices ? [`One of ${choices.join(', ')}.`] : []),
    ...(kind === 'secret' ? ['@file, or - for standard input.'] : []),
    ...(isList ? ['Repeatable.'] : []),
    ...(isRequired ? ['Required.'] : [])
  ]
  return {
    kind: 'list',
    flag: flag.flag,
    // As in the commands for people.
    ...(flag.flag === '--environment' && { short: '-e' }),
    placeholder: kind === 'boolean' ? 'true|false' : kind === 'secret' ? '@file' : kind,
    help: [help, ...notes].join(' '),
    ...(kind === 'boolean'
      ? { choices: ['true', 'false'], implied: 'true' }
      : choices && { choices: choices.map(String) }),
    ...(kind === 'secret' && { isSecret: true }),
    parse: (text) => parseFlag(flag, text)
  }
}

const bodySetting: Settings[string] = {
  kind: 'list',
  placeholder: 'json',
  help: 'The whole body as JSON, @file, or - for standard input. Other flags take precedence over its members.',
  parse: (text) => parseFlag({ kind: 'json' }, text)
}

const unsetSetting: Settings[string] = {
  kind: 'list',
  placeholder: 'flag',
  help: 'Remove the value of this member, named as its flag without dashes. Repeatable.',
  parse: parseText
}

/** Whether the request can be printed instead of sent. Some operations have such a member themselves: the server then previews. */
function hasDryRun({ flags, row }: Pick<OperationCommand, 'flags' | 'row'>): boolean {
  return !isRead(row) && !flags.some(isServerDryRun)
}

/** Whether a flag makes the server check a request without making its change. */
function isServerDryRun({ flag }: OperationFlag): boolean {
  return flag === '--dry-run'
}

function detailsOf({ name, description, permission, row, example }: OperationCommand): string {
  const words = ['burgee', name, ...example.map(quoteWord)]
  return [
    ...(description ? [description, ''] : []),
    `Example:\n  ${words.join(' ')}`,
    '',
    `API: ${row.method} ${row.path} (${row.id})${permission ? `. Permission: ${permission}` : ''}.`
  ].join('\n')
}

function valuesOf(
  { flags }: OperationCommand,
  settings: Readonly<Record<string, unknown>>
): Readonly<Record<string, readonly unknown[]>> {
  return Object.fromEntries(flags.map(({ flag }) => [flag, settings[flag] === true ? [true] : listIn(settings[flag])]))
}

function defaultsOf({ flags }: OperationCommand, session: Session): Readonly<Record<string, readonly unknown[]>> {
  return {
    ...(flags.some(isProject) && { '--project': [session.project()] }),
    ...(flags.some(isEnvironment) && { '--environment': [session.environment()] })
  }
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Whether the operation takes something away, so that a person confirms it. */
function isDestructive({ name, row }: Pick<OperationCommand, 'name' | 'row'>): boolean {
  return row.method === 'DELETE' || / (kill|revoke|rotate|rotate-secret|reset-password|sign-out)$/.test(name)
}

interface GivenRequest {
  readonly request: OperationRequest
  /** The positional argument. */
  readonly argument: string | undefined
}

/**
 * Asks whether to send a request that removes something, or changes what users of protected environments get, after
 * showing that. Returns the request for what was shown.
 */
async function confirmRequest(
  operation: OperationCommand,
  { request, argument }: GivenRequest,
  session: Session
): Promise<OperationRequest> {
  const { row, flags } = operation
  const isAsked = isDestructive(operation) && String(request.query.dryRun) !== 'true'
  if (isAsked) await assertMayRemove(operation, request, session)
  if (isAsked && flags.some(isServerDryRun)) await assertDryRun(session, row.id, request)
  const change = await describeProtectedChange(row.id, request, session)
  if (change) session.terminal.show(change.lines.join('\n'))
  else if (isAsked) await assertFound(operation, request, session)
  if (isAsked) await session.confirm(questionFor(operation, argument, session))
  else if (change) await session.confirm(change.question)
  const isConditional = flags.some(({ in: part, member }) => part === 'headers' && member === 'if-match')
  if (!isConditional || change?.revision === undefined) return request
  return { ...request, headers: { 'if-match': change.revision, ...request.headers } }
}

/** Asserts the permission of an operation before its confirmation. @throws {ApiError} 403 */
async function assertMayRemove(
  { row }: OperationCommand,
  { params }: OperationRequest,
  { client }: Session
): Promise<void> {
  // The operation on a project itself has the key in `key`.
  await assertMayCall({ client, project: () => String(params.project ?? params.key) }, [row.id])
}

/** Asserts that the resource to delete exists before the person is asked to confirm. @throws {ApiError} 404 */
async function assertFound({ row }: OperationCommand, { params }: OperationRequest, { call }: Session): Promise<void> {
  const resource = resourcePath(row.path)
  const found = manifest().find(({ row: other, returns }) => {
    return (
      other.method === 'GET' && returns === 'object' && /\}$/.test(other.path) && resourcePath(other.path) === resource
    )
  })
  const isWhole = found?.flags.every(({ isRequired, in: part }) => part === 'params' || !isRequired)
  if (resource === undefined || !found || !isWhole) return
  await call(found.row.id, { params: renameParameters(params, { from: row.path, to: found.row.path }) }).catch(
    (error: unknown) => {
      // An account that may not read a resource may be allowed to delete it.
      if (error instanceof ApiError && error.status === 404) throw error
    }
  )
}

/** Returns the path of a resource without the API version and parameter names; `undefined` for collections. */
function resourcePath(path: string): string | undefined {
  return /^\/v\d+(\/.*\})[^}]*$/.exec(path)?.[1]?.replace(/\{\w+\}/g, '{}')
}

/** Renames the parameters of one path to those of another, by position. */
function renameParameters(
  params: OperationRequest['params'],
  { from, to }: { readonly from: string; readonly to: string }
): OperationRequest['params'] {
  const names = [...from.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const others = [...to.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(others.map((name, index) => [name, params[names[index] ?? '']]))
}

function questionFor(
  { name, summary, flags }: OperationCommand,
  argument: string | undefined,
  { server, project }: Session
): string {
  const subject = argument === undefined ? '' : `: ${argument}`
  const where = flags.some(isProject) && !name.startsWith('projects ') ? ` in project ${project()}` : ''
  return `${summary}${subject}${where} on ${server}?`
}

async function send(
  { row }: OperationCommand,
  request: OperationRequest,
  { call }: Session,
  limit: number
): Promise<unknown> {
  if (row.responseKind !== 'list') return call(row.id, request)
  const list = async (page: OperationRequest) => {
    const response = await call(row.id, page)
    // Pages of a list are arrays.
    return response as readonly unknown[]
  }
  return collect(list, request, limit || undefined)
}

/** Returns an export, whose lines are printed while they arrive because it can have any size. */
function streamLines({ row, columns }: OperationCommand, request: OperationRequest, session: Session): Outcome {
  const query = Object.entries(request.query).map(([name, value]) => [name, [value].flat().map(String)] as const)
  const items = session.requestLines({
    method: row.method,
    path: pathOf(row, request.params),
    query: Object.fromEntries(query),
    headers: {},
    ...(request.body !== undefined && { body: request.body })
  })
  return { data: undefined, items, columns, text: () => '' }
}

function toOutcome({ name, columns }: OperationCommand, data: unknown, names: Names): Outcome {
  const text = (width: number) =>
    data === undefined ? `done: ${name}` : formatAny(withNames(data, names), columns, width)
  return { data, columns, text }
}

/** Returns the names for the ids in a table. */
async function namesIn({ flags }: OperationCommand, data: unknown, session: Session): Promise<Names> {
  const people = refersToPeople(data) ? await readNames(session) : []
  const isOfProject = flags.some(isProject) && refersToEnvironment(data)
  const environments = isOfProject ? await readEnvironments(session, session.project()) : []
  return new Map([...people, ...environments.map(({ _id, key }) => [_id, key] as const)])
}
