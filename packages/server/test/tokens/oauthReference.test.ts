import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../../../../', import.meta.url)

test('docs/reference/oauth.md names tests that exist and run', async () => {
  const page = await readFile(new URL('docs/reference/oauth.md', root), 'utf8')
  const tables = page.split(/\n\n/).filter((block) => /^\|.*\| test \|\n/.test(block))
  expect(tables).toHaveLength(3)
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(2))
  expect(rows.length).toBeGreaterThan(70)
  const missing: string[] = []
  for (const row of rows) {
    const [, file = '', title = ''] = /\| `([\w./]+\.test\.ts)`: (.*) \|$/.exec(row) ?? []
    if (file === '' || !(await runningTests(file)).includes(`'${title}'`)) missing.push(row)
  }
  expect(missing).toEqual([])
})

test('each guarantee of SECURITY.md names files with tests that run', async () => {
  const page = await readFile(new URL('SECURITY.md', root), 'utf8')
  const [, guarantees = ''] = page.split('## Guarantees\n')
  const [section = ''] = guarantees.split(/^## /m)
  const items = section.match(/^- .*(\n {2}.*)*/gm) ?? []
  const promises = items.filter((item) => !/^- \[.*\]\(#/.test(item))
  expect(promises.length).toBeGreaterThan(50)
  expect(promises.filter((promise) => !promise.includes('.test.ts`'))).toEqual([])
  const named = [...page.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = '']) => file)
  const missing: string[] = []
  for (const file of new Set(named)) {
    if (!/^ *(it|test)(\.each)?\(/m.test(await runningTests(file))) missing.push(file)
  }
  expect(missing).toEqual([])
})

test('each limit of docs/operations/limits.md names files with tests that run', async () => {
  const page = await readFile(new URL('docs/operations/limits.md', root), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| (?!---|limit )/.test(line))
  expect(rows.length).toBeGreaterThan(30)
  const missing: string[] = []
  for (const row of rows) {
    const files = [...row.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = '']) => file)
    const texts = await Promise.all(files.map(runningTests))
    if (texts.length === 0 || !texts.every((text) => /\b(413|429)\b/.test(text))) missing.push(row)
  }
  expect(missing).toEqual([])
})

/** Reads a file of tests from its first test on. Returns an empty text if it does not exist, or skips any test. */
async function runningTests(file: string): Promise<string> {
  const path = file.startsWith('packages/') ? file : `packages/server/test/${file}`
  const source = await readFile(new URL(path, root), 'utf8').catch(() => '')
  return /\b(it|test|describe)\.(skip|todo|only|skipIf|runIf)\b/.test(source) ? '' : source
}
