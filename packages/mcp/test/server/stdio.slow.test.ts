// Long for its table: every setting that is rejected at the start.

import { chmod, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command, parseCommandLine } from '@burgee/kit/commandLine'
import type { Environment } from '@burgee/kit/settings'
import { options, serve, type TestServer } from '@burgee/testing/harness'
import { sample } from '@burgee/testing/scale'
import type { Running } from '@burgee/testing/vitest/executable'
import { serveAda } from '@burgee/testing/vitest/signInAsAda'
import { beforeAll, describe, expect, it } from 'vitest'
import { program } from '../../src/executable/program.ts'
import { reportFailure } from '../../src/executable/reportFailure.ts'
import { openAccount } from '../../src/login/account.ts'
import { openSignIns } from '../../src/login/credentials.ts'
import { settings } from '../../src/settings/settings.ts'
import { type Home, makeHome, run, start } from '../executable/program.ts'
import { signedIn } from '../executable/signedIn.ts'
import { unreachable } from '../support/unreachable.ts'
import { initialize, metaOf, requestOf } from './wire.ts'

let server: TestServer
let home: Home
let credentials: Readonly<Record<string, string>>

beforeAll(async () => {
  server = await serve({ features: [{ key: 'checkout' }] })
  home = await makeHome()
  credentials = {
    ...home.environment,
    SERVICE_API_URL: server.url,
    SERVICE_CLIENT_ID: options.adminClientId,
    SERVICE_CLIENT_SECRET: options.adminClientSecret,
    SERVICE_PROJECT_KEY: 'shop'
  }
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape.
type Message = any

/** Sends a request and returns its response. */
async function ask(running: Running, id: number, method: string, params: Record<string, unknown>): Promise<Message> {
  running.write(`${JSON.stringify(requestOf(id, method, params))}\n`)
  const find = () => messagesOf(running.stdout()).find((message) => message.id === id)
  await expect.poll(find, { interval: 20 }).toBeDefined()
  return find()
}

/** Parses output, which must consist of protocol messages only. */
function messagesOf(text: string): Message[] {
  const messages = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  for (const message of messages) expect(message).toMatchObject({ jsonrpc: '2.0' })
  return messages
}

const call = (running: Running, id: number, name: string, args: object, meta?: object) => {
  return ask(running, id, 'tools/call', { name, arguments: args, ...(meta ? { _meta: meta } : {}) })
}

/** Starts a process and initializes the connection. */
async function begin(environment: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<Running> {
  const running = start(flags, environment)
  await ask(running, 1, initialize.method, { ...initialize.params })
  running.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  return running
}

describe('burgee-mcp over standard input and output', () => {
  it('writes only protocol messages to standard output, even after errors and with DEBUG=1', async () => {
    const running = await begin({ ...credentials, DEBUG: '1' })
    await call(running, 2, 'list_features', {})
    await call(running, 3, 'list_features', { projectKey: 'nowhere' })
    await call(running, 4, 'list_features', { page: 'one' })
    await call(running, 5, 'no_such_tool', {})
    running.write('this is no JSON\n')
    await ask(running, 6, 'no/such/method', {})
    await ask(running, 7, 'ping', {})
    running.hangUp()
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(0)
    expect(messagesOf(stdout).map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, 6, 7]))
    expect(stdout.endsWith('\n')).toBe(true)
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ tool }) => tool === 'list_features').map(({ message }) => message)).toEqual([
      'tool called',
      'tool call completed',
      'tool called',
      'tool failed',
      'tool called',
      'tool failed'
    ])
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'info', errorType: 'PROJECT_ERROR', assistant: 'test-host 1.0.0' })
    )
    expect(lines).toContainEqual(expect.objectContaining({ level: 'info', tool: 'no_such_tool' }))
    const invalid = lines.filter(({ message }) => /is not JSON/.test(message))
    expect(invalid).toMatchObject([{ level: 'info', length: 'this is no JSON'.length }])
    expect(stderr).not.toContain(options.adminClientSecret)
  })

  it('takes the secret from a file, and logs one line per operation', async () => {
    const path = join(home.environment.HOME, 'secret')
    await writeFile(path, `${options.adminClientSecret}\n`)
    const { SERVICE_CLIENT_SECRET: _, ...others } = credentials
    const running = await begin(others, '--client-secret-file', path)
    expect((await call(running, 2, 'list_features', {})).result.isError).toBeUndefined()
    running.hangUp()
    const { stderr } = await running.ended
    expect(JSON.parse(stderr)).toMatchObject({ level: 'info', tool: 'list_features', message: 'tool call completed' })
    expect(stderr.match(/\n/g)).toHaveLength(1)
  })

  it('remembers the project that was selected, in either revision', async () => {
    const { SERVICE_PROJECT_KEY: _, ...none } = credentials
    const old = await begin(none)
    expect((await call(old, 2, 'list_features', {})).result.structuredContent.errorType).toBe('PROJECT_ERROR')
    await call(old, 3, 'select_project', { projectKey: 'shop' })
    expect((await call(old, 4, 'list_features', {})).result.structuredContent.total).toBe(1)
    const recent = start([], none)
    await call(recent, 1, 'select_project', { projectKey: 'shop' }, metaOf())
    expect((await call(recent, 2, 'list_features', {}, metaOf())).result.structuredContent.total).toBe(1)
  })

  it('acts as the signed-in user, in their default project', async () => {
    const now = await serveAda({ features: [{ key: 'checkout' }] })
    const ada = await signedIn(now, '--project', 'shop')
    const running = await begin({ ...ada.environment, SERVICE_API_URL: now.url })
    const { result } = await call(running, 2, 'list_features', {})
    expect(result.structuredContent.result[0].key).toBe('checkout')
    expect(running.stderr()).toContain((await ada.entry(now.url)).who.id)
  })

  it('ends after a renewed token is stored', async () => {
    const now = await serveAda()
    const ada = await signedIn(now)
    const before = await ada.entry(now.url)
    const expired = { ...before, expiresAt: new Date(0).toISOString() }
    await writeFile(ada.path, JSON.stringify({ version: 1, servers: { [now.url]: expired } }))
    // Another process holds the lock briefly. Acquiring it restricts the mode of the folder first.
    await writeFile(`${ada.path}.lock`, '')
    await chmod(ada.directory, 0o755)
    const running = await begin({ ...ada.environment, SERVICE_API_URL: now.url, DEBUG: '1' })
    const asked = { name: 'select_project', arguments: {} }
    running.write(`${JSON.stringify(requestOf(2, 'tools/call', asked))}\n`)
    const modeOf = async () => ((await stat(ada.directory)).mode & 0o777).toString(8)
    await expect.poll(modeOf).toBe('700')
    running.kill('SIGTERM')
    await expect.poll(() => running.stderr()).toContain('signal received: stopping')
    expect((await ada.entry(now.url)).refreshToken).toBe(before.refreshToken)
    await rm(`${ada.path}.lock`)
    expect((await running.ended).code).toBe(0)
    expect((await ada.entry(now.url)).refreshToken).not.toBe(before.refreshToken)
  })

  it('starts while the server is unreachable, and reports that when a tool is called', async () => {
    const running = await begin({ ...credentials, SERVICE_API_URL: await unreachable() })
    const { result } = await call(running, 2, 'list_features', {})
    expect(result.structuredContent.errorType).toBe('NETWORK_ERROR')
  })

  it('enables the tools that its flags select', async () => {
    const running = await begin(credentials, '--read-only', '--categories', 'features, results')
    const { result } = await ask(running, 2, 'tools/list', {})
    const names = result.tools.map(({ name }: { name: string }) => name)
    expect(names).toContain('get_project_total_evaluations')
    for (const name of ['create_feature', 'list_variables', 'install_service_sdk']) expect(names).not.toContain(name)
  })

  it.each(sample(['SIGTERM', 'SIGINT'] as const, 1, 'signals'))('ends at %s', async (signal) => {
    const running = await begin(credentials)
    running.kill(signal)
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
  })
})

