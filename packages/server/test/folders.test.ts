import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const serverSource = new URL('../src', import.meta.url).pathname
const mcpSource = new URL('../../mcp/src', import.meta.url).pathname
const cliSource = new URL('../../cli/src', import.meta.url).pathname
const dashboardSource = new URL('../../dashboard/src', import.meta.url).pathname

/**
 * The layers of the server from the top down, each with the libraries that only it may import. `layers.grit` has the
 * same order for the editor.
 */
const layers: Readonly<Record<string, readonly string[]>> = {
  composition: ['@burgee/dashboard', '@burgee/mcp', 'node:http', 'node:net'],
  cli: ['@burgee/mcp'],
  'api/http': [
    '@koa/cors',
    '@koa/router',
    'koa',
    'light-my-request',
    'marked',
    'node:async_hooks',
    'node:http',
    'node:net',
    'zod'
  ],
  'api/handlers': [],
  telemetry: [
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
    'node:async_hooks',
    'prom-client'
  ],
  integrations: ['standardwebhooks'],
  flags: ['ajv', 'fast-json-stable-stringify', 'node:vm', 're2js'],
  insights: [],
  delivery: [],
  identity: ['@simplewebauthn/server', 'jose', 'koa', 'node:http', 'oidc-provider', 'openid-client', 'otpauth', 'zod'],
  access: ['fast-json-stable-stringify'],
  storage: ['kysely', 'lowdb', 'node:async_hooks', 'node:net', 'pg'],
  lib: ['ipaddr.js', 'node:dns', 'node:http', 'node:https', 'node:net', 'pino']
}
const order = Object.keys(layers)

interface Import {
  /** The file that imports, below the source folder. */
  readonly from: string
  /** The file it imports, below the source folder, or the name of a library. */
  readonly to: string
  /** Whether it imports only types. */
  readonly isType: boolean
}

/** Every import of a package's source, type-only and dynamic ones included. */
function importsIn(source: string): readonly Import[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(isFile)
    .flatMap((name) => {
      const file = join(source, name)
      const found = [...readFileSync(file, 'utf8').replace(TEMPLATE, '').matchAll(IMPORT)]
      return found.map(([, names = '', path = '']) => ({
        from: name,
        to: path.startsWith('.') ? relative(source, resolve(dirname(file), path)) : libraryOf(path),
        isType: names.startsWith('type ') || /^\{(\s*type [^,}]+,?)+\s*\}/.test(names)
      }))
    })
}

/** The names and the path of an import or a re-export; dynamic imports have no names. */
const IMPORT = /(?:\b(?:import|export) ([\w\s{},*]+?) from |\bimport\(|\bimport )'([^']+)'/g

