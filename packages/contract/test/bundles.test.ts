import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { createTableClient, operationTable } from '../src/client.ts'
import { operations } from '../src/index.ts'

/** Bundles a module as an application would, from the built package. Returns the code and what it is made of. */
async function bundle(contents: string, external: string[] = []) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    metafile: true,
    external,
    logLevel: 'error'
  })
  const [file] = outputFiles
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs))
  return { bytes: gzipSync(file?.contents ?? '', { level: 9 }).length, inputs }
}

const table = JSON.stringify(operationTable(operations))

test('a page with the table client contains no zod: client, errors and table have at most 6 KiB', async () => {
  const { bytes, inputs } = await bundle(
    `import { createTableClient } from '@burgee/contract/client'\nglobalThis.client = createTableClient({ table: ${table} })`
  )
  expect(inputs.filter((input) => /zod/.test(input))).toEqual([])
  expect(bytes).toBeLessThanOrEqual(6 * 1024)
})

test('words contain no zod and have at most 6 KiB', async () => {
  const { bytes, inputs } = await bundle(`import * as words from '@burgee/contract/words'\nglobalThis.words = words`)
  expect(inputs.filter((input) => /zod/.test(input))).toEqual([])
  expect(bytes).toBeLessThanOrEqual(6 * 1024)
})

test('the tables of roles and permissions contain no zod and have at most 1.5 KiB', async () => {
  const { bytes, inputs } = await bundle(
    `import * as access from '@burgee/contract/access'\nglobalThis.access = access`
  )
  expect(inputs.filter((input) => /zod/.test(input))).toEqual([])
  expect(bytes).toBeLessThanOrEqual(1.5 * 1024)
})

test('rules contain no zod and have at most 2.25 KiB', async () => {
  const { bytes, inputs } = await bundle(`import * as rules from '@burgee/contract/rules'\nglobalThis.rules = rules`)
  expect(inputs.filter((input) => /zod/.test(input))).toEqual([])
  expect(bytes).toBeLessThanOrEqual(2.25 * 1024)
})

test('the forms of features and audiences have at most 12 KiB in addition to zod', async () => {
  const { bytes } = await bundle(
    `import { CreateFeature, UpdateFeature } from '@burgee/contract/schema/features/featureInput'
    import { CreateAudience, UpdateAudience } from '@burgee/contract/schema/features/audience'
    globalThis.forms = [CreateFeature, UpdateFeature, CreateAudience, UpdateAudience]`,
    ['zod']
  )
  expect(bytes).toBeLessThanOrEqual(12 * 1024)
})

test('a table client sends what the record describes, with the headers of its session', async () => {
  const requests: Request[] = []
  const client = createTableClient({
    table: JSON.parse(table),
    baseUrl: 'http://127.0.0.1:8080/session/api/',
    credentials: { headers: { 'burgee-dashboard': '1' } },
    fetch: async (url, init) => {
      requests.push(new Request(url, init))
      return Response.json({ ok: true }, { status: 201 })
    }
  })
  await client.createProject({ body: { key: 'shop', name: 'Shop' } })
  const [request] = requests
  expect(request).toMatchObject({ method: 'POST', url: 'http://127.0.0.1:8080/session/api/v1/projects' })
  expect(request?.headers.get('burgee-dashboard')).toBe('1')
  expect(request?.headers.get('authorization')).toBeNull()
  expect(await request?.json()).toEqual({ key: 'shop', name: 'Shop' })
  expect(Object.keys(client)).not.toContain('streamEvents')
})
