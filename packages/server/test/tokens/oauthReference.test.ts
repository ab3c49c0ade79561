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