/** Text that a program shows, such as the snippets of the dashboard, imports nothing. */
const TEMPLATE = /`(?:\\.|[^`\\])*`/gs

/** The package of an import path: `node:dns` of `node:dns/promises`. */
function libraryOf(path: string): string {
  const [scope = '', name] = path.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}

const isFile = (to: string) => /\.tsx?$/.test(to)

/** The folder of a file that is a layer; files beside the folders belong to the composition root. */
function layerOf(file: string): string {
  const [folder = '', ...rest] = file.split('/')
  if (folder === 'api' && rest.length > 0) return `api/${rest[0]}`
  return rest.length > 0 ? folder : 'composition'
}

const imports = importsIn(serverSource)

test('every folder of the server is a layer', () => {
  expect([...new Set(imports.map(({ from }) => layerOf(from)))].sort()).toEqual([...order].sort())
})

test('a layer of the server imports only layers below it', () => {
  const upward = imports.filter(
    ({ from, to }) => isFile(to) && order.indexOf(layerOf(to)) < order.indexOf(layerOf(from))
  )
  expect(upward).toEqual([])
})

test('a layer of the server imports exactly the libraries that the table allows it', () => {
  const restricted = new Set(Object.values(layers).flat())
  const found = Object.fromEntries(
    order.map((layer) => {
      const used = imports.filter(({ from, to }) => layerOf(from) === layer && !isFile(to)).map(({ to }) => to)
      const isFree = (library: string) => /^(@burgee\/|node:)/.test(library) && !restricted.has(library)
      return [layer, [...new Set(used.filter((library) => !isFree(library)))].sort()]
    })
  )
  expect(found).toEqual(layers)
})

/** The columns of the table in ARCHITECTURE.md that says who may import whom. */
const columns: Readonly<Record<string, RegExp>> = {
  core: /^@burgee\/core$/,
  contract: /^@burgee\/contract$/,
  kit: /^@burgee\/kit$/,
  zod: /^zod$/,
  koa: /^(koa|@koa\/.+)$/,
  'lowdb, pg, kysely': /^(lowdb|pg|kysely)$/,
  'MCP SDK': /^@modelcontextprotocol\//,
  'OpenFeature SDK': /^@openfeature\//
}

/** What code imports, in the notation of the table. Types count as imports of another package, except of core and contract. */
function describeImports(unit: string, found: readonly Import[]): readonly string[] {
  return Object.entries(columns).map(([column, library]) => {
    const imported = found.filter(({ to }) => library.test(to))
    if (imported.length === 0 && column !== unit) return '–'
    const distinguishesTypes = column === 'core' || column === 'contract'
    return distinguishesTypes && column !== unit && imported.every(({ isType }) => isType) ? 'types' : '✓'
  })
}

test('ARCHITECTURE.md says who imports whom', () => {
  const text = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [table = ''] = (text.split('## Who may import whom')[1] ?? '').split('\n## ')
  const [head = [], , ...rows] = [...table.matchAll(/^\|(.+)\|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.replace(/\(.*\)/, '').trim())
  )
  expect(head.slice(1)).toEqual(Object.keys(columns))
  const documented = rows.flatMap(([units = '', ...cells]) =>
    units.split(', ').map((unit) => {
      const isLayer = units.startsWith('server: ')
      return { unit: unit.replace(/^server: /, '').replaceAll('`', ''), isLayer, cells }
    })
  )
  const found = documented.map(({ unit, isLayer }) => {
    const source = new URL(`../../${unit}/src`, import.meta.url).pathname
    const ofUnit = isLayer ? imports.filter(({ from }) => layerOf(from) === unit) : importsIn(source)
    expect(ofUnit.length).toBeGreaterThan(0)
    return describeImports(unit, ofUnit)
  })
  expect(found).toEqual(documented.map(({ cells }) => cells))
  const layersInTable = documented.filter(({ isLayer }) => isLayer).map(({ unit }) => unit)
  expect(layersInTable.sort()).toEqual([...order].sort())
})

test('the rules of features read stored shapes, and import neither the store nor the folder around them', () => {
  const rules = imports.filter(({ from }) => from.startsWith('flags/features/rules/'))
  const impure = rules.filter(({ to }) => {
    return /^storage\/(?!resources\/)|^flags\/features\/\w+\.ts/.test(to)
  })
  expect(rules.length).toBeGreaterThan(0)
  expect(impure).toEqual([])
})

type Graph = ReadonlyMap<string, ReadonlySet<string>>

function toGraph(edges: readonly (readonly [from: string, to: string])[]): Graph {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to))
  return graph
}

/** Returns a cycle through each node that reaches one, as a text. */
function findCycles(graph: Graph): readonly string[] {
  const done = new Set<string>()
  const cycleFrom = (node: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const cycle = cycleFrom(next, [...path, node])
      if (cycle) return cycle
    }
    done.add(node)
    return undefined
  }
  return [...graph.keys()].flatMap((node) => cycleFrom(node, [])?.join(' → ') ?? [])
}

test.each([
  ['the server', serverSource, 40],
  ['the tool server', mcpSource, 9],
  ['the command line', cliSource, 15]
])('no folder of %s imports a folder that imports it, directly or through others', (_, source, fewest) => {
  const folders = toGraph(
    importsIn(source).flatMap(({ from, to }) => {
      const [importing, imported] = [dirname(from), dirname(to)]
      const isRoot = importing === '.' || imported === '.' || importing === 'composition'
      return !isFile(to) || isRoot || importing === imported ? [] : [[importing, imported] as const]
    })
  )
  expect(folders.size).toBeGreaterThan(fewest)
  expect(findCycles(folders)).toEqual([])
})

