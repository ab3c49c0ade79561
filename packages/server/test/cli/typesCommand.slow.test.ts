import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { call, options, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { idOf } from '@burgee/testing/plan'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { afterAll, beforeAll, beforeEach, expect, it, test } from 'vitest'
import { type ExitResult, expectBuilt, expectRefusal, run, runInProcess } from '../support/processes/executable.ts'

let server: TestServer
let out: string
let environment: Readonly<Record<string, string>>

beforeAll(expectBuilt)

beforeEach(async () => {
  server = await serve({
    features: [
      { key: 'new-checkout' },
      {
        key: 'checkout',
        variables: { 'checkout-title': 'String', limits: 'JSON' },
        variations: { on: { 'checkout-title': 'Pay', limits: { items: 10 } } }
      }
    ]
  })
  out = join(await temporaryDirectory(), 'flags.ts')
  environment = {
    BURGEE_URL: server.url,
    BURGEE_CLIENT_ID: options.adminClientId,
    BURGEE_CLIENT_SECRET: options.adminClientSecret
  }
})

/** Runs the command on project `shop` of the test server. */
function types(...args: readonly string[]): Promise<ExitResult> {
  return runInProcess(['types', '--project', 'shop', ...args], environment)
}

/** The same in a process of its own. */
function execute(...args: readonly string[]): Promise<ExitResult> {
  return run(['types', '--project', 'shop', ...args], environment)
}

const interfaceOf = (title: string) => `export interface Flags {
  "checkout-title": ${title}
  limits: JsonObject
  "new-checkout": boolean
}
`

it('types writes the types of the project, and --check reports outdated ones', async () => {
  expect(await execute('--out', out, '--check')).toMatchObject({
    code: 1,
    stdout: `${out} is out of date. Run: burgee-server types --project shop --out ${out}\n`
  })
  expect(await readdir(join(out, '..'))).toEqual([])
  expect(await execute('--out', out)).toEqual({ code: 0, stdout: `wrote ${out}\n`, stderr: '' })
  const text = await readFile(out, 'utf8')
  expect(text).toContain(interfaceOf('string'))
  expect((await stat(out)).mode & 0o777).toBe(0o666 & ~process.umask())
  expect(await types('--out', out, '--check')).toEqual({ code: 0, stdout: `${out} is up to date\n`, stderr: '' })
  const { mtimeMs } = await stat(out)
  expect(await types('--out', out)).toMatchObject({ code: 0, stdout: `${out} is up to date\n` })
  expect((await stat(out)).mtimeMs).toBe(mtimeMs)
  const validationSchema = { schemaType: 'enum', enumValues: ['Pay', 'Buy'], description: '', exampleValue: 'Pay' }
  const params = { project: 'shop', key: 'checkout-title' }
  expect((await call(server, 'updateVariable', { params, body: { validationSchema } })).status).toBe(200)
  expect(await types('--out', out, '--check')).toMatchObject({ code: 1, stderr: '' })
  expect(await readFile(out, 'utf8')).toBe(text)
  expect(await types('--out', out)).toMatchObject({ code: 0 })
  expect(await readFile(out, 'utf8')).toContain(interfaceOf('"Pay" | "Buy"'))
  expect(await readdir(join(out, '..'))).toEqual(['flags.ts'])
})

it('--check ignores line endings', async () => {
  await types('--out', out)
  await writeFile(out, (await readFile(out, 'utf8')).replaceAll('\n', '\r\n'))
  expect(await types('--out', out, '--check')).toMatchObject({ code: 0 })
})

it('types prints the file without --out, accepts the project by its id, and a token instead of a client', async () => {
  await types('--out', out)
  const text = await readFile(out, 'utf8')
  const printed = await types()
  expect(printed).toEqual({ code: 0, stdout: text, stderr: '' })
  const token = (await tokenOf(server)) ?? ''
  const args = ['types', '--url', `${server.url}/`, '--token', token]
  expect(await run(args, { BURGEE_PROJECT: 'shop' })).toEqual(printed)
  const byId = await runInProcess([...args, '--project', idOf('shop')], {})
  expect(byId).toMatchObject({ code: 0, stdout: expect.stringContaining(interfaceOf('string')) })
  const asked = { BURGEE_URL: server.url, BURGEE_TOKEN: token }
  expect(await runInProcess(['types', '--project', 'shop'], asked)).toEqual(printed)
})

it('types includes the variables of every page', async () => {
  const keys = Array.from({ length: 101 }, (_, index) => `variable-${String(index).padStart(3, '0')}`)
  for (const key of keys)
    await call(server, 'createVariable', { params: { project: 'shop' }, body: { key, type: 'Number' } })
  const { stdout } = await execute()
  expect([...stdout.matchAll(/"(variable-\d+)": number/g)].map(([, key]) => key)).toEqual(keys)
})

it('types declares keys for OpenFeature in .d.ts files, and obfuscates keys on request', async () => {
  const file = out.replace(/\.ts$/, '.d.ts')
  expect(await types('--openfeature', '--obfuscate', '--out', file)).toMatchObject({ code: 0 })
  const text = await readFile(file, 'utf8')
  expect(text).toMatch(/^\/\/ Generated by: burgee-server types --project shop --openfeature --obfuscate\n/)
  expect(text).toMatch(/export type BooleanFlagKey = "dvc_obfs_[0-9a-f]{64}"\n/)
  expectRefusal(await types('--openfeature', '--out', out), /--out must end in \.d\.ts.*; got .*flags\.ts/)
})

it('types requires only the role viewer of a client', async () => {
  const roles = [{ role: 'viewer', project: 'shop' }]
  const { body } = await call(server, 'createApiClient', { body: { name: 'Types', clientId: 'types', roles } })
  const args = ['--client-id', 'types', '--client-secret', body.clientSecret]
  expect(await types(...args)).toMatchObject({ code: 0, stdout: expect.stringContaining(interfaceOf('string')) })
})

it('types excludes archived variables', async () => {
  const params = { project: 'shop', key: 'old' }
  await call(server, 'createVariable', { params, body: { key: 'old', type: 'Boolean' } })
  expect((await types()).stdout).toContain('old: boolean')
  expect((await call(server, 'updateVariableStatus', { params, body: { status: 'archived' } })).status).toBe(200)
  expect((await types()).stdout).not.toContain('old')
})

test.each<[readonly string[], RegExp]>([
  [['--client-secret', 'wrong-secret-of-somebody'], /http:\S+ refused client "test-admin": /],
  [['--client-id', 'nobody'], /refused client "nobody": /],
  [['--token', 'nonsense'], /refused the token: .*it is not a JWT, which has three parts separated by dots/],
  [['--project', 'nowhere'], /has no project "nowhere", or none that client "test-admin" can see/],
  [['--project', '..'], /--project cannot be "\.\."\. Key or id of the project/],
  [['--url', 'http://127.0.0.1:1'], /http:\/\/127\.0\.0\.1:1 cannot be reached: .+/],
  [['--url', 'localhost:8080'], /--url cannot be "localhost:8080"\. Address of the server, as in http:/],
  [['--url', 'http://user:secret@localhost'], /--url cannot be/],
  [['--check'], /--check requires --out/],
  [['--store', 'memory:'], /--store/],
  [['--nonsense'], /--nonsense.*See burgee-server types --help/],
  [['all'], /too many arguments for 'types'/]
])('%j ends with one line and code 2', async (args, says) => {
  expectRefusal(await types(...args), says)
})

it('types names missing arguments', async () => {
  expectRefusal(await runInProcess(['types'], {}), /--project or BURGEE_PROJECT is missing/)
  expectRefusal(
    await runInProcess(['types', '--project', 'shop'], {}),
    /credentials are missing: .*BURGEE_CLIENT_ID .*BURGEE_TOKEN/
  )
  expectRefusal(await runInProcess(['types', '--project', 'shop', '--client-id', 'x'], {}), /--client-secret/)
})

it('types names a file that cannot be read or written', async () => {
  const missing = join(out, '..', 'nowhere', 'flags.ts')
  expectRefusal(await types('--out', missing), /nowhere\/flags\.ts cannot be written: ENOENT/)
  await mkdir(out)
  expectRefusal(await types('--out', out), /flags\.ts cannot be read: EISDIR/)
  await chmod(out, 0o700)
})

it('types reports a URL that is not a Burgee server', async () => {
  const answers: [number, string][] = [
    [200, '<html>'],
    [404, '<html>'],
    [200, '{}'],
    [200, '[{}]']
  ]
  let answer: [number, string]
  const other = createServer((_, response) => response.writeHead(answer[0]).end(answer[1])).listen(0, '127.0.0.1')
  closes.push(() => other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  for (answer of answers) {
    expectRefusal(await types('--url', url), /is not a Burgee server/)
    expectRefusal(await types('--url', url, '--token', 'x'), /is not a Burgee server/)
  }
})

it('types strips control characters from terminal output', async () => {
  const message = `no\u001b]0;owned\u0007 \u202e\u009b`
  const other = createServer((_, response) => response.writeHead(401).end(JSON.stringify({ message })))
  closes.push(() => other.close())
  await new Promise((resolve) => other.listen(0, '127.0.0.1', () => resolve(undefined)))
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const { stderr } = await execute('--url', url, '--token', 'x')
  expect(stderr).toContain('no\\u001b]0;owned\\u0007 \\u202e\\u009b')
  expect(stderr).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
})

const closes: (() => unknown)[] = []

afterAll(() => {
  for (const close of closes) close()
})

it('types is in the help, with its flags and their environment variables', async () => {
  const { stdout, code } = await runInProcess(['types', '--help'], {})
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Usage: burgee-server types /)
  for (const name of ['URL', 'PROJECT', 'CLIENT_ID', 'CLIENT_SECRET', 'TOKEN']) {
    expect(stdout).toContain(`BURGEE_${name}`)
    expect(stdout).toContain(`--${name.toLowerCase().replace('_', '-')} <text>`)
  }
  expect(stdout).not.toContain('--store')
  expect((await runInProcess(['--help'], {})).stdout).toMatch(/^ {2}types \[options\] +Generate TypeScript types/m)
})
