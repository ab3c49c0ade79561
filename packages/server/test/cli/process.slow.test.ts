import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { storeOnDisk } from '@burgee/testing/harness'
import { attributeFilter, keyOf, type Plan } from '@burgee/testing/plan'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { sample } from '@burgee/testing/scale'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { countsOf, textOf } from '../support/events/storedEvents.ts'
import { executable, expectBuilt } from '../support/processes/executable.ts'

/** A running or finished process of the executable. */
interface Run {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Its exit code; `null` when a signal ended it. */
  readonly ended: Promise<number | null>
}

const runs: Run[] = []

beforeAll(expectBuilt)

afterEach(async () => {
  for (const { child, ended } of runs.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  }
})

function run(args: readonly string[], environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [executable, ...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  const started = { child, stdout: () => stdout, stderr: () => stderr, ended }
  runs.push(started)
  return started
}

/** Runs the executable until it listens; returns its address. */
async function start(args: readonly string[], environment?: Record<string, string>): Promise<Run & { url: string }> {
  const started = run(['--port', '0', ...args], environment)
  const line = /^burgee-server listening on (http:\/\/\S+)$/m
  await expect.poll(() => line.test(started.stdout()) || started.child.exitCode !== null).toBe(true)
  const [, url] = line.exec(started.stdout()) ?? []
  if (!url) throw new Error(`the server did not start: ${started.stderr()}`)
  return { ...started, url }
}

async function stop({ child, ended }: Run): Promise<void> {
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
}

function post(url: string, body: unknown, authorization = keyOf('server')): Promise<Response> {
  const headers = { authorization, 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

describe('--help', () => {
  it.each(sample(['--help', '-h'], 1, 'help'))('%s names every setting and exits with 0', async (flag) => {
    const { ended, stdout, stderr } = run([flag, '--port', 'nonsense'])
    expect(await ended).toBe(0)
    const settings = [
      'HOST',
      'PORT',
      'STORE',
      'PUBLIC_URL',
      'LOG_LEVEL',
      'OFREP_RATE_LIMIT',
      'COMPAT_LEGACY_NAMES',
      'DEMO'
    ]
    for (const setting of settings) {
      expect(stdout()).toContain(`BURGEE_${setting}`)
      expect(stdout()).toContain(`--${setting.toLowerCase().replaceAll('_', '-')}`)
    }
    expect(stderr()).toBe('')
  })
})

const administrator = { BURGEE_ADMIN_CLIENT_ID: 'ops', BURGEE_ADMIN_CLIENT_SECRET: 'a-secret-for-the-tests' }

describe('a start', () => {
  it('prints one line when it is ready, and a stop does not wait for idle connections', async () => {
    const server = await start(['--store', 'memory:'], administrator)
    expect(server.stdout()).toMatch(/^burgee-server listening on http:\/\/127\.0\.0\.1:\d+\n$/)
    // fetch keeps its connections open.
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(server.stderr()).toBe('')
    const begun = performance.now()
    await stop(server)
    // A stop takes a second, and waits eight more for requests.
    expect(performance.now() - begun).toBeLessThan(8_900)
  })

  it('reads its settings from the environment, and flags override them', async () => {
    const directory = join(await temporaryDirectory(), 'data')
    const server = await start(['--public-url', 'https://flags.example.com'], {
      BURGEE_PORT: 'nonsense',
      BURGEE_STORE: `file:${directory}`,
      BURGEE_PUBLIC_URL: 'https://other.example.com',
      BURGEE_DEMO: 'true'
    })
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { servers: object[] }
    expect(document.servers).toEqual([{ url: 'https://flags.example.com' }])
    expect(server.stdout()).toContain('server key')
    // Links lead to the public URL, and the last line has the listening address.
    expect(server.stdout()).toContain('  https://flags.example.com/session/link/')
    expect(server.stdout().replace(/burgee-server listening on .*/, '')).not.toContain(server.url)
    expect(await readdir(directory)).toContain('db.json')
    await stop(server)
  })
})

describe('a server without people', () => {
  it('says how to add the first person, until there is one', async () => {
    const store = ['--store', `file:${join(await temporaryDirectory(), 'data')}`]
    const empty = await start(store, administrator)
    expect(empty.stdout()).toContain('burgee-server users add you@example.com')
    await stop(empty)
    expect(await run(['users', 'add', 'you@example.com', ...store]).ended).toBe(0)
    const server = await start(store, administrator)
    expect(server.stdout()).not.toContain('users add')
    await stop(server)
  })
})

describe('the secret of the first administrator client', () => {
  it('is written to a file that only its owner can read if standard output is no terminal', async () => {
    const directory = join(await temporaryDirectory(), 'data')
    const server = await start(['--store', `file:${directory}`])
    const path = join(directory, 'administrator.env')
    const [, secret = ''] =
      /^BURGEE_CLIENT_ID=burgee-admin\nBURGEE_CLIENT_SECRET=(burgee_secret_[\w-]{49})\n$/.exec(
        await readFile(path, 'utf8')
      ) ?? []
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(server.stdout()).toContain(`Its secret is in ${path}, which only its owner can read`)
    expect(server.stdout() + server.stderr()).not.toContain('burgee_secret_')
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'burgee-admin',
      client_secret: secret
    })
    expect((await fetch(`${server.url}/oauth/token`, { method: 'POST', body })).status).toBe(200)
    await stop(server)
  })

  it('can be configured by a file; variables that are not settings cause a warning with the nearest name', async () => {
    const path = join(await temporaryDirectory(), 'secret')
    await writeFile(path, `${administrator.BURGEE_ADMIN_CLIENT_SECRET}\n`)
    const server = await start(['--store', 'memory:'], {
      BURGEE_ADMIN_CLIENT_ID: 'ops',
      BURGEE_ADMIN_CLIENT_SECRET_FILE: path,
      BURGEE_PUBLIK_URL: 'https://x.example',
      // Of the other programs.
      BURGEE_CONFIG_DIR: '/nowhere',
      BURGEE_URL: 'https://x.example',
      BURGEE_MCP_PORT: '1',
      BURGEE_SDK_KEY: 'x'
    })
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'ops',
      client_secret: administrator.BURGEE_ADMIN_CLIENT_SECRET
    })
    expect((await fetch(`${server.url}/oauth/token`, { method: 'POST', body })).status).toBe(200)
    expect(server.stderr()).toMatch(
      /^burgee-server: BURGEE_PUBLIK_URL is not a setting \(did you mean BURGEE_PUBLIC_URL\?\)\n/
    )
    expect(server.stderr().match(/is not a setting/g)).toHaveLength(1)
    await stop(server)
  })
})

