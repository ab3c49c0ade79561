import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, options, type TestServer } from '@burgee/testing/harness'
import { CLIENT, enterCode, serveAda, visit } from '@burgee/testing/vitest/signInAsAda'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeFolder, run, start } from '../support/program.ts'

let server: TestServer
let folder: string
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  server = await serveAda({ features: [{ key: 'checkout' }] })
  folder = await makeFolder()
  environment = { BURGEE_CONFIG_DIR: folder }
})

const stored = async () => JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8'))

test('burgee login signs a person in through the printed address, and keeps the profile', async () => {
  const args = ['login', '--server', server.url, '--no-browser', '--profile', 'work', '-p', 'shop']
  const running = start(args, environment)
  running.hangUp()
  await expect.poll(running.stderr).toMatch(/: http\S+\n/)
  const [, address = ''] = /: (http\S+)\n/.exec(running.stderr()) ?? []
  expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256')
  expect(new URL(address).searchParams.get('client_id')).toBe('burgee-cli')
  expect((await visit(server, address)).status).toBe(200)
  const { code, stdout } = await running.ended
  expect([code, JSON.parse(stdout)]).toEqual([0, { server: server.url, profile: 'work', account: 'ada@example.com' }])
  expect((await stat(join(folder, 'credentials.json'))).mode & 0o777).toBe(0o600)
})

test('burgee login --as-client and logout show their requests with --debug, without secrets', async () => {
  const own = { BURGEE_CONFIG_DIR: await makeFolder(), BURGEE_CLIENT_SECRET: options.adminClientSecret }
  const args = ['--as-client', '--client-id', options.adminClientId, '--server', server.url, '--debug']
  const { code, stderr } = await run(['login', ...args], own)
  expect([code, stderr]).toEqual([0, expect.stringContaining('> POST /oauth/token'.replace('/', `${server.url}/`))])
  expect(stderr).not.toContain(options.adminClientSecret)
  const wrong = await run(['login', ...args], { ...own, BURGEE_CLIENT_SECRET: 'wrong' })
  const message = `the server refuses API client ${options.adminClientId} with this secret: check both`
  expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining(message)])
  expect((await run(['logout', '--debug'], { BURGEE_CONFIG_DIR: own.BURGEE_CONFIG_DIR })).code).toBe(0)
})

describe('burgee login with a code', () => {
  const code = /^burgee: open (http\S+\/oauth\/device) in any browser, and enter the code ([A-Z]{4}-[A-Z]{4})$/m
  const signInWithCode = async (decide: 'consent' | 'abort', args: readonly string[], variables = {}) => {
    const own = { BURGEE_CONFIG_DIR: await makeFolder(), DISPLAY: '', SSH_CONNECTION: '', ...variables }
    const running = start(['login', '--server', server.url, ...args], own)
    running.hangUp()
    await expect.poll(running.stderr).toMatch(code)
    const [, address = '', userCode = ''] = code.exec(running.stderr()) ?? []
    expect(running.stderr()).toContain(`${address}?user_code=${userCode}\n`)
    expect((await enterCode(server, userCode, decide)).status).toBe(200)
    return { ...(await running.ended), own }
  }

  test.concurrent.each([
    ['--device', ['--device'], { DISPLAY: ':0' }],
    ['SSH', ['--client-id', CLIENT], { DISPLAY: ':0', SSH_CONNECTION: '192.0.2.1 5000 192.0.2.2 22' }]
  ])('signs a person in by any browser: %s', async (_, args, variables) => {
    const { code, stdout, own } = await signInWithCode('consent', args, variables)
    expect([code, JSON.parse(stdout).account]).toEqual([0, 'ada@example.com'])
    expect((await run(['me', 'get'], own)).code).toBe(0)
  })

  test.concurrent('ends with 3 if the person declines', async () => {
    const { code, stderr } = await signInWithCode('abort', ['--device', '--client-id', CLIENT])
    expect([code, stderr]).toEqual([3, expect.stringContaining('the request was cancelled')])
  })

  test('names what is wrong with the client or the options', async () => {
    const own = { BURGEE_CONFIG_DIR: await makeFolder() }
    const words = ['login', '--server', server.url, '--device']
    const unknown = await run([...words, '--client-id', 'nobody'], own)
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('the sign-in failed: ')])
    const both = await run([...words, '--no-browser'], own)
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--device and --no-browser, not both')])
  })
})

test('burgee login --device registers no client where the server would allow it', async () => {
  const open = await serveAda({}, { dynamicRegistration: true })
  const running = start(['login', '--server', open.url, '--device'], { BURGEE_CONFIG_DIR: await makeFolder() })
  running.hangUp()
  await expect.poll(running.stderr).toMatch(/enter the code \S+\n/)
  await enterCode(open, /enter the code (\S+)/.exec(running.stderr())?.[1] ?? '')
  expect((await running.ended).code).toBe(0)
  const { body: clients } = await call(open, 'listApiClients')
  expect(clients.filter(({ isDynamic }: { isDynamic: boolean }) => isDynamic)).toEqual([])
  expect(clients).toContainEqual(expect.objectContaining({ clientId: 'burgee-cli' }))
})

