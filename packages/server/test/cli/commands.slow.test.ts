import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  call,
  options,
  send,
  serve,
  storeOnDisk,
  storeWith,
  type TestServer,
  toStoreUrl
} from '@burgee/testing/harness'
import { personToken } from '@burgee/testing/personToken'
import { idOf, keyOf } from '@burgee/testing/plan'
import { sample } from '@burgee/testing/scale'
import { storedText } from '@burgee/testing/storedData'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { type ExitResult, expectBuilt, expectRefusal, run, runInProcess } from '../support/processes/executable.ts'

beforeAll(expectBuilt)

let directory: string

/** Runs a command on the store of the test. */
function command(...args: readonly string[]): Promise<ExitResult> {
  return runInProcess([...args, '--store', toStoreUrl(directory)], {})
}

/** The same in a process of its own. */
function execute(...args: readonly string[]): Promise<ExitResult> {
  return run([...args, '--store', toStoreUrl(directory)])
}

/** Runs a command that succeeds; returns its output. */
async function done(...args: readonly string[]): Promise<string> {
  return textOf(await command(...args))
}

function textOf({ code, stdout, stderr }: ExitResult): string {
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

function askToken(server: TestServer, clientId: string, secret: string) {
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  const headers = { 'content-type': 'application/json' }
  return send(server, { method: 'POST', path: '/oauth/token', headers, body: JSON.stringify(credentials) })
}

/** The text after a word at the beginning of a line. */
function after(word: string, text: string): string {
  return new RegExp(`^${word}: (\\S+)`, 'm').exec(text)?.[1] ?? ''
}

beforeEach(async () => {
  directory = await storeWith({})
})

test.each(['postgres://ada:secret@a,b:5432/flags', 'postgres://a:5432,b:5432/flags'])(
  'commands refuse an address with several hosts: %s',
  async (url) => {
    const refused = await runInProcess(['keys', 'list', '--store', url], {})
    expectRefusal(refused, /names several hosts or ports, which are not supported/)
    expect(refused.stderr).not.toContain('secret')
  }
)

describe('users commands', () => {
  it('add users who appear in the API with their roles and the printed password', async () => {
    const roles = ['--role', 'publisher', '--role', 'viewer', '--project', 'shop']
    const text = textOf(await execute('users', 'add', 'Ada@example.com', '--name', 'Ada', ...roles))
    expect(text).toMatch(/^added ada@example\.com as burgee\|[0-9a-f]{24}\npassword: \S+ \(not shown again; .+\)\n$/)
    const server = await serve(directory)
    const { body } = await call(server, 'getUser', { params: { user: 'ada@example.com' } })
    const project = idOf('shop')
    const granted = {
      roles: [
        { role: 'publisher', project },
        { role: 'viewer', project }
      ],
      mustChangePassword: true
    }
    expect(body).toMatchObject({ name: 'Ada', ...granted, _createdBy: 'burgee' })
    const { body: entries } = await call(server, 'listAuditEntries')
    expect(entries[0]).toMatchObject({ idp_user: 'burgee', actor: 'server', changes: [{ type: 'createdUser' }] })
    const key = await personToken(server, body.user_id)
    const passwords = { currentPassword: after('password', text), newPassword: 'nine dogs on a boat' }
    expect((await call(server, 'changePassword', { key, body: passwords })).status).toBe(200)
  })

  it('add users before the first start of a server', async () => {
    directory = join(await temporaryDirectory(), 'data')
    await done('users', 'add', 'ada@example.com')
    const server = await serve(directory)
    const { body } = await call(server, 'getUser', { params: { user: 'ada@example.com' } })
    expect(body).toMatchObject({ name: 'ada', roles: [{ role: 'member' }] })
  })

  it('list, disable and reset the passwords of users', async () => {
    const first = after('password', await done('users', 'add', 'ada@example.com', '--role', 'organization_admin'))
    await done('users', 'add', 'grace@example.com', '--role', 'member', '--project', idOf('shop'))
    expect(await done('users', 'disable', 'grace@example.com')).toBe('disabled grace@example.com\n')
    const text = await done('users', 'password', 'ada@example.com')
    expect(text).toMatch(/^replaced the password of ada@example\.com\npassword: \S+/)
    expect(after('password', text)).not.toBe(first)
    const reset = await done('users', 'reset-factors', 'ada@example.com')
    expect(reset).toBe('removed the second factors of ada@example.com\n')
    const [head, ada, grace, ...rest] = (await done('users', 'list')).trimEnd().split('\n')
    expect(head).toMatch(/^EMAIL +USER ID +STATE +NAME +ROLES$/)
    expect(ada).toMatch(/^ada@example\.com +burgee\|[0-9a-f]{24} +active +ada +organization_admin$/)
    expect(grace).toMatch(/^grace@example\.com +burgee\|[0-9a-f]{24} +disabled +grace +member in shop$/)
    expect(rest).toEqual([])
  })

  it('prints one line per person and client, even for names with line breaks', async () => {
    const server = await serve(directory)
    const name = 'x\nroot@x.test  burgee|1  active  root  organization_admin\u001b[2K\u202e'
    const roles: never[] = []
    const user = await call(server, 'createUser', { body: { email: 'eve@example.com', name: 'Eve', roles } })
    const client = await call(server, 'createApiClient', { body: { name: 'Eve', roles } })
    expect([user.status, client.status]).toEqual([201, 201])
    await server.close()
    // Earlier versions accepted such names.
    const store = await openStore(toStoreUrl(directory))
    await store.transaction(async (transaction) => {
      await transaction.collection('users').update(user.body._id, { name })
      await transaction.collection('clients').update(client.body._id, { name })
    })
    await store.close()
    for (const kind of ['users', 'clients']) {
      const text = await done(kind, 'list')
      expect(text).toContain('x\\u000aroot@x.test')
      for (const part of ['\nroot', '\u001b', '\u202e']) expect(text).not.toContain(part)
    }
  })

  test.each<[string[], RegExp]>([
    [['add'], /missing required argument 'email'/],
    [['add', 'ada@example.com', 'grace@example.com'], /too many arguments for 'add'/],
    [['add', 'ada'], /email should be an e-mail address/],
    [['add', 'ada@example.com', '--name', 'x'.repeat(101)], /name should have at most 100 characters/],
    [['add', 'ada@example.com', '--role', 'emperor'], /--role cannot be "emperor"\. Role to grant: viewer, /],
    [['add', 'ada@example.com', '--project', 'shop'], /--project requires --role/],
    [['add', 'ada@example.com', '--role', 'viewer', '--project', 'nowhere'], /'nowhere' not found/],
    [
      ['add', 'ada@example.com', '--role', 'organization_admin', '--project', 'shop'],
      /should not be given with a role of/
    ],
    [['add', 'ada@example.com', '--password', 'x'], /unknown option '--password'/],
    [['list', 'all'], /too many arguments for 'list'/],
    [['disable', 'nobody@example.com'], /'nobody@example\.com' not found/],
    [['password', 'nobody@example.com'], /'nobody@example\.com' not found/],
    [['reset-factors', 'nobody@example.com'], /'nobody@example\.com' not found/]
  ])('stay unchanged after %j, which ends with one line and code 2', async (args, says) => {
    expectRefusal(await command('users', ...args), says)
    expect(await storedText(directory)).not.toContain('ada@example.com')
  })

  it('require a unique address', async () => {
    await done('users', 'add', 'ada@example.com')
    expectRefusal(await execute('users', 'add', 'ADA@example.com'), /email "ada@example\.com"/)
  })
})

describe('clients commands', () => {
  it('add clients that get tokens until they are revoked or their secret is replaced', async () => {
    const text = await done(
      'clients',
      'add',
      'Deploy bot',
      '--id',
      'deploy-bot',
      '--role',
      'member',
      '--project',
      'shop'
    )
    expect(text).toMatch(/^client id: deploy-bot\nclient secret: burgee_secret_[\w-]{49} \(not shown again\)\n$/)
    const ask = async (secret: string) => {
      const server = await serve(directory)
      const { status } = await askToken(server, 'deploy-bot', secret)
      await server.close()
      return status
    }
    const secret = after('client secret', text)
    expect(await ask(secret)).toBe(200)
    const next = after('client secret', await done('clients', 'rotate', 'deploy-bot'))
    expect([await ask(secret), await ask(next)]).toEqual([401, 200])
    expect(await done('clients', 'revoke', 'deploy-bot')).toBe('revoked deploy-bot\n')
    expect(await ask(next)).toBe(401)
  })

  it('list clients with their permissions', async () => {
    await (await serve(directory)).close()
    const uri = ['--redirect-uri', 'http://localhost:2194/callback']
    const text = await done('clients', 'add', 'Helper', '--id', 'helper', '--public', '--assistant', ...uri)
    expect(text).toBe('client id: helper\n')
    await done('clients', 'add', 'Reader', '--id', 'reader', '--role', 'viewer')
    const [head, ...rows] = (await done('clients', 'list')).trimEnd().split('\n')
    expect(head).toMatch(/^CLIENT ID +KIND +NAME +EXPIRES +ROLES$/)
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['helper', 'public, assistant', 'Helper', 'never', 'none'],
      ['reader', 'confidential', 'Reader', 'never', 'viewer'],
      [options.adminClientId, 'confidential', 'Administrator', 'never', 'full access']
    ])
  })

  it('restrict clients by expiry and network, and lift the restrictions again', async () => {
    const networks = ['--allowed-network', '192.0.2.0/24', '--allowed-network', '::ffff:10.0.0.1']
    await done('clients', 'add', 'Bot', '--id', 'bot', '--role', 'viewer', '--expires-in', '90d', ...networks)
    const at = '2100-01-01T00:00:00.000Z'
    const changed = await done('clients', 'restrict', 'bot', '--expires-at', '2100-01-01T01:00:00+01:00')
    expect(changed).toBe(`bot expires: ${at}; networks: 192.0.2.0/24, 10.0.0.1\n`)
    expect(await done('clients', 'list')).toContain(`  ${at}  `)
    const lifted = await done('clients', 'restrict', 'bot', '--never-expires', '--any-network')
    expect(lifted).toBe('bot expires: never; networks: any\n')
  })

  test.each<[string[], RegExp]>([
    [['add', 'Bot', '--expires-in', 'soon'], /--expires-in cannot be "soon"/],
    [['add', 'Bot', '--expires-in', '1d', '--expires-at', '2100-01-01T00:00:00Z'], /cannot both be given/],
    [['add', 'Bot', '--expires-at', '2020-01-01T00:00:00Z'], /expiresAt should be in the future/],
    [['add', 'Bot', '--allowed-network', 'office'], /allowedNetworks\.0 should be an address or a network/],
    [['restrict', 'bot'], /needs a restriction to change/],
    [['add'], /missing required argument 'name'/],
    [['add', 'Bot', '--id', 'a b'], /clientId should be 1 to 100 letters/],
    [['add', 'Bot', '--public'], /redirectUris should have at least one address/],
    [['add', 'Bot', '--redirect-uri', 'http://example.com/'], /redirectUris\.0 should be https/],
    [['add', 'Bot', '--role', 'emperor'], /--role cannot be "emperor"/],
    [['add', 'Bot', '--nonsense'], /--nonsense.* See burgee-server clients add --help/],
    [['list', 'all'], /too many arguments for 'list'/],
    [['revoke'], /missing required argument 'client-id'/],
    [['revoke', 'nobody'], /'nobody' not found/],
    [['rotate', 'nobody'], /'nobody' not found/]
  ])('stay unchanged after %j, which ends with one line and code 2', async (args, says) => {
    expectRefusal(await command('clients', ...args), says)
  })

  it('do not replace the secret of a public client', async () => {
    await done('clients', 'add', 'App', '--id', 'app', '--public', '--redirect-uri', 'com.example.app:/callback')
    expectRefusal(await command('clients', 'rotate', 'app'), /client "app" is public/)
  })
})