describe('an invalid setting', () => {
  const unusable: readonly [string[], Record<string, string>, string][] = [
    [['--port', 'abc'], {}, '--port cannot be "abc"'],
    [['--port', '65536'], {}, '--port cannot be "65536"'],
    [['--port=-1'], {}, '--port cannot be "-1"'],
    [['--max-streams', '-1'], {}, '--max-streams cannot be "-1". Maximum number of open streams'],
    [['--port', '80.5'], {}, '--port cannot be "80.5"'],
    [[], { BURGEE_PORT: 'abc' }, 'BURGEE_PORT cannot be "abc"'],
    [['--host', ''], {}, '--host cannot be ""'],
    [['--host', '203.0.113.1'], {}, '203.0.113.1'],
    [['--store', 'nonsense'], {}, '"nonsense" does not name a store'],
    [[], { BURGEE_STORE: 'file:' }, 'does not name a store'],
    [['--store', 'postgres://ada:hunter2@127.0.0.1:1/flags'], {}, '127.0.0.1:1/flags cannot be opened as a store'],
    [['--store', 'file:/dev/null'], {}, '/dev/null'],
    [['--store', 'file:/proc/burgee/data'], {}, '/proc/burgee/data cannot be opened as a store'],
    [['--log-level', 'loud'], {}, '--log-level cannot be "loud"'],
    [['--public-url', 'flags.example.com'], {}, '--public-url cannot be "flags.example.com"'],
    [['--oidc-issuer', 'https://x.example/?q=1'], {}, '--oidc-issuer cannot be "https://x.example/?q=1"'],
    [['--public-url', 'https://x.example/?q=1'], {}, '--public-url cannot be "https://x.example/?q=1"'],
    [['--public-url', 'https://x.example/#f'], {}, '--public-url cannot be "https://x.example/#f"'],
    [['--public-url', 'https://u:p@x.example'], {}, '--public-url cannot be "https://<credentials>@x.example"'],
    [[], { BURGEE_PUBLIC_URL: 'ftp://flags.example.com' }, 'BURGEE_PUBLIC_URL cannot be "ftp://flags.example.com"'],
    [['--ofrep-rate-limit', 'some'], {}, '--ofrep-rate-limit cannot be "some"'],
    [[], { BURGEE_DEMO: 'perhaps' }, 'BURGEE_DEMO cannot be "perhaps"'],
    [['--nonsense'], {}, "unknown option '--nonsense'"],
    [['--prot', '1'], {}, "unknown option '--prot' (did you mean --port?)"],
    [['serve'], {}, "unknown command 'serve'"],
    [['--port'], {}, '--port']
  ]

  // Each starts a process.
  test.each(sample(unusable, 3, 'unusable settings'))(
    '%j %j ends the start with one line and code 2',
    async (args, environment, says) => {
      const store = args.includes('--store') || 'BURGEE_STORE' in environment ? [] : ['--store', 'memory:']
      const { ended, stdout, stderr } = run([...store, ...args], environment)
      expect(await ended).toBe(2)
      expect(stderr()).toMatch(/^burgee-server: [^\n]+\n$/)
      expect(stderr()).toContain(says)
      expect(stderr()).not.toContain('hunter2')
      expect(stdout()).toBe('')
    }
  )

  it('is a taken port', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    const directory = await temporaryDirectory()
    const { ended, stderr } = run(['--port', String(port), '--store', `file:${directory}`])
    expect(await ended).toBe(2)
    expect(stderr()).toMatch(/^burgee-server: [^\n]+\n$/)
    expect(stderr()).toContain(`cannot listen on 127.0.0.1:${port}`)
    expect(stderr()).toContain('--port')
    const metrics = run(['--port', '0', '--metrics-port', String(port), '--store', 'memory:'])
    expect(await metrics.ended).toBe(2)
    expect(metrics.stderr()).toMatch(/with --host and --metrics-port\n$/)
    await new Promise((resolve) => taken.close(resolve))
    await stop(await start(['--store', `file:${directory}`]))
  })
})

