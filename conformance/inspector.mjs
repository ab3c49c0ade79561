import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './processes.mjs'

const inspector = here('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')

/** Inspects each tool. */
const list = { flags: ['--method', 'tools/list', '--strict'], holds: ({ tools }) => tools.length === 22 }

/** The requests, and the expected parts of their responses. */
const questions = [
  list,
  { flags: calls('get_current_project', { projectKey: 'shop' }), holds: isAbout('shop') },
  { flags: calls('list_features', { projectKey: 'shop', perPage: 5 }), holds: isAbout('checkout') },
  { flags: calls('install_service_sdk', { guide: 'nodejs' }), holds: ({ content }) => content[0].text.length > 1000 },
  { flags: ['--method', 'resources/list'], holds: ({ resources }) => resources.length === 30 },
  { flags: ['--method', 'resources/templates/list'], holds: ({ resourceTemplates }) => resourceTemplates.length === 1 },
  {
    flags: ['--method', 'resources/read', '--uri', 'guide://install/nodejs'],
    holds: ({ contents }) => contents[0].text.length > 1000
  },
  { flags: ['--method', 'prompts/list'], holds: ({ prompts }) => prompts.length === 2 },
  {
    flags: ['--method', 'prompts/get', '--prompt-name', 'install-sdk', '--prompt-args', 'guide=nodejs'],
    holds: ({ messages }) => messages[0].content.text.length > 1000
  }
]

/**
 * Queries the tool server with the inspector, over stdio and over HTTP, as clients of old and of new protocol
 * revisions; returns the failures. A warning about the schema of a tool is a failure too. Each transport and era gets
 * every request once, because each request starts a program, which takes a second.
 */
export async function inspect({ mcpUrl, token, settings }) {
  const home = await mkdtemp(join(tmpdir(), 'burgee-inspector-'))
  const targets = { stdio: stdio(settings), http: http(mcpUrl, token) }
  const way = (transport, era, asked) => {
    const target = [...targets[transport], '--protocol-era', era]
    return { name: `inspector, ${transport}, ${era}`, target, asked }
  }
  const ways = [
    way('stdio', 'legacy', questions),
    way('http', 'modern', questions),
    way('stdio', 'modern', [list]),
    way('http', 'legacy', [list])
  ]
  try {
    const failed = await Promise.all(ways.map((way) => askAll(way, home)))
    return ways.filter((_, index) => failed[index]).map(({ name }) => name)
  } finally {
    await rm(home, { recursive: true })
  }
}

/** Runs the requests on one transport; returns whether any failed. */
async function askAll({ name, target, asked }, home) {
  const wrong = []
  for (const question of asked) {
    const mistake = await ask(question, target, home)
    if (mistake) wrong.push(mistake)
  }
  console.log(`${wrong.length === 0 ? '✓' : '✗'} ${name}: ${asked.length - wrong.length} of ${asked.length}`)
  for (const mistake of wrong) console.log(mistake)
  return wrong.length > 0
}

/** The mistakes in a response; an empty result if it is right. */
async function ask({ flags, holds }, target, home) {
  const args = [inspector, '--cli', ...target, '--format', 'json', ...flags]
  const { code, stdout, output } = await run(process.execPath, args, { HOME: home })
  const failure = `${flags.join(' ')} ended with ${code}:\n${output}`
  if (code !== 0) return failure
  const { result, schemaFindings = [] } = JSON.parse(stdout)
  if (schemaFindings.length > 0) return `${flags.join(' ')} found:\n${JSON.stringify(schemaFindings, null, 2)}`
  return holds(result) ? undefined : failure
}

function calls(tool, args) {
  return ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)]
}

function stdio(settings) {
  const given = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  return [...given, process.execPath, here('../packages/mcp/dist/main.js')]
}

function http(url, token) {
  return [url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
}

function isAbout(key) {
  return ({ content }) => content[0].text.includes(`"${key}"`)
}

function here(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}