describe('scim-tokens commands', () => {
  it('create tokens that call SCIM until they are revoked, and list them', async () => {
    const text = await done('scim-tokens', 'create', 'okta', '--expires-at', '2099-01-01T00:00:00Z')
    expect(text).toMatch(/^scim token: burgee_scim_\S{49} \(not shown again\)\n$/)
    const authorization = `Bearer ${after('scim token', text)}`
    const askUsers = async () => {
      const server = await serve(directory)
      const { status } = await send(server, { path: '/scim/v2/Users', headers: { authorization } })
      await server.close()
      return status
    }
    expect(await askUsers()).toBe(200)
    expect(await done('scim-tokens', 'list')).toMatch(/^NAME .*\nokta +20\S+ +2099-01-01T00:00:00.000Z +20\S+\n$/)
    expect(await done('scim-tokens', 'revoke', 'okta')).toBe('revoked okta\n')
    expect(await askUsers()).toBe(401)
  })

  it.each([
    [['create', 'a name'], /name should be 1 to 100 letters/],
    [['create', 'okta', '--expires-at', 'tomorrow'], /expiresAt should be a date-time/],
    [['create', 'okta', '--expires-at', '2001-01-01T00:00:00Z'], /expiresAt should be in the future/],
    [['revoke', 'okta'], /there is no SCIM token "okta"/]
  ])('refuse %j', async (args, says) => {
    expectRefusal(await command('scim-tokens', ...args), says)
  })
})

