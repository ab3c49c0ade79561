import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const integrity = `sha512-${'A'.repeat(86)}==`
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockfile-'))
})

afterAll(() => rm(directory, { recursive: true }))

/** Runs a script of the repository; returns its exit code and what it printed. */
async function run(script: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const work = promisify(execFile)(process.execPath, [join(root, 'scripts', script), ...args], { cwd: root })
  return work.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }) => ({ code, text: `${stdout}${stderr}` })
  )
}

/** Writes a lockfile with one package. */
async function lockfileWith(entry: object): Promise<string> {
  const file = join(directory, 'package-lock.json')
  const packages = { '': { name: 'it' }, 'node_modules/stranger': { version: '1.2.3', ...entry } }
  await writeFile(file, JSON.stringify({ lockfileVersion: 3, packages }))
  return file
}

describe('the check of lockfiles', () => {
  it.each([
    ['no integrity', {}],
    ['a SHA-1', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
    ['none as an optional package of all platforms', { optional: true, dev: true }],
    ['none as an optional package of users', { optional: true, os: ['linux'] }]
  ])('refuses a package with %s, and names it', async (_, entry) => {
    const { code, text } = await run('dependencies/completeLockfile.mjs', '--check', await lockfileWith(entry))
    expect([code, text]).toEqual([1, expect.stringContaining('node_modules/stranger 1.2.3 has no SHA-512 integrity')])
  })

  it('accepts a package with a SHA-512', async () => {
    expect((await run('dependencies/completeLockfile.mjs', '--check', await lockfileWith({ integrity }))).code).toBe(0)
  })
})

describe('the check of install scripts', () => {
  it('refuses a package that is not listed, with instructions', async () => {
    const { code, text } = await run(
      'dependencies/installScripts.mjs',
      await lockfileWith({ hasInstallScript: true, dev: true })
    )
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/stranger 1\.2\.3 has an install script.*installScripts\.mjs/)
    ])
  })

  it('accepts the lockfile of the repository', async () => {
    expect((await run('dependencies/installScripts.mjs')).code).toBe(0)
  })
})

test('the script for SBOMs has a usage, and refuses unknown arguments', async () => {
  expect(await run('release/sbom.mjs', '--help')).toEqual({ code: 0, text: expect.stringMatching(/^Usage:\n/) })
  for (const unknown of [['--chek'], ['one', 'two'], ['--check', 'one']]) {
    expect(await run('release/sbom.mjs', ...unknown)).toEqual({ code: 2, text: expect.stringContaining('Usage:') })
  }
})

test('the SBOMs are valid and reproducible', async () => {
  expect((await run('release/sbom.mjs', '--check')).code).toBe(0)
  const manifest = JSON.parse(await readFile(join(root, 'packages/server/package.json'), 'utf8'))
  const documents = []
  for (const _ of [1, 2]) {
    expect((await run('release/sbom.mjs', directory)).code).toBe(0)
    documents.push(await readFile(join(directory, `burgee-server-${manifest.version}.cdx.json`), 'utf8'))
  }
  expect(documents[0]).toBe(documents[1])
  const { components } = JSON.parse(documents[0] ?? '')
  for (const name of Object.keys(manifest.dependencies)) {
    const purl = expect.stringContaining(`pkg:npm/${name.replace('@', '%40')}@`)
    expect(components).toContainEqual(expect.objectContaining({ purl }))
  }
})
