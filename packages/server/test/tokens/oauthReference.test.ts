import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('docs/reference/oauth.md names tests that exist', async () => {
  const page = await readFile(new URL('../../../../docs/reference/oauth.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/\| `([\w/]+\.test\.ts)`: (.*) \|$/gm)]
  expect(rows.length).toBeGreaterThan(25)
  const missing: string[] = []
  for (const [, file = '', title = ''] of rows) {
    const source = await readFile(new URL(`../${file}`, import.meta.url), 'utf8')
    if (!source.includes(`'${title}'`)) missing.push(`${file}: ${title}`)
  }
  expect(missing).toEqual([])
})

test('each guarantee of SECURITY.md names tests that exist', async () => {
  const root = new URL('../../../../', import.meta.url)
  const page = await readFile(new URL('SECURITY.md', root), 'utf8')
  const [, guarantees = ''] = page.split('## Guarantees\n')
  const items = guarantees.split(/^## /m)[0]?.match(/^- .*(\n {2}.*)*/gm) ?? []
  const promises = items.filter((item) => !/^- \[.*\]\(#/.test(item))
  expect(promises.length).toBeGreaterThan(50)
  expect(promises.filter((promise) => !promise.includes('.test.ts`'))).toEqual([])
  const named = promises.flatMap((promise) =>
    [...promise.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = '']) => file)
  )
  const missing: string[] = []
  for (const file of new Set(named)) {
    const path = file.startsWith('packages/') ? file : `packages/server/test/${file}`
    await readFile(new URL(path, root), 'utf8').catch(() => missing.push(file))
  }
  expect(missing).toEqual([])
})