it('a command whose output is closed early completes, and releases the store', async () => {
  const directory = join(await temporaryDirectory(), 'data')
  const store = `file:${directory}`
  expect(await run(['users', 'add', 'ada@example.com', '--store', store]).ended).toBe(0)
  const list = run(['users', 'list', '--store', store])
  list.child.stdout?.destroy()
  expect([await list.ended, list.stderr()]).toEqual([0, ''])
  expect(await readdir(directory)).not.toContain('db.json.lock')
})

describe('--demo', () => {
  /** The printed keys of the demo. */
  function keysIn(text: string): string[] {
    return [...text.matchAll(/^ {2}(?:server|client) key +(\S+)$/gm)].map(([, key = '']) => key)
  }

  it('prints the address, the keys and requests that work when pasted', async () => {
    const server = await start(['--demo', '--store', 'memory:'])
    const [serverKey, clientKey] = keysIn(server.stdout())
    expect(serverKey).toMatch(/^server-[\w-]{32,}$/)
    expect(clientKey).toMatch(/^client-[\w-]{32,}$/)
    expect(server.stdout()).toContain(`url         ${server.url}`)
    const pasted = server.stdout().match(/^ {2}curl (?:.*\\\n)*.*$/gm) ?? []
    expect(pasted).toHaveLength(5)
    const answers = await Promise.all(pasted.map((line) => promisify(execFile)('sh', ['-c', line])))
    const [one, all, flag, flags, token] = answers.map(({ stdout }) => JSON.parse(stdout))
    expect(one).toMatchObject({ key: 'new-checkout', value: true })
    expect(all['new-checkout']).toEqual(one)
    expect(flag).toMatchObject({ key: 'new-checkout', value: true, reason: 'TARGETING_MATCH' })
    expect(flags.flags).toContainEqual(flag)
    const headers = { authorization: `Bearer ${token.access_token}` }
    const projects = await (await fetch(`${server.url}/v1/projects`, { headers })).json()
    expect(projects).toMatchObject([{ key: 'demo' }, { key: 'payments' }])
    const waiting = await fetch(`${server.url}/v2/projects/payments/change-requests?status=pending`, { headers })
    expect(await waiting.json()).toMatchObject([{ feature: { key: 'instant-payouts' } }])
    await stop(server)
  })

  it('keeps its data across restarts, in a directory that is readable for its owner only', async () => {
    const parent = await temporaryDirectory()
    await mkdir(join(parent, 'deep'))
    const directory = join(parent, 'deep', 'data')
    const store = ['--store', `file:${directory}`]
    const first = await start(['--demo', ...store])
    const keys = keysIn(first.stdout())
    expect(keys).toHaveLength(2)
    await stop(first)
    const { stdout } = await promisify(execFile)('ls', ['-lnR', directory])
    const files = stdout.split('\n').filter((line) => /^[-a-z]{10} /.test(line))
    for (const line of files) expect(line).toMatch(/^(-rw-------|drwx------)/)
    expect(files.length).toBeGreaterThan(3)
    const second = await start(['--demo', ...store])
    expect(keysIn(second.stdout())).toEqual(keys)
    await stop(second)
    const plain = await start(store)
    expect(keysIn(plain.stdout())).toEqual([])
    expect(
      (await post(`${plain.url}/v1/variables/new-checkout`, { user_id: 'ada', country: 'CA' }, keys[0])).status
    ).toBe(200)
    await stop(plain)
  })

  it('does not change a store with other projects', async () => {
    const directory = await storeOnDisk({ features: [{ key: 'plain' }] }, Date.now())
    const server = await start(['--demo', '--store', `file:${directory}`])
    expect(keysIn(server.stdout())).toEqual([])
    const variables = await (await post(`${server.url}/v1/variables`, { user_id: 'ada' })).json()
    expect(Object.keys(variables as object)).toEqual(['plain'])
    await stop(server)
  })
})

