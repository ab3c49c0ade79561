import { collect } from '@burgee/contract/client'
import { isRecord } from '@burgee/kit'
import { parseBoolean, UsageError } from '@burgee/kit/settings'
import { parseFlag } from '../../operations/parseFlag.ts'
import { formatAny } from '../../output/formatValue.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import type { RawRequest } from '../../run/http/sendRaw.ts'
import type { Session } from '../../run/session.ts'
import { environmentSettings, projectSettings } from '../../run/settings.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** `burgee api` */
export const api = apiCommand({
  name: 'api',
  summary: 'Send one request to the server, and print its response.',
  arguments: ['<method>', '<path>'],
  settings: {
    field: {
      kind: 'list',
      short: '-f',
      placeholder: 'name=text',
      help: 'A query parameter of GET and DELETE requests, otherwise a member of the body: a string. Repeatable.',
      parse: (text: string) => parsePair(text, '=')
    },
    jsonField: {
      kind: 'list',
      short: '-F',
      placeholder: 'name=json',
      help: 'The same, as JSON, @file, or - for standard input. Repeatable.',
      parse: (text: string) => {
        const pair = parsePair(text, '=')
        return pair && { ...pair, value: parseFlag({ kind: 'json' }, pair.value) }
      }
    },
    header: {
      kind: 'list',
      short: '-H',
      placeholder: 'name:value',
      help: 'A header of the request. Repeatable.',
      parse: (text: string) => parsePair(text, ':')
    },
    body: {
      kind: 'list',
      placeholder: 'json',
      help: 'The whole body as JSON, @file, or - for standard input. Fields take precedence over its members.',
      parse: (text: string) => parseFlag({ kind: 'json' }, text)
    },
    paginate: { kind: 'switch', variable: false, help: 'Fetch all pages of a list.', parse: parseBoolean },
    ...projectSettings,
    ...environmentSettings
  },
  details: [
    '{project} and {environment} in the path are those of the settings. Asks for no',
    'confirmation: the commands of operations do. /docs on the server lists the paths.',
    '',
    'Examples:',
    "  burgee api GET '/v1/projects/{project}/features' --paginate --query '[].key'",
    "  burgee api PATCH '/v2/projects/{project}/features/search' -f name=Search"
  ].join('\n'),
  run: async ({ arguments: [method = '', path = ''], settings }, session) => {
    const request = toRequest(method, path, settings, session)
    const data = settings.paginate ? await readAll(request, session) : await session.request(request)
    return { data, text: (width) => (data === undefined ? 'done' : formatAny(data, [], width)) }
  }
})

interface Pair {
  readonly name: string
  readonly value: unknown
}

interface Given {
  readonly field: readonly Pair[]
  readonly jsonField: readonly Pair[]
  readonly header: readonly Pair[]
  readonly body: readonly unknown[]
}

function toRequest(method: string, path: string, given: Given, session: Session): RawRequest {
  const verb = methods.find((known) => known === method.toUpperCase())
  if (!verb) throw new UsageError(`the method should be one of ${methods.join(', ')}, got ${JSON.stringify(method)}`)
  if (!path.startsWith('/'))
    throw new UsageError(`the path should start with /, such as /v1/projects; got ${JSON.stringify(path)}`)
  const filled = path
    .replaceAll('{project}', () => encodeURIComponent(session.project()))
    .replaceAll('{environment}', () => encodeURIComponent(session.environment()))
  const fields = [...given.field, ...given.jsonField]
  const headers = Object.fromEntries(given.header.map(({ name, value }) => [name.toLowerCase(), String(value).trim()]))
  const isInQuery = verb === 'GET' || verb === 'DELETE'
  const body = isInQuery ? given.body[0] : bodyOf(given.body, fields)
  return {
    method: verb,
    path: filled,
    query: isInQuery ? groupTexts(fields) : {},
    headers,
    ...(body !== undefined && { body })
  }
}

/** Returns the texts of each name; a repeated one has several. */
function groupTexts(fields: readonly Pair[]): Readonly<Record<string, readonly string[]>> {
  const groups = new Map<string, readonly string[]>()
  for (const { name, value } of fields) {
    groups.set(name, [...(groups.get(name) ?? []), typeof value === 'string' ? value : JSON.stringify(value)])
  }
  return Object.fromEntries(groups)
}

function bodyOf([whole, ...more]: readonly unknown[], fields: readonly Pair[]): unknown {
  if (more.length > 0)
    throw new UsageError('--body was passed more than once: pass it once, and single members with -f or -F')
  if (fields.length === 0) return whole
  if (whole !== undefined && !isRecord(whole))
    throw new UsageError(
      '--body is not an object, so -f and -F cannot add members to it: pass an object, or omit -f and -F'
    )
  return { ...whole, ...Object.fromEntries(fields.map(({ name, value }) => [name, value])) }
}

async function readAll(request: RawRequest, session: Session): Promise<readonly unknown[]> {
  if (request.method !== 'GET')
    throw new UsageError(`--paginate needs the method GET, got ${request.method}: use GET, or omit --paginate`)
  const list = async ({ query = {} }: { readonly query?: object }) => {
    const page = Object.entries(query).map(([name, value]) => [name, [value].flat().map(String)])
    const items = await session.request({ ...request, query: Object.fromEntries(page) })
    if (!Array.isArray(items))
      throw new UsageError(`--paginate needs a list, but ${request.path} does not return one: omit --paginate`)
    return items as readonly unknown[]
  }
  return collect(list, { query: request.query })
}

/** Parses `name=value`; `undefined` if it is none. */
function parsePair(text: string, separator: string): { readonly name: string; readonly value: string } | undefined {
  const at = text.indexOf(separator)
  return at > 0 ? { name: text.slice(0, at), value: text.slice(at + 1) } : undefined
}
