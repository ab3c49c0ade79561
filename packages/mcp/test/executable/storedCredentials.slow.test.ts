// Long because it covers the life cycle of the credential file: used, renewed, rejected, removed, shown.

import { chmod, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseCommandLine } from '@burgee/kit/commandLine'
import { type SignedIn, storedTokens } from '@burgee/sign-in'
import { call, options, send, type TestServer } from '@burgee/testing/harness'
import { CLIENT, serveAda } from '@burgee/testing/vitest/signInAsAda'
import { beforeAll, describe, expect, it } from 'vitest'
import { program } from '../../src/executable/program.ts'
import { openSignIns, signInProgram } from '../../src/login/credentials.ts'
import { startMisbehavingServer } from '../support/misbehavingServer.ts'
import { sayPage } from '../support/misbehaviours.ts'
import { unreachable } from '../support/unreachable.ts'
import { type Home, makeHome, run, runHere } from './program.ts'
import { signedIn } from './signedIn.ts'

let server: TestServer

beforeAll(async () => {
  server = await serveAda({ features: [{ key: 'checkout' }] })
})

/** Changes the entry of the server under test. */
async function alter({ path, entry }: Home, change: Partial<SignedIn>): Promise<void> {
  const altered = { ...(await entry(server.url)), ...change }
  await writeFile(path, JSON.stringify({ version: 1, servers: { [server.url]: altered } }))
}

const tokensOf = ({ environment }: Home) => {
  return storedTokens({
    file: openSignIns(environment, process.platform),
    apiUrl: server.url,
    now: Date.now,
    program: signInProgram
  })
}

const here = (home: Home) => ({ ...home.environment, SERVICE_API_URL: server.url })

const PAST = new Date(0).toISOString()

describe('stored tokens', () => {
  it('are used until they expire', async () => {
    const home = await signedIn(server)
    const { accessToken } = await home.entry(server.url)
    expect(await tokensOf(home).getToken('listFeatures')).toBe(accessToken)
  })

  it('are renewed when they have expired, and the new refresh token is kept', async () => {
    const home = await signedIn(server, '--project', 'shop')
    const before = await home.entry(server.url)
    await alter(home, { expiresAt: PAST })
    const token = await tokensOf(home).getToken('listFeatures')
    const after = await home.entry(server.url)
    expect(after.accessToken).toBe(token)
    expect(after.refreshToken).not.toBe(before.refreshToken)
    expect(after).toMatchObject({ project: 'shop', who: before.who })
    expect(Date.parse(after.expiresAt)).toBeGreaterThan(Date.now())
    expect((await call(server, 'listFeatures', { params: { project: 'shop' }, key: token })).status).toBe(200)
  })

  it('are renewed when the API refuses them', async () => {
    const home = await signedIn(server)
    const { refreshToken } = await home.entry(server.url)
    await alter(home, { accessToken: 'not.a.token' })
    const { code, stdout } = await runHere(['whoami'], here(home))
    expect(code).toBe(0)
    expect(stdout).toContain('Ada')
    expect((await home.entry(server.url)).refreshToken).not.toBe(refreshToken)
  })

  it('are renewed once for concurrent calls, in this process and in others', async () => {
    const home = await signedIn(server)
    await alter(home, { expiresAt: PAST })
    const [one, other] = [tokensOf(home), tokensOf(home)]
    const [first, second, ...processes] = await Promise.all([
      one.getToken('listFeatures'),
      other.getToken('listFeatures'),
      run(['whoami'], here(home)),
      run(['whoami'], here(home)),
      run(['whoami'], here(home))
    ])
    expect(first).toBe(second)
    expect(processes.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, '']
    ])
    // The sign-in is still valid: a refresh token that is used twice would have revoked it.
    await alter(home, { expiresAt: PAST })
    expect((await run(['whoami'], here(home))).code).toBe(0)
  })

  it('are renewed even after a process crashed while renewing', async () => {
    const home = await signedIn(server)
    await alter(home, { expiresAt: PAST })
    await writeFile(`${home.path}.lock`, '')
    const longAgo = new Date(Date.now() - 3_600_000)
    await utimes(`${home.path}.lock`, longAgo, longAgo)
    expect((await runHere(['whoami'], here(home))).code).toBe(0)
  })

  it('keep the lock that another process has taken over from a paused one', async () => {
    const home = await signedIn(server)
    const lock = `${home.path}.lock`
    const file = openSignIns(home.environment, process.platform)
    await file.change(server.url, async (held) => {
      await rename(lock, `${lock}.aside`)
      await writeFile(lock, '')
      return held
    })
    expect(await readdir(dirname(lock))).toContain(basename(lock))
    await rm(lock)
    await file.change(server.url, async (held) => held)
    expect(await readdir(dirname(lock))).not.toContain(basename(lock))
  })

  it('are read from the file each time', async () => {
    const home = await signedIn(server)
    const tokens = tokensOf(home)
    await tokens.getToken('listFeatures')
    await alter(home, { accessToken: 'of another process' })
    expect(await tokens.getToken('listFeatures')).toBe('of another process')
  })

  it('fail with advice if the server does not renew them', async () => {
    const home = await signedIn(server)
    await alter(home, { expiresAt: PAST, refreshToken: 'nobody gave this out' })
    await expect(tokensOf(home).getToken('listFeatures')).rejects.toMatchObject({
      name: 'SignInError',
      message: expect.stringMatching(/has ended: .*; sign in again with burgee-mcp login --api-url http\S+$/)
    })
    expect((await home.entry(server.url)).refreshToken).toBe('nobody gave this out')
  })

  it('are missing without a sign-in', async () => {
    await expect(tokensOf(await makeHome()).getToken('listFeatures')).rejects.toMatchObject({
      name: 'SignInError',
      message: expect.stringContaining('burgee-mcp login')
    })
  })

  const unfit = {
    'others of the group can read': [0o640, undefined, /other users can access it \(mode 640\)/],
    'everyone can write': [0o602, undefined, /other users can access it \(mode 602\)/],
    'is not JSON': [0o600, '{', /is not a valid credential file/],
    'has something else in it': [0o600, '{"version":2,"servers":{}}', /is not a valid credential file/]
  } as const
  it.each(Object.entries(unfit))('are not taken from a file that %s', async (_, [mode, text, says]) => {
    const home = await signedIn(server)
    if (text !== undefined) await writeFile(home.path, text)
    await chmod(home.path, mode)
    await expect(tokensOf(home).getToken('listFeatures')).rejects.toThrow(says)
    for (const command of ['whoami', 'logout', 'project']) {
      const { code, stderr } = await runHere([command], here(home))
      expect(code).toBe(1)
      expect(stderr).toMatch(says)
    }
  })
})