/** Parses a command line and opens the account in this process, which is faster than starting one. */
async function parseAndOpenAccount(args: readonly string[], environment: Environment): Promise<unknown> {
  const file = openSignIns(environment, process.platform)
  const main = command({
    name: '',
    summary: '',
    settings,
    run: async ({ settings }) => {
      await openAccount(settings, file, Date.now)
      return 0
    }
  })
  const line = parseCommandLine({ ...program, main, commands: [] }, args, environment)
  return line.type === 'run' && line.run(undefined)
}

describe('startup', () => {
  it('fails without credentials, and names both ways to provide them', async () => {
    const { code, stdout, stderr } = await run([], home.environment)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^burgee-mcp: [^\n]*SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET[^\n]*burgee-mcp login\n$/)
  })

  it('reports invalid settings in one line, and exits with 2', async () => {
    const { code, stdout, stderr } = await run(['--nope'], credentials)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^burgee-mcp: [^\n]*--nope[^\n]+See burgee-mcp --help\n$/)
  })

  const refused = {
    'an unknown flag': [['--nope'], {}, /--nope.*See burgee-mcp --help/],
    'an invalid address': [['--api-url', 'ftp://x'], {}, /--api-url cannot be "ftp:\/\/x"/],
    'an address with a user': [[], { SERVICE_API_URL: 'http://me:secret@x' }, /SERVICE_API_URL cannot be/],
    'an insecure address': [['--api-url', 'http://192.0.2.1'], {}, /--allow-http/],
    'a key that is none': [['--project', 'My Shop'], {}, /--project cannot be "My Shop"/],
    'another way to confirm': [
      ['--confirm', 'sometimes'],
      {},
      /--confirm cannot be "sometimes"\. [^\n]+ always, production/
    ],
    'a variable that is neither on nor off': [
      [],
      { BURGEE_MCP_READ_ONLY: 'yes' },
      /BURGEE_MCP_READ_ONLY cannot be "yes"/
    ],
    'a group of tools that there is not': [['--categories', 'features,flags'], {}, /of features, variables, install/],
    'a port that is none': [['--http', '--port', '65536'], {}, /--port cannot be "65536"/],
    'a secret with a space in it': [
      [],
      { SERVICE_CLIENT_SECRET: 'a b' },
      /SERVICE_CLIENT_SECRET cannot be the given text/
    ],
    'a secret of nobody': [[], { SERVICE_CLIENT_ID: '' }, /SERVICE_CLIENT_ID is missing/],
    'two secrets': [
      ['--client-secret-file', '/nowhere'],
      {},
      /set either SERVICE_CLIENT_SECRET or SERVICE_CLIENT_SECRET_FILE, not both/
    ],
    'a file that is not there': [['--client-secret-file', '/nowhere'], { SERVICE_CLIENT_SECRET: '' }, /ENOENT/],
    'a secret on the command line': [['--client-secret', 'x'], {}, /--client-secret/]
  } as const
  it.each(Object.entries(refused))('is refused in one line with %s', async (_, [args, environment, says]) => {
    let printed = ''
    const code = await parseAndOpenAccount(args, { ...credentials, ...environment }).catch((error) => {
      return reportFailure(error, (text) => {
        printed += text
      })
    })
    expect(code).toBe(2)
    expect(printed).toMatch(/^burgee-mcp: [^\n]+\n$/)
    expect(printed).toMatch(says)
    expect(printed).not.toContain(options.adminClientSecret)
  })

  it('rejects an unknown command', async () => {
    const { code, stderr } = await run(['lgin'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/unknown command 'lgin' \(did you mean login\?\)\. See burgee-mcp --help/)
    ])
  })

  it('prints help and the version', async () => {
    for (const flag of sample(['--help', '-h'], 1, 'help')) {
      expect((await run([flag])).stdout).toMatch(/SERVICE_API_URL.*BURGEE_MCP_CONFIRM.*DEBUG/s)
    }
    expect((await run(['login', '--help'])).stdout).toMatch(/^Usage: burgee-mcp login \[options\]\n.*--no-browser/s)
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
