import { execFile, execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { call, options, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, expect, test, vi } from 'vitest'
import { executable, makeFolder, run } from '../support/program.ts'

// Each test starts several processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let server: TestServer
let folder: string
let environment: Readonly<Record<string, string>>

const cart = `import { OpenFeature } from '@openfeature/server-sdk'
import { newCart, oldCart } from './carts.js'

const flags = OpenFeature.getClient()

export async function open() {
  // Which cart?
  if (await flags.getBooleanValue('new-cart', false)) {
    return newCart()
  }
  return oldCart()
}
`

beforeAll(async () => {
  server = await serve({ features: [{ key: 'new-cart' }, { key: 'unread' }, { key: 'search' }] })
  folder = await makeFolder()
  environment = {
    BURGEE_URL: server.url,
    BURGEE_CLIENT_ID: options.adminClientId,
    BURGEE_CLIENT_SECRET: options.adminClientSecret,
    BURGEE_PROJECT: 'shop',
    BURGEE_CONFIG_DIR: await makeFolder(),
    PATH: process.env.PATH ?? ''
  }
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src', 'cart.ts'), cart)
  await writeFile(join(folder, 'src', 'search.py'), 'client.get_boolean_value("serch", False)\n')
  git('init', '--quiet', '--initial-branch', 'main')
  git('remote', 'add', 'origin', 'https://git.example.com/example/shop.git')
  commit()
})

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' })
}

function commit(): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'a change')
}

const json = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await run(args, environment)
  return { code, stderr, data: stdout === '' ? undefined : JSON.parse(stdout) }
}

test('burgee usages lists what is read, unknown and unused', async () => {
  const shown = await run(['usages', folder, '-o', 'table'], environment)
  expect([shown.code, shown.stdout]).toEqual([
    0,
    'new-cart\n  src/cart.ts:8\nserch  (unknown)\n  src/search.py:1  likely\n'
  ])
  const unknown = await json('usages', folder, '--only-unknown', '--fail')
  expect([unknown.code, unknown.data.variables]).toMatchObject([1, [{ key: 'serch', reads: [{ line: 1 }] }]])
  const { data } = await json('usages', folder, '--only-unused')
  expect(data.variables.map(({ key }: { key: string }) => key)).toEqual(['search', 'unread'])
  const offline = await run(['usages', folder, '--offline'], { PATH: environment.PATH, BURGEE_CONFIG_DIR: folder })
  expect(JSON.parse(offline.stdout).variables).toHaveLength(2)
})

test('burgee scan --upload tells the server which lines read variables', async () => {
  const { code, data } = await json('scan', folder, '--upload')
  expect([code, data]).toMatchObject([0, { repo: 'example/shop', branch: 'main', references: 2, unknown: ['serch'] }])
  const { body } = await call(server, 'listCodeUsages', {
    params: { project: 'shop' },
    query: { variable: 'new-cart' }
  })
  expect(body).toMatchObject([
    { commit: git('rev-parse', 'HEAD').trim(), references: [{ fileName: 'src/cart.ts', lineNumbers: { start: 8 } }] }
  ])
  const refused = await json(
    'features',
    'status',
    'new-cart',
    '--status',
    'complete',
    '--static-variation',
    'variation-on',
    '--yes'
  )
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('src/cart.ts (line 8)')])
})

test('burgee diff lists reads that a change adds and removes, and comments on them', async () => {
  await writeFile(join(folder, 'src', 'search.py'), 'client.get_boolean_value("search", False)\n')
  const args = ['-o', 'table', '--fail-on', 'unknown']
  const inFolder = async (...words: readonly string[]) => {
    const given = { cwd: folder, env: environment }
    return (await promisify(execFile)(process.execPath, [executable, ...words], given)).stdout
  }
  expect(await inFolder('diff', ...args)).toBe(
    '+ search  src/search.py:1  likely\n- serch (unknown)  src/search.py:1  likely\n'
  )
  commit()
  const comment = await inFolder('diff', 'HEAD~1..HEAD', '--pr-comment')
  expect(comment).toContain('| variable | status | added | removed | production |')
  expect(comment).toContain('| `search` | active | 1 |  | on: variation-on |')
  expect(comment).toContain('| `serch` | **unknown** |  | 1 |  |')
})

test('burgee cleanup puts the value of production in the place of the reads, and ends with a scan without any', async () => {
  const shown = await run(['cleanup', 'new-cart', folder, '-o', 'table'], environment)
  expect([shown.code, shown.stderr]).toEqual([0, ''])
  expect(shown.stdout).toContain("-  if (await flags.getBooleanValue('new-cart', false)) {")
  expect(shown.stdout).toContain('A scan of the result finds no read of new-cart.')
  expect(await readFile(join(folder, 'src', 'cart.ts'), 'utf8')).toBe(cart)
  await writeFile(join(folder, 'notes.txt'), 'not committed')
  const dirty = await json('cleanup', 'new-cart', folder, '--write')
  expect([dirty.code, dirty.stderr]).toEqual([2, expect.stringContaining('not committed')])
  commit()
  const { code, data } = await json('cleanup', 'new-cart', folder, '--write')
  expect([code, data]).toMatchObject([0, { value: true, isWritten: true, left: [] }])
  const text = await readFile(join(folder, 'src', 'cart.ts'), 'utf8')
  expect(text).toContain('  // Which cart?\n  return newCart()\n}\n')
  expect(text).toContain("import { newCart } from './carts.js'")
  expect((await json('usages', folder)).data.variables.map(({ key }: { key: string }) => key)).toEqual(['search'])
})

test('burgee cleanup exits with 1 where reads are left to a person', async () => {
  const { code, data } = await json('cleanup', 'search', folder, '--value', 'true')
  expect([code, data.left]).toMatchObject([1, [{ file: 'src/search.py', line: 1 }]])
  const typo = await json('cleanup', 'serch', folder)
  expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('did you mean search?')])
})
