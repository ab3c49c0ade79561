import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { signIn } from '@burgee/sign-in'
import { call as callApi, type TestServer } from '@burgee/testing/harness'
import { sample } from '@burgee/testing/scale'
import { CLIENT, serveAda, visit } from '@burgee/testing/vitest/signInAsAda'
import { beforeAll, describe, expect, it } from 'vitest'
import { signInProgram } from '../../src/login/credentials.ts'
import { unreachable } from '../support/unreachable.ts'
import { type Home, makeHome, run, runHere, start } from './program.ts'
import { signedIn } from './signedIn.ts'

let server: TestServer
let home: Home
let gone: string

beforeAll(async () => {
  gone = await unreachable()
  server = await serveAda({ features: [{ key: 'checkout' }] })
  home = await makeHome()
})

const flags = () => ['--api-url', server.url, '--client-id', CLIENT]

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('burgee-mcp login', () => {
  it('signs in through the printed address, and stores tokens that only the user can read', async () => {
    const running = start(['login', '--no-browser', ...flags()], home.environment)
    running.hangUp()
    await expect.poll(running.stdout).toMatch(/\n {2}http\S+\n/)
    const [, address = ''] = /\n {2}(http\S+)\n/.exec(running.stdout()) ?? []
    expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      scope: expect.stringContaining('offline_access')
    })
    const page = await visit(server, address)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('go back to the terminal')
    const { code, stdout, stderr } = await running.ended
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`Signed in to ${server.url} as Ada (ada@example.com).`)
    expect([await modeOf(home.directory), await modeOf(home.path)]).toEqual(['700', '600'])
    const entry = await home.entry(server.url)
    expect(entry).toMatchObject({ clientId: CLIENT, who: { name: 'Ada', email: 'ada@example.com' } })
    expect(entry.project).toBeUndefined()
    expect(stdout + stderr).not.toContain(entry.accessToken)
  })

  const answers = [
    ['its number', ['1'], 'shop'],
    ['its key', [' shop '], 'shop'],
    ['nothing', [''], undefined],
    ['what there is not, and then its number', ['9', 'nowhere', '1'], 'shop']
  ] as const
  it.each(answers)('asks for the default project, and accepts %s', async (_, given, expected) => {
    const replies = [...given]
    const ask = async () => replies.shift() ?? ''
    const open = async (address: string) => void visit(server, address)
    const fresh = await makeHome()
    const { code, stdout } = await runHere(['login', ...flags()], fresh.environment, { ask, open })
    expect(code).toBe(0)
    expect(stdout).toContain('1  shop  Shop')
    expect(replies).toEqual([])
    expect((await fresh.entry(server.url)).project).toBe(expected)
    if (expected === undefined) expect(stdout).toMatch(/No default project\. .* burgee-mcp project <key>/)
  })

  it('stores the project of the flag, and rejects an unknown one', async () => {
    const fresh = await signedIn(server, '--project', 'shop')
    expect((await fresh.entry(server.url)).project).toBe('shop')
    await expect(signedIn(server, '--project', 'nowhere')).rejects.toThrow('project "nowhere" does not exist')
  })

  it.each([
    [
      [],
      [
        'environment:read',
        'feature:delete',
        'feature:publish',
        'feature:read',
        'feature:write',
        'project:read',
        'variable:read',
        'variable:write'
      ]
    ],
    [['--read-only'], expect.not.arrayContaining(['everything', 'feature:write', 'feature:publish'])],
    [
      ['--read-only', '--categories', 'projects'],
      ['environment:read', 'project:read']
    ],
    [['--categories', 'features'], expect.arrayContaining(['feature:read', 'feature:write'])]
  ])('requests the scopes that its options need: %j', async (options, expected) => {
    const fresh = await signedIn(server, ...options)
    const { accessToken } = await fresh.entry(server.url)
    const [, payload = ''] = accessToken.split('.')
    const { scope } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const identity = ['openid', 'profile', 'email', 'offline_access']
    const api = scope.split(' ').filter((name: string) => !identity.includes(name))
    expect(api.length).toBeGreaterThan(0)
    expect(api.sort()).toEqual(expected)
    const write = await callApi(server, 'createProject', {
      key: accessToken,
      body: { key: `made-${options.length}-${options[0] === '--read-only'}`, name: 'Made' }
    })
    expect(write.status).toBe(403)
  })

  it('ends when the person cancels', async () => {
    const fresh = await makeHome()
    let page: Promise<Response> | undefined
    const open = async (address: string) => {
      page = visit(server, address, { decide: 'abort' })
    }
    const { code, stderr } = await runHere(['login', ...flags()], fresh.environment, { open })
    expect([code, stderr]).toEqual([1, 'burgee-mcp: the sign-in failed: the request was cancelled\n'])
    expect(await (await page)?.text()).toContain('Not signed in')
    await expect(fresh.entry(server.url)).rejects.toThrow()
  })

  it('rejects a redirect with another state, and keeps waiting', async () => {
    const seen: number[] = []
    const open = async (address: string) => {
      const { redirect_uri = '' } = Object.fromEntries(new URL(address).searchParams)
      const forged = [
        `${redirect_uri}?code=stolen&state=forged`,
        `${redirect_uri}?error=access_denied`,
        `${redirect_uri}/x`
      ]
      for (const url of forged) seen.push((await fetch(url)).status)
      void visit(server, address)
    }
    const { code } = await runHere(['login', ...flags()], (await makeHome()).environment, { open })
    expect([code, seen]).toEqual([0, [400, 400, 404]])
  })

  it('rejects another issuer', async () => {
    const change = (url: URL) => {
      url.searchParams.set('iss', 'https://elsewhere.example.com/')
      return url
    }
    const open = async (address: string) => void visit(server, address, { change })
    const { code, stderr } = await runHere(['login', ...flags()], (await makeHome()).environment, { open })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^burgee-mcp: the response of \S+ is invalid: [^\n]+iss[^\n]+\n$/)
  })

  it('times out without a redirect', async () => {
    const show = async () => {}
    const given = {
      apiUrl: server.url,
      clientId: CLIENT,
      scope: 'everything',
      hostname: 'here',
      show,
      now: Date.now,
      program: signInProgram,
      timeoutMs: 60
    }
    await expect(signIn(given)).rejects.toThrow('no sign-in within')
  })

  it('registers a client if the server allows it', async () => {
    const open = await serveAda({}, { dynamicRegistration: true })
    const fresh = await makeHome()
    const browse = async (address: string) => void visit(open, address)
    const { code } = await runHere(['login', '--api-url', open.url], fresh.environment, { open: browse })
    expect(code).toBe(0)
    expect((await fresh.entry(open.url)).clientId).toMatch(/^client_/)
  })

  const refused = {
    'a server that lets no client register itself': [
      () => ['--api-url', server.url],
      1,
      /BURGEE_DYNAMIC_REGISTRATION=1.*--client-id/
    ],
    'an insecure address': [() => ['--api-url', 'http://flags.example.com'], 1, /https/],
    'a server that has another issuer': [
      () => ['--api-url', server.url.replace('127.0.0.1', 'localhost')],
      1,
      /has the issuer "http:\/\/127/
    ],
    'a server that is not there': [() => ['--api-url', gone], 1, /cannot be reached: .*ECONNREFUSED/],
    'an address that is none': [() => ['--api-url', 'nowhere'], 2, /--api-url cannot be "nowhere"/],
    'a flag that there is not': [() => ['--nope'], 2, /--nope.*See burgee-mcp login --help/],
    'an argument': [() => ['ada'], 2, /too many arguments for 'login'/]
  } as const
  it.each(sample(Object.entries(refused), 3, 'refused logins'))(
    'says in one line what is wrong with %s',
    async (_, [args, expected, says]) => {
      const { code, stdout, stderr } = await run(['login', '--no-browser', ...args()], home.environment)
      expect([code, stdout]).toEqual([expected, ''])
      expect(stderr).toMatch(/^burgee-mcp: [^\n]+\n$/)
      expect(stderr).toMatch(says)
    }
  )

  it.each(['SERVICE_CLIENT_SECRET', 'SERVICE_CLIENT_SECRET_FILE'])(
    'is of no use with %s, and says so',
    async (name) => {
      const { code, stderr } = await runHere(['login', ...flags()], { ...home.environment, [name]: 'a-secret' })
      expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^burgee-mcp: ${name} is set: [^\\n]+\\n$`))])
      expect(stderr).not.toContain('a-secret')
    }
  )

  it('rejects a file that others can read before the sign-in', async () => {
    const fresh = await makeHome()
    await mkdir(fresh.directory, { recursive: true })
    await writeFile(fresh.path, '{"version":1,"servers":{}}')
    await chmod(fresh.path, 0o640)
    const { code, stderr } = await runHere(['login', ...flags()], fresh.environment)
    expect(code).toBe(1)
    expect(stderr).toMatch(/other users can access it \(mode 640\): .*chmod 600/)
  })
})