test.each([
  ['cli', 100],
  ['contract', 100],
  ['core', 30],
  ['kit', 5],
  ['mcp', 80],
  ['openfeature-provider', 30],
  ['server', 500]
])('no file of %s imports a file that imports it, directly or through others', (name, fewest) => {
  const source = new URL(`../../${name}/src`, import.meta.url).pathname
  const files = toGraph(importsIn(source).flatMap(({ from, to }) => (isFile(to) ? [[from, to] as const] : [])))
  expect(files.size).toBeGreaterThan(fewest)
  expect(findCycles(files)).toEqual([])
})

/** The folders of a package from the top down. Files beside the folders belong to the entry, except those of the list. */
const folderLayers = {
  dashboard: [
    'entry',
    'pages',
    'parents.ts',
    'shell',
    'actions',
    'rules',
    'components',
    'draft',
    'api',
    'preferences',
    'lazyPage.ts'
  ],
  cli: [
    'entry',
    'commands',
    'operations',
    'schemas',
    'dev',
    'plan',
    'run',
    'repository',
    'profiles',
    'output',
    'manifest',
    'document',
    'codegen',
    'code',
    'version.ts'
  ],
  mcp: [
    'entry',
    'executable',
    'commands',
    'http',
    'server',
    'definitions',
    'confirmation',
    'tools',
    'guides',
    'preview',
    'access',
    'tool.ts',
    'plan',
    'approvals',
    'login',
    'api',
    'connection',
    'settings',
    'results',
    'packageRoot.ts'
  ]
}

const ofDashboard = importsIn(dashboardSource).filter(({ to }) => isFile(to))
const ofCli = importsIn(cliSource).filter(({ to }) => isFile(to))
const ofMcp = importsIn(mcpSource).filter(({ to }) => isFile(to))

test.each([
  // A parent route loads its layout when the route is opened.
  ['the dashboard', ofDashboard, folderLayers.dashboard, ['parents.ts → pages/feature/FeatureLayout.tsx']],
  ['the command line', ofCli, folderLayers.cli, []],
  ['the tool server', ofMcp, folderLayers.mcp, []]
])('a folder of %s imports only folders below it', (_, found, folders, exceptions) => {
  const folderOf = (file: string) => {
    const [folder = '', ...rest] = file.split('/')
    return rest.length > 0 || folders.includes(folder) ? folder : 'entry'
  }
  const files = found.flatMap(({ from, to }) => [from, to])
  expect([...new Set(files.map(folderOf))].sort()).toEqual([...folders].sort())
  const upward = found.filter(({ from, to }) => folders.indexOf(folderOf(to)) < folders.indexOf(folderOf(from)))
  expect(upward.map(({ from, to }) => `${from} → ${to}`)).toEqual(exceptions)
})

test('no page of the dashboard imports another', () => {
  const pageOf = (file: string) => /^pages\/([^/]+)/.exec(file)?.[1]
  const between = ofDashboard.filter(({ from, to }) => pageOf(from) && pageOf(to) && pageOf(from) !== pageOf(to))
  expect(between).toEqual([])
})

test('the dashboard sends requests in its folder api only', () => {
  const senders = readdirSync(dashboardSource, { recursive: true, encoding: 'utf8' }).filter(
    (name) => isFile(name) && SENDS.test(readFileSync(join(dashboardSource, name), 'utf8').replace(TEMPLATE, ''))
  )
  expect(senders.filter((name) => !name.startsWith('api/'))).toEqual([])
})

/** The functions of browsers that send requests. Queries have a `refetch` of their own. */
const SENDS = /(?<![.\w])(?:fetch|sendBeacon|new (?:EventSource|WebSocket|XMLHttpRequest))\(/

test('no folder of a package has more than fifteen modules', () => {
  const packages = new URL('../..', import.meta.url).pathname
  const folders = readdirSync(packages).flatMap((name) => [join(name, 'src'), join(name, 'test')])
  const names = folders
    .filter((folder) => existsSync(join(packages, folder)))
    .flatMap((folder) =>
      readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
    )
  const counts = new Map<string, number>()
  for (const name of names.filter(isFile)) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1)
  expect([...counts].filter(([, count]) => count > 15)).toEqual([])
})