it('a second signal does not abort the graceful stop', async () => {
  const directory = await storeOnDisk({ features: [{ key: 'plain' }] }, Date.now())
  const server = await start(['--store', `file:${directory}`])
  server.child.kill('SIGINT')
  await expect
    .poll(() =>
      fetch(`${server.url}/readyz`).then(
        ({ ok }) => ok,
        () => false
      )
    )
    .toBe(false)
  server.child.kill('SIGINT')
  expect(await server.ended).toBe(0)
  expect(await readdir(directory)).not.toContain('db.json.lock')
})

describe('a graceful stop', () => {
  it.each(sample(['SIGTERM', 'SIGINT'] as const, 1, 'signals of a stop'))(
    'by %s finishes running requests, refuses new ones, and keeps the writes',
    async (signal) => {
      const directory = await storeOnDisk({ features: [{ key: 'plain' }] }, Date.now())
      const server = await start(['--store', `file:${directory}`])
      const headers = { authorization: keyOf('server'), 'content-type': 'application/json' }
      const request = httpRequest(`${server.url}/v1/track`, { method: 'POST', headers })
      const answered = new Promise<number | undefined>((resolve, reject) => {
        request.on('response', (response) => resolve(response.resume().statusCode))
        request.on('error', reject)
      })
      request.write('{"user":{"user_id":"ada"},')
      const evaluated = await fetch(`${server.url}/v1/variables/plain`, {
        method: 'POST',
        headers,
        body: '{"user_id":"ada"}'
      })
      expect(evaluated.status).toBe(200)
      // The other response shows that the server has started to read the half body.
      expect((await fetch(`${server.url}/livez`)).status).toBe(200)
      server.child.kill(signal)
      await expect
        .poll(() =>
          fetch(`${server.url}/livez`).then(
            ({ status }) => status,
            () => 'refused'
          )
        )
        .toBe('refused')
      expect(server.child.exitCode).toBeNull()
      request.end('"events":[{"type":"last"}]}')
      expect(await answered).toBe(201)
      expect(await server.ended).toBe(0)
      expect(await textOf({ directory })).toContain('"type":"last"')
      expect(await countsOf({ directory })).toMatchObject([{ variable: 'plain', count: 1 }])
      expect(await readdir(directory)).not.toContain('db.json.lock')
      await stop(await start(['--store', `file:${directory}`]))
    }
  )
})

test.each(['backup', 'export'])('%s to a disk that refuses the data prints one line', async (command) => {
  const directory = await storeOnDisk({ features: [{ key: 'plain' }] }, Date.now())
  const target = join(await temporaryDirectory(), 'copy')
  // Files of more than 512 bytes are refused.
  const line = `ulimit -f 1; exec "$0" "$@"`
  const args = [executable, command, '--store', `file:${directory}`, '--to', target]
  const { code, stderr } = await promisify(execFile)('sh', ['-c', line, process.execPath, ...args]).catch(
    (error) => error
  )
  expect(stderr).toMatch(/^burgee-server: [^\n]*EFBIG[^\n]*\n$/)
  expect(code).toBe(2)
})