describe('the file', () => {
  const config = join(homedir(), '.config')
  const places = [
    ['linux', { XDG_CONFIG_HOME: '/etc/ada' }, '/etc/ada'],
    ['linux', { XDG_CONFIG_HOME: 'not/absolute', APPDATA: '/roaming' }, config],
    ['darwin', {}, config],
    ['win32', { APPDATA: '/roaming', XDG_CONFIG_HOME: '/etc/ada' }, '/roaming'],
    ['win32', {}, join(homedir(), 'AppData', 'Roaming')]
  ] as const
  it.each(places)('is on %s, with %j, below %s', (platform, environment, folder) => {
    expect(openSignIns(environment, platform).path).toBe(join(folder, 'burgee', 'mcp.json'))
  })
})

describe('burgee-mcp logout', () => {
  it('mentions in its help that access tokens stay valid', () => {
    const line = parseCommandLine(program, ['logout', '--help'], {})
    expect(line).toMatchObject({
      type: 'print',
      text: expect.stringMatching(/access token stays valid until it expires/)
    })
  })

  it('revokes the sign-in on the server too', async () => {
    const home = await signedIn(server)
    const { refreshToken } = await home.entry(server.url)
    expect(await runHere(['logout'], here(home))).toEqual({
      code: 0,
      stdout: `Signed out of ${server.url}.\n`,
      stderr: ''
    })
    expect(await home.entry(server.url)).toBeUndefined()
    const { status, body } = await send(server, {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=refresh_token&client_id=${CLIENT}&refresh_token=${refreshToken}`
    })
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
  })

  it('reports that no one is signed in, and creates no file', async () => {
    const home = await makeHome()
    const { code, stdout } = await runHere(['logout'], here(home))
    expect([code, stdout]).toEqual([0, `Not signed in to ${server.url}.\n`])
    await expect(readFile(home.path)).rejects.toThrow('ENOENT')
  })

  it('removes the sign-in even if the server is down', async () => {
    const home = await makeHome()
    const gone = await unreachable()
    await mkdir(home.directory, { recursive: true })
    const entry = { clientId: CLIENT, accessToken: 'a', refreshToken: 'b', expiresAt: PAST, who: { id: 'ada' } }
    await writeFile(home.path, JSON.stringify({ version: 1, servers: { [gone]: entry } }), { mode: 0o600 })
    const { code, stderr } = await runHere(['logout', '--api-url', gone], home.environment)
    expect(code).toBe(1)
    expect(stderr).toMatch(/removed the sign-in from this computer, but could not revoke it on .*: .*cannot be reached/)
    expect(await home.entry(gone)).toBeUndefined()
  })

  it('keeps the sign-ins to other servers', async () => {
    const home = await signedIn(server)
    const other = 'https://flags.example.com'
    const servers = { [server.url]: await home.entry(server.url), [other]: await home.entry(server.url) }
    await writeFile(home.path, JSON.stringify({ version: 1, servers }))
    await runHere(['logout'], here(home))
    expect(await home.entry(other)).toEqual(servers[other])
  })
})

describe('burgee-mcp whoami', () => {
  // The scope of a sign-in does not include the organization.
  it('shows the account and the server', async () => {
    const home = await signedIn(server, '--project', 'shop')
    const { code, stdout } = await run(['whoami', '--json'], here(home))
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      id: expect.stringContaining('burgee|'),
      name: 'Ada',
      email: 'ada@example.com',
      server: server.url,
      project: 'shop',
      credentials: `signed in, stored in ${home.path}`
    })
    expect((await runHere(['whoami'], here(home))).stdout).toMatch(/^name: +Ada$/m)
  })

  it('shows that credentials of the environment take precedence', async () => {
    const home = await signedIn(server, '--project', 'shop')
    const environment = {
      ...here(home),
      SERVICE_CLIENT_ID: options.adminClientId,
      SERVICE_CLIENT_SECRET: options.adminClientSecret
    }
    const { stdout } = await runHere(['whoami', '--json'], environment)
    expect(JSON.parse(stdout)).toEqual({
      clientId: options.adminClientId,
      organization: 'Burgee',
      server: server.url,
      credentials: 'environment (SERVICE_CLIENT_ID)'
    })
  })

  it('fails with wrong credentials', async () => {
    const environment = { SERVICE_API_URL: server.url, SERVICE_CLIENT_ID: 'test-admin', SERVICE_CLIENT_SECRET: 'wrong' }
    const { code, stdout, stderr } = await runHere(['whoami'], { ...environment, HOME: '/nowhere' })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^burgee-mcp: [^\n]+\n$/)
    expect(stderr).toMatch(/SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET/)
    expect(stderr).not.toContain('wrong')
  })

  it.each([200, 404, 502])(
    'says in one line that no Burgee server answers, where a page does with %d',
    async (status) => {
      const other = await startMisbehavingServer()
      other.misbehave = sayPage(status, '<html><p>Hello</html>')
      const environment = { SERVICE_API_URL: other.url, SERVICE_CLIENT_ID: 'a', SERVICE_CLIENT_SECRET: 'b' }
      const { code, stderr } = await runHere(['whoami'], { ...environment, HOME: '/nowhere' })
      expect(code).toBe(1)
      expect(stderr).toMatch(
        status === 502
          ? /^burgee-mcp: token returned 502 with HTML\n$/
          : /^burgee-mcp: http:\S+ does not respond like a Burgee server[^\n<]*\n$/
      )
    }
  )
})

describe('burgee-mcp project', () => {
  it('sets and shows the default project', async () => {
    const home = await signedIn(server)
    expect((await runHere(['project'], here(home))).stdout).toBe('none\n')
    expect((await runHere(['project', 'shop'], here(home))).code).toBe(0)
    expect((await runHere(['project'], here(home))).stdout).toBe('shop\n')
    expect((await runHere(['project', 'nowhere'], here(home))).stderr).toContain('project "nowhere" does not exist')
    expect((await home.entry(server.url)).project).toBe('shop')
  })

  it('names the setting if credentials come from the environment', async () => {
    const { adminClientId: SERVICE_CLIENT_ID, adminClientSecret: SERVICE_CLIENT_SECRET } = options
    const environment = { SERVICE_API_URL: server.url, SERVICE_CLIENT_ID, SERVICE_CLIENT_SECRET }
    const { code, stderr } = await runHere(['project', 'shop'], environment)
    expect([code, stderr]).toEqual([2, expect.stringContaining('SERVICE_PROJECT_KEY')])
  })
})
