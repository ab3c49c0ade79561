import { readFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { SourceMap } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '../lib/cleanUp.mjs'
import { parseOptions } from '../lib/commandLine.mjs'
import { assertBuilt } from '../lib/server.mjs'

const HELP = `Lists the source files whose functions run for a request of each kind: an evaluation, a write, an event and a tool
call, on a warm server with a file store. ARCHITECTURE.md has the counts.
Build first: npm run build, at the root.

  npm run traces              the number of files, by layer
  npm run traces -- --files   the files too`

const { values: options } = parseOptions({ options: { files: { type: 'boolean' }, help: { type: 'boolean' } } })

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

const credentials = { client_id: 'bench', client_secret: 'the-secret-of-the-bench' }

/** Requests of each kind that are not counted, and those that are: a file counts if it runs for all of these. */
const WARM_UP = 3
const COUNTED = 5

/** The source maps of the built files, read once. */
const maps = new Map()

if (options.help) console.log(HELP)
else await main()

async function main() {
  assertBuilt()
  const isOfServer = (file) => !file.startsWith('mcp/')
  await withProject([], async (ask, serverKey) => {
    const authorization = { authorization: serverKey }
    await report('evaluation: POST /v1/variables/new-checkout', isOfServer, () =>
      ask('POST', '/v1/variables/new-checkout', { user_id: 'ada' }, authorization)
    )
    await report('write: PATCH /v2/projects/shop/features/new-checkout', isOfServer, (round) =>
      ask('PATCH', '/v2/projects/shop/features/new-checkout', configure(round))
    )
    const events = { user: { user_id: 'ada' }, events: [{ type: 'purchase' }] }
    await report('event: POST /v1/track', isOfServer, () => ask('POST', '/v1/track', events, authorization))
  })
  await withProject(['--mcp'], async (ask) => {
    const callTool = await openTools(ask)
    await report(
      'tool call: the preview of update_feature',
      (file) => !isOfServer(file),
      (round) => callTool('update_feature', { projectKey: 'shop', key: 'new-checkout', ...configure(round) })
    )
  })
}

/** Starts a server with the project `shop`, and closes it afterwards. */
async function withProject(flags, use) {
  const { parseOptions, startServer } = await import('../../packages/server/dist/index.js')
  const directory = temporaryDirectory()
  const environment = {
    BURGEE_ADMIN_CLIENT_ID: credentials.client_id,
    BURGEE_ADMIN_CLIENT_SECRET: credentials.client_secret
  }
  const settings = ['--store', `file:${directory}`, '--port', '0', '--log-level', 'error', ...flags]
  const server = await startServer(parseOptions(settings, environment))
  try {
    const ask = await caller(server.url)
    await ask('POST', '/v1/projects', { key: 'shop', name: 'Shop' })
    await ask('POST', '/v2/projects/shop/features', { key: 'new-checkout', name: 'New checkout', ...configure(0) })
    const { body } = await ask('GET', '/v1/projects/shop/environments/production')
    await use(ask, JSON.parse(body).sdkKeys.server[0].key)
  } finally {
    await server.close()
  }
}

/** Returns a function that sends a request with the token of the administrator. */
async function caller(url) {
  const grant = new URLSearchParams({ grant_type: 'client_credentials', ...credentials })
  const { access_token: token } = await (await fetch(`${url}/oauth/token`, { method: 'POST', body: grant })).json()
  return async (method, path, content, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(content ? { body: JSON.stringify(content) } : {})
    })
    const body = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${body}`)
    return { body, headers: response.headers }
  }
}

/** Starts a session of tools, and returns a function that calls one. */
async function openTools(ask) {
  const accept = { accept: 'application/json, text/event-stream' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'traces', version: '1.0.0' } }
  const opened = await ask('POST', '/mcp', { jsonrpc: '2.0', id: 'start', method: 'initialize', params }, accept)
  const headers = { ...accept, 'mcp-session-id': opened.headers.get('mcp-session-id') }
  await ask('POST', '/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
  let id = 0
  return (name, input) =>
    ask('POST', '/mcp', { jsonrpc: '2.0', id: id++, method: 'tools/call', params: { name, arguments: input } }, headers)
}

/** A configuration of production: a share of all users that is different in each round. */
function configure(round) {
  return { configurations: { production: { status: 'active', targets: targets(round) } } }
}

async function report(title, isCounted, send) {
  const files = (await trace(send)).filter(isCounted)
  console.log(`${title}: ${files.length} files: ${countByLayer(files)}`)
  if (options.files) console.log(files.map((file) => `  ${file}`).join('\n'))
}

function targets(round) {
  return [
    {
      audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
      distribution: [
        { _variation: 'variation-on', percentage: round / 100 },
        { _variation: 'variation-off', percentage: 1 - round / 100 }
      ]
    }
  ]
}

/** Returns the files whose functions run for each of several requests. Files of periodic jobs run for some at most. */
async function trace(send) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  let common
  for (let round = 1; round <= WARM_UP + COUNTED; round++) {
    await session.post('Profiler.takePreciseCoverage')
    await send(round)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    if (round <= WARM_UP) continue
    const files = await filesOf(result)
    common = common ? common.filter((file) => files.has(file)) : [...files]
  }
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  return common.sort()
}

/** The source files of functions that ran, as `server/lib/errors.ts`; a file of another workspace by its package. */
async function filesOf(scripts) {
  const files = new Set()
  for (const { url, functions } of scripts) {
    if (!url.startsWith('file:') || !/\/packages\/\w[\w-]*\/dist\//.test(url)) continue
    const path = fileURLToPath(url)
    const map = await mapOf(path)
    if (!map) continue
    for (const { ranges } of functions) {
      const [{ startOffset, count }] = ranges
      // The function at offset 0 is the module itself.
      if (count === 0 || startOffset === 0) continue
      const { originalSource } = map.at(startOffset)
      if (originalSource) files.add(relative(packages, resolve(path, '..', originalSource)).replace('/src/', '/'))
    }
  }
  return files
}

/** Returns the source map of a built file, by offset. */
async function mapOf(path) {
  if (!maps.has(path)) maps.set(path, readMap(path))
  return maps.get(path)
}

async function readMap(path) {
  const text = await readFile(path, 'utf8')
  const map = new SourceMap(JSON.parse(await readFile(`${path}.map`, 'utf8')))
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return {
    at: (offset) => {
      const line = starts.findLastIndex((start) => start <= offset)
      return map.findEntry(line, offset - starts[line])
    }
  }
}

function countByLayer(files) {
  const counts = new Map()
  for (const file of files) {
    const [name, layer] = file.split('/')
    const key = name === 'server' || name === 'mcp' ? (layer.endsWith('.ts') ? name : layer) : name
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([layer, count]) => `${layer} ${count}`)
    .join(', ')
}