test.each([
  ['backup', 'below a file', (file: string) => join(file, 'copy')],
  ['backup', 'below a file', (file: string) => join(file, 'copy.tar')],
  ['backup', 'a file', (file: string) => file],
  ['backup', 'a device', () => '/dev/full'],
  ['backup', 'where nothing can be created', () => '/proc/copy'],
  ['export', 'below a file', (file: string) => join(file, 'copy')],
  ['export', 'where nothing can be created', () => '/proc/copy/store.jsonl'],
  ['export', 'a name that is too long', (file: string) => `${file}${'x'.repeat(300)}`]
])('%s to a target that is %s prints one line', async (command, _, targetOf) => {
  const directory = await storeOnDisk({ features: [{ key: 'plain' }] }, Date.now())
  const file = join(await temporaryDirectory(), 'file')
  await writeFile(file, '')
  const { ended, stderr } = run([command, '--store', `file:${directory}`, '--to', targetOf(file)])
  expect(await ended).toBe(2)
  expect(stderr()).toMatch(/^burgee-server: [^\n]+\n$/)
})

test('a first start names the command that adds a person; a server with a database keeps running', async () => {
  const directory = `file:${await temporaryDirectory()}`
  const [other, cacheDirectory] = [await temporaryDatabase(), await temporaryDirectory()]
  const first = await start(['--store', directory])
  expect(first.stdout()).toContain('stop the server, add the first person with "burgee-server users add')
  const second = await start(['--store', other, '--cache-directory', cacheDirectory])
  expect(second.stdout()).toContain('yet: add the first person with "burgee-server users add')
})

it('a stop resets no connection of clients that open one for each request', async () => {
  const server = await start(['--store', 'memory:'])
  const results = new Set<string>()
  const ask = () =>
    new Promise<string>((resolve) => {
      const request = httpRequest(`${server.url}/livez`, { agent: false }, (response) => {
        response.resume().on('end', () => resolve(String(response.statusCode)))
        response.on('error', ({ code }: NodeJS.ErrnoException) => resolve(`${code} in the body`))
      })
      request.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code))).end()
    })
  let answered = 0
  const clients = Array.from({ length: 30 }, async () => {
    for (let result = ''; result !== 'ECONNREFUSED'; answered++) {
      result = await ask()
      results.add(result)
    }
  })
  await expect.poll(() => answered).toBeGreaterThan(1_000)
  server.child.kill('SIGTERM')
  await Promise.all(clients)
  expect([...results].sort()).toEqual(['200', 'ECONNREFUSED'])
  expect(await server.ended).toBe(0)
})

it('announces a stop for BURGEE_SHUTDOWN_NOTICE_SECONDS', async () => {
  const [server, other] = [
    await start(['--store', 'memory:', '--shutdown-notice-seconds', '60']),
    await start(['--store', 'memory:'])
  ]
  for (const { child } of [server, other]) child.kill('SIGTERM')
  expect(await other.ended).toBe(0)
  const statuses = await Promise.all(
    ['/readyz', '/livez'].map(async (path) => (await fetch(`${server.url}${path}`)).status)
  )
  expect(statuses).toEqual([503, 200])
})