describe('the other commands', () => {
  it('are registered: keys and audit', async () => {
    await (await serve(directory)).close()
    expect(await done('keys', 'list')).toMatch(/^\S+ +since /)
    await done('users', 'add', 'ada@example.com')
    expect(await done('audit', 'verify')).toMatch(/^intact: 1 entries/)
    const lines = (await done('audit', 'export')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).changes[0].type)).toEqual(['createdUser'])
  })
})

describe('configs renew', () => {
  const HOUR = 3600

  /** The version of the config as SDKs see it, in seconds. */
  async function versionOf(server: TestServer): Promise<{ etag: string; seconds: number }> {
    const { headers } = await send(server, { path: `/config/v2/server/${keyOf('server')}.json` })
    const { etag = '', 'last-modified': date = '' } = headers as Readonly<Record<string, string>>
    return { etag, seconds: Date.parse(date) / 1000 }
  }

  /** Makes more changes than seconds pass, so that the versions run ahead of the clock. */
  async function changeOften(server: TestServer): Promise<void> {
    for (let turn = 0; turn < 12; turn++) {
      const params = { project: 'shop', feature: 'checkout' }
      const body = { status: turn % 2 === 0 ? ('inactive' as const) : ('active' as const) }
      const { status } = await call(server, 'updateFeatureConfiguration', {
        params,
        query: { environment: 'production' },
        body
      })
      expect(status).toBe(200)
    }
  }

  test.each([
    ['by an hour', [], HOUR],
    ['by another margin', ['--margin', '86400'], 24 * HOUR]
  ])('gives a restored backup a newer version than SDKs have, %s', async (_how, args, margin) => {
    const environments = { production: {}, staging: {} }
    directory = await storeOnDisk({ environments, features: [{ key: 'checkout' }] }, Date.now())
    const backup = join(await temporaryDirectory(), 'backup')
    await cp(directory, backup, { recursive: true })
    const before = await serve(directory, {}, Date.now())
    await changeOften(before)
    const held = await versionOf(before)
    await before.close()
    await rm(directory, { recursive: true })
    await cp(backup, directory, { recursive: true })
    expect(await done('configs', 'renew', ...args)).toBe('renewed 2 configs\n')
    const after = await serve(directory, {}, Date.now())
    const restored = await versionOf(after)
    expect(restored.etag).not.toBe(held.etag)
    expect(restored.seconds).toBeGreaterThan(held.seconds)
    expect(restored.seconds).toBeGreaterThanOrEqual(Date.now() / 1000 + margin - 60)
    expect(restored.seconds).toBeLessThan(Date.now() / 1000 + margin + 60)
    // Later changes are newer still.
    await changeOften(after)
    expect((await versionOf(after)).seconds).toBe(restored.seconds + 12)
    await after.close()
    expect(await done('configs', 'renew', ...args)).toBe('renewed 2 configs\n')
    const again = await serve(directory, {}, Date.now())
    expect((await versionOf(again)).seconds).toBeGreaterThanOrEqual(restored.seconds + 12 + margin)
    await again.close()
  })

  test.each(['0', '-1', '1.5', 'day', '31536001', ''])('refuses the margin %j', async (margin) => {
    expectRefusal(
      await command('configs', 'renew', '--margin', margin),
      /--margin cannot be ".*"\. How far ahead of the clock/
    )
  })

  it('is refused while a server runs', async () => {
    directory = await storeOnDisk({})
    const server = await serve(directory)
    expectRefusal(
      await execute('configs', 'renew'),
      /a running server \(process \d+\) holds the store in .*; stop it first$/m
    )
    await server.close()
  })
})

