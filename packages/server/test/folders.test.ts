import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const src = new URL('../src', import.meta.url).pathname
const toolsSrc = new URL('../../mcp/src', import.meta.url).pathname

/** Library → the rooms that import it. One that is not here has no place yet; those of Node are free where the table does not name them. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  '@burgee/mcp': ['beside'],
  '@koa/cors': ['http'],
  '@koa/router': ['http'],
  '@opentelemetry/api': ['tracing'],
  '@opentelemetry/exporter-trace-otlp-http': ['tracing'],
  '@opentelemetry/resources': ['tracing'],
  '@opentelemetry/sdk-trace': ['tracing'],
  ajv: ['variables'],
  'fast-json-stable-stringify': ['approval', 'audit', 'changeRequests'],
  'ipaddr.js': ['http', 'outbound'],
  jose: ['auth'],
  koa: ['auth', 'http'],
  'light-my-request': ['http'],
  lowdb: ['store'],
  'node:async_hooks': ['tracing'],
  'node:dns': ['outbound'],
  'node:http': ['auth', 'beside', 'http', 'outbound'],
  'node:https': ['outbound'],
  'node:net': ['beside', 'http', 'outbound'],
  'node:vm': ['variables'],
  'oidc-provider': ['auth'],
  'openid-client': ['auth'],
  pino: ['beside'],
  'prom-client': ['metrics'],
  'rate-limiter-flexible': ['http', 'secrets'],
  re2js: ['variables'],
  standardwebhooks: ['webhooks'],
  zod: ['auth', 'beside', 'commands', 'http']
}

interface Import {
  /** The room that imports: its folder below `src`. */
  readonly room: string
  /** What it imports: another room, or a library by its name. */
  readonly imported: string
}

/** The room of a file; `beside` are the files beside the rooms. */
function roomOf(file: string, within: string): string {
  const [room = '', ...rest] = relative(within, file).split('/')
  return rest.length > 0 ? room : 'beside'
}

/** What the rooms import; types count as well, and so does what is loaded late. The suites that stores run are tests. */
function imports(within: string, isOurs: boolean): readonly Import[] {
  return readdirSync(within, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('conformance.ts'))
    .flatMap((name) => {
      const file = join(within, name)
      const found = [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(|\bimport )'([^']+)'/g)]
      return found.flatMap(([, path = '']) => {
        if (path.startsWith('.') !== isOurs) return []
        const imported = isOurs ? roomOf(resolve(dirname(file), path), within) : libraryOf(path)
        return [{ room: roomOf(file, within), imported }]
      })
    })
}

/** The library that a path is in: `node:dns` of `node:dns/promises`. */
function libraryOf(path: string): string {
  const [scope = '', name] = path.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

test.each([
  ['of the server', src, 20],
  ['of the tools', toolsSrc, 9]
])('no room %s imports from one that imports from it, directly or by way of others', (_, within, fewest) => {
  const rooms = new Map<string, Set<string>>()
  for (const { room, imported } of imports(within, true)) {
    const isWithin = room === 'beside' || imported === 'beside' || imported === room
    if (!isWithin) rooms.set(room, (rooms.get(room) ?? new Set()).add(imported))
  }
  const wayBack = (from: string, to: string, passed: readonly string[]): readonly string[] | undefined => {
    for (const next of rooms.get(from) ?? []) {
      if (next === to) return [...passed, next]
      if (passed.includes(next)) continue
      const way = wayBack(next, to, [...passed, next])
      if (way) return way
    }
    return undefined
  }
  expect(rooms.size).toBeGreaterThan(fewest)
  const cycles = [...rooms.keys()].flatMap((room) => {
    const way = wayBack(room, room, [room])
    return way ? [way.join(' → ')] : []
  })
  expect(cycles).toEqual([])
})

test('each library is imported where the table says, and nowhere else', () => {
  const found: Record<string, readonly string[]> = {}
  for (const { room, imported } of imports(src, false)) {
    const isFree = /^(@burgee\/|node:)/.test(imported) && !libraries[imported]
    if (!isFree) found[imported] = [...new Set([...(found[imported] ?? []), room])].sort()
  }
  expect(found).toEqual(libraries)
})
