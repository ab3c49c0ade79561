import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../../../scripts/release/sbom.mjs', import.meta.url))
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sbom-'))
  await promisify(execFile)(process.execPath, [script, directory])
})

afterAll(() => rm(directory, { recursive: true }))

/** Returns the scopes of components in the bill of materials of a package, by name. */
async function scopesOf(label: string): Promise<ReadonlyMap<string, string>> {
  const [file = ''] = (await readdir(directory)).filter((name) => name.startsWith(`burgee-${label}-`))
  const { components } = JSON.parse(await readFile(join(directory, file), 'utf8'))
  return new Map(
    components.map((one: { readonly group?: string; readonly name: string; readonly scope: string }) => [
      one.group ? `${one.group}/${one.name}` : one.name,
      one.scope
    ])
  )
}

it('calls components optional that only an optional peer needs, and the others required', async () => {
  const scopes = await scopesOf('cli')
  const named = ['@burgee/contract', '@burgee/kit', 'zod', '@burgee/server', 'koa', 'oidc-provider']
  expect(named.map((name) => scopes.get(name))).toEqual([
    ...['required', 'required', 'required'],
    ...['optional', 'optional', 'optional']
  ])
  expect((await scopesOf('server')).get('koa')).toBe('required')
})

it('calls a peer required that is not optional', async () => {
  expect((await scopesOf('openfeature-provider')).get('@openfeature/server-sdk')).toBe('required')
})