describe('a store that cannot be opened', () => {
  const damages: readonly [string, (directory: string) => Promise<void>][] = [
    ['is not JSON', (directory) => writeFile(join(directory, 'db.json'), 'nonsense')],
    ['is empty', (directory) => truncate(join(directory, 'db.json'), 0)],
    ['is cut off', (directory) => truncate(join(directory, 'db.json'), 200)],
    [
      'was changed by hand',
      async (directory) => {
        const path = join(directory, 'db.json')
        await writeFile(path, (await readFile(path, 'utf8')).replace('"plain"', '"plainer"'))
      }
    ]
  ]

  test.each(sample(damages, 2, 'damages'))(
    'because its file %s ends the start with a hint and code 2, and is unchanged',
    async (_, damage) => {
      const directory = await storeOnDisk({ features: [{ key: 'plain' }] }, Date.now())
      await damage(directory)
      const before = await readFile(join(directory, 'db.json'))
      const { ended, stdout, stderr } = run(['--port', '0', '--store', `file:${directory}`])
      expect(await ended).toBe(2)
      expect(stderr()).toMatch(/^burgee-server: [^\n]+\n$/)
      expect(stderr()).toContain(join(directory, 'db.json'))
      expect(stderr()).toMatch(/backup|restore/i)
      expect(stdout()).toBe('')
      expect(await readFile(join(directory, 'db.json'))).toEqual(before)
    }
  )

  it('because another server uses it ends the start with a hint and code 2', async () => {
    const directory = await storeOnDisk({ features: [{ key: 'plain' }] }, Date.now())
    const first = await start(['--store', `file:${directory}`])
    const { ended, stderr } = run(['--port', '0', '--store', `file:${directory}`])
    expect(await ended).toBe(2)
    expect(stderr()).toMatch(/^burgee-server: [^\n]+\n$/)
    expect(stderr()).toContain(String(first.child.pid))
    expect((await post(`${first.url}/v1/variables/plain`, { user_id: 'ada' })).status).toBe(200)
    await stop(first)
  })

  it('because another process took it over ends the server with a hint and code 2', async () => {
    const directory = await storeOnDisk({ features: [{ key: 'plain' }] }, Date.now())
    const server = await start(['--store', `file:${directory}`])
    await rm(join(directory, 'db.json.lock'))
    await writeFile(join(directory, 'db.json.lock'), '{"pid":1,"host":"other"}')
    expect(await server.ended).toBe(2)
    const [line] = server.stderr().trim().split('\n').reverse()
    expect(line).toMatch(/^burgee-server: .*db\.json\.lock was taken over by process 1 on host other; run one server/)
  })

  it('because its directory cannot be created ends the start with a hint and code 2', async () => {
    const directory = await temporaryDirectory()
    await writeFile(join(directory, 'file'), '')
    const { ended, stderr } = run(['--port', '0', '--store', `file:${join(directory, 'file', 'data')}`])
    expect(await ended).toBe(2)
    expect(stderr()).toMatch(/^burgee-server: [^\n]+\n$/)
  })
})

it('the server neither logs nor stores private data and keys', async () => {
  const plan: Plan = {
    settings: { edgeDB: { enabled: true }, optIn: { enabled: true } },
    features: [
      { key: 'plain', targets: [{ filters: [attributeFilter('customData.plan', 'marker-private')] }] },
      { key: 'undecidable', targets: [{ serves: {} }] }
    ]
  }
  const directory = await storeOnDisk(plan, Date.now())
  const server = await start(['--log-level', 'trace', '--store', `file:${directory}`])
  const user = { user_id: 'ada', privateCustomData: { plan: 'marker-private' } }
  const token = `server-marker-${'x'.repeat(32)}`
  const key = keyOf('server')
  const requests: [string, unknown, string?][] = [
    ['/v1/variables/plain', user],
    ['/v1/variables', { ...user, privateCustomData: { plan: ['marker-private'] } }],
    ['/v1/features', user, token],
    ['/v1/track', { user, events: [{ type: 'view' }] }],
    [
      '/ofrep/v1/evaluate/flags/plain',
      { context: { targetingKey: 'ada', privateCustomData: { plan: 'marker-private' } } },
      `Bearer ${key}`
    ],
    [
      '/ofrep/v1/evaluate/flags',
      { context: { targetingKey: 'ada', privateCustomData: { plan: 'marker-private' } } },
      `Bearer ${token}`
    ]
  ]
  const answers = []
  for (const [path, body, authorization] of requests)
    answers.push((await post(`${server.url}${path}`, body, authorization)).status)
  expect(answers).toEqual([200, 400, 401, 201, 200, 401])
  const patched = await fetch(`${server.url}/v1/edgedb/ada?sdkKey=${key}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...user, customData: { seats: 3 } })
  })
  expect(patched.status).toBe(200)
  expect((await fetch(`${server.url}/v1/optInConfig?user_id=ada&sdkKey=${token}`)).status).toBe(401)
  expect((await fetch(`${server.url}/config/v2/server/${key}.json`)).status).toBe(200)
  expect((await fetch(`${server.url}/config/v2/server/${key}.txt`)).status).toBe(404)
  await stop(server)
  const lines = server.stderr().trim().split('\n')
  expect(lines.length).toBeGreaterThan(requests.length)
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  expect(server.stderr()).toContain('"operation":"evaluateVariable"')
  expect(server.stderr()).not.toMatch(/marker|server-[\w-]{32}/)
  expect(await textOf({ directory })).not.toContain('marker-private')
  for (const name of ['users.jsonl', 'history.jsonl']) {
    expect(await readFile(join(directory, name), 'utf8')).not.toContain('marker-private')
  }
})