it('a command strips control characters from its output', async () => {
  const controls = '\u001b]0;owned\u0007\u202e\u009b'
  expect((await command('users', 'add', 'ada@example.com', '--name', `A${controls}da`)).stderr).not.toMatch(hidden)
  expect((await command('users', 'disable', `nobody${controls}`)).stderr).not.toMatch(hidden)
  expect((await execute('users', 'list')).stdout).not.toMatch(hidden)
})

const hidden = /[^\P{Cc}\n]|\p{Bidi_Control}/u

describe('a command', () => {
  it.each([
    ['configs', 'renew'],
    ['keys', 'list'],
    ['users', 'list'],
    ['clients', 'list']
  ])('%s %s requires an existing store, and creates none', async (...words) => {
    const parent = await temporaryDirectory()
    for (const name of [parent, join(parent, 'typo')]) {
      const ended = await runInProcess([...words, '--store', `file:${name}`], {})
      expect(ended.code).toBe(2)
      expect(ended.stderr).toContain(`${name} contains no store; set --store`)
    }
    expect(await readdir(parent)).toEqual([])
  })

  it('users add can create the store', async () => {
    directory = join(await temporaryDirectory(), 'new')
    await done('users', 'add', 'ada@example.com', '--name', 'Ada', '--role', 'organization_owner')
    expect(await done('users', 'list')).toContain('ada@example.com')
  })

  it('takes the store from the environment, and the flag overrides it at any position', async () => {
    const environment = { BURGEE_STORE: toStoreUrl(directory) }
    expect((await runInProcess(['users', 'add', 'ada@example.com'], environment)).code).toBe(0)
    const elsewhere = toStoreUrl(await storeWith({}))
    const lists = [
      await runInProcess(['users', 'list'], environment),
      await runInProcess(['--store', toStoreUrl(directory), 'users', 'list'], { BURGEE_STORE: elsewhere }),
      await runInProcess(['users', 'list', `--store=${elsewhere}`], environment)
    ]
    expect(lists.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(lists.map(({ stdout }) => stdout.includes('ada@example.com'))).toEqual([true, true, false])
  })

  it('releases the directory', async () => {
    directory = await storeOnDisk({})
    await done('users', 'list')
    expect(await readdir(directory)).not.toContain('db.json.lock')
    expectRefusal(await command('users', 'disable', 'nobody'), /'nobody' not found/)
    expect(await readdir(directory)).not.toContain('db.json.lock')
  })

  const equivalents = [
    [['users', 'add', 'ada@example.com'], 'POST /v1/organizations/current/users'],
    [['users', 'list'], 'GET /v1/organizations/current/users'],
    [['clients', 'revoke', 'bot'], 'DELETE /v1/organizations/current/clients/{client}']
  ] as const

  // Each starts a process.
  test.each(sample(equivalents, 1, 'equivalent operations'))(
    '%j names the operation to use while a server runs',
    async (args, operation) => {
      directory = await storeOnDisk({})
      const server = await serve(directory)
      const ended = await execute(...args)
      expectRefusal(ended, /a running server \(process \d+\) holds the store/)
      expect(ended.stderr).toContain(directory)
      expect(ended.stderr).toContain(operation)
      expect((await call(server, 'listUsers')).body).toEqual([])
      await server.close()
    }
  )

  test.each([
    [['users', 'list', '--store', 'memory:'], /users list needs a persistent store/],
    [['users', 'list', '--store', 'nonsense'], /"nonsense" does not name a store/],
    [['users', 'list', '--store'], /--store/]
  ])('%j ends with one line and code 2', async (args, says) => expectRefusal(await runInProcess(args, {}), says))

  test.each([[['keys', 'list']], [['keys', 'rotate']], [['configs', 'renew']]])(
    '%j refuses arguments with one line and code 2',
    async (args) => expectRefusal(await command(...args, 'extra'), /too many arguments/)
  )

  test.each<[string[], RegExp]>([
    [['users'], /users needs a command: add, list, disable, password, reset-factors\. See burgee-server users --help/],
    [['users', 'lst'], /unknown command 'lst' \(did you mean list\?\)\. See burgee-server users --help/],
    [['user', 'list'], /unknown command 'user' \(did you mean users\?\)\. See burgee-server --help/],
    [['serve', '--port', '0'], /unknown command 'serve'\. See burgee-server --help/],
    [['--port', '1', 'users', 'list'], /users list does not take --port/]
  ])('that does not exist (%j) ends with one line, the nearest name and code 2', async (args, says) => {
    expectRefusal(await runInProcess(args, {}), says)
  })
})

describe('--help', () => {
  it('of the program lists groups of commands and settings', async () => {
    const { code, stdout, stderr } = await run(['--help'])
    expect([code, stderr]).toEqual([0, ''])
    for (const name of ['users', 'clients', 'scim-tokens', 'keys', 'configs', 'audit']) {
      expect(stdout).toMatch(new RegExp(`^  ${name} .+`, 'm'))
    }
    expect(stdout).toContain('BURGEE_STORE')
  })

  it('of the program lists settings under headings', async () => {
    const { stdout } = await runInProcess(['--help'], {})
    const headings = stdout.split('\n').filter((line) => /^[A-Z].*:$/.test(line))
    expect(headings).toEqual(expect.arrayContaining(['Server:', 'Storage:', 'Sign-in:', 'Limits and retention:']))
    expect(stdout).toMatch(/^Storage:\n {2}--store </m)
    expect(stdout).toMatch(/^Options:\n.*--version.*\n\n/m)
    expect(stdout).toMatch(/^ {2}-h, --help /m)
  })

  it('of a group lists its commands', async () => {
    const { code, stdout } = await runInProcess(['users', '--help'], {})
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Usage: burgee-server users /)
    for (const name of ['add', 'list', 'disable', 'password']) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(stdout).not.toContain('--port')
  })

  it('of a command lists its arguments and flags', async () => {
    const { stdout } = await runInProcess(['users', 'add', '--help'], {})
    expect(stdout).toMatch(/^Usage: burgee-server users add \[options\] <email>$/m)
    for (const flag of ['--name', '--role', '--project', '--store']) expect(stdout).toContain(`  ${flag} <`)
  })

  test.each([
    ['--help'],
    ...['users', 'clients', 'scim-tokens', 'keys', 'configs', 'audit', 'users add', 'clients add'].map((name) => [
      `${name} --help`
    ])
  ])('%s fits into 80 columns', async (args) => {
    const { stdout } = await runInProcess(args.split(' '), {})
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})

it('--version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})