test('burgee login keeps the sign-in, and no project or environment that does not exist', async () => {
  const own = { BURGEE_CONFIG_DIR: await makeFolder(), BURGEE_CLIENT_SECRET: options.adminClientSecret }
  const login = ['login', '--server', server.url, '--as-client', '--client-id', options.adminClientId]
  const unknown = await run([...login, '-p', 'shpo', '-o', 'table'], own)
  const { host } = new URL(server.url)
  expect([unknown.code, unknown.stdout, unknown.stderr]).toEqual([
    5,
    '',
    [
      `burgee: signed in to ${server.url} as ${options.adminClientId}, without changing the defaults of profile ${host}`,
      'burgee: there is no project "shpo" that you can read (did you mean shop?): it should be one of shop',
      `Choose one with burgee use ${host} --project <key>`,
      ''
    ].join('\n')
  ])
  const nowhere = await run([...login, '-p', 'shop', '-e', 'nowhere'], own)
  expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('has no environment \\"nowhere\\"')])
  expect(JSON.parse((await run(['profiles', 'list'], own)).stdout)).toEqual([
    { name: host, isCurrent: true, server: server.url }
  ])
  expect((await run([...login, '-p', 'shop', '-e', 'production'], own)).code).toBe(0)
  expect((await run(['flags', 'list'], { BURGEE_CONFIG_DIR: own.BURGEE_CONFIG_DIR })).code).toBe(0)
})

test('burgee whoami shows the person and the profile', async () => {
  expect(JSON.parse((await run(['whoami'], environment)).stdout)).toMatchObject({
    name: 'Ada',
    email: 'ada@example.com',
    server: server.url,
    profile: 'work',
    project: 'shop'
  })
})

test('an expired token is refreshed and stored', async () => {
  const before = await stored()
  const entry = { ...before.servers[server.url], expiresAt: '2026-01-01T00:00:00.000Z' }
  await writeFile(join(folder, 'credentials.json'), JSON.stringify({ ...before, servers: { [server.url]: entry } }))
  const { code, stderr } = await run(['me', 'get', '--debug'], environment)
  expect(code).toBe(0)
  const after = (await stored()).servers[server.url]
  expect(stderr).toContain(`> POST ${server.url}/oauth/token refresh_token=****&grant_type=refresh_token&client_id=`)
  for (const { accessToken, refreshToken } of [entry, after]) {
    expect([stderr.includes(accessToken), stderr.includes(refreshToken)]).toEqual([false, false])
  }
  expect(after.refreshToken).not.toBe(entry.refreshToken)
  expect(Date.parse(after.expiresAt)).toBeGreaterThan(Date.now())
})

test('burgee login refuses to sign in while a token is in the environment', async () => {
  const { code, stderr } = await run(['login'], { ...environment, BURGEE_TOKEN: 'token' })
  expect([code, stderr]).toEqual([2, expect.stringContaining('BURGEE_TOKEN is set')])
})

test('burgee logout ends the sign-in on the server, and later commands name the remedy', async () => {
  expect((await run(['logout'], environment)).code).toBe(0)
  const { code, stderr } = await run(['me', 'get'], environment)
  expect([code, stderr]).toEqual([3, expect.stringContaining(`run burgee login --server ${server.url}`)])
})

test('a file of credentials that others can read is refused', async () => {
  const other = await makeFolder()
  await writeFile(join(other, 'credentials.json'), '{"version":1,"servers":{}}', { mode: 0o644 })
  const { code, stderr } = await run(['whoami'], { BURGEE_CONFIG_DIR: other, BURGEE_URL: server.url })
  expect([code, stderr]).toEqual([3, expect.stringContaining('other users can access it (mode 644)')])
})

test('burgee use creates, changes and lists profiles, and names those it knows', async () => {
  const own = { BURGEE_CONFIG_DIR: await makeFolder() }
  expect((await run(['use', 'new'], own)).code).toBe(2)
  expect((await run(['use', 'new', '--server', server.url, '-p', 'shop'], own)).code).toBe(0)
  expect(JSON.parse((await run(['use', 'new', '-e', 'production'], own)).stdout)).toEqual({
    name: 'new',
    server: server.url,
    project: 'shop',
    environment: 'production'
  })
  expect(JSON.parse((await run(['profiles', 'list'], own)).stdout)).toMatchObject([{ name: 'new', isCurrent: true }])
  const { code, stderr } = await run(['whoami', '--profile', 'nope'], own)
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no profile \\"nope\\", only new')])
})
