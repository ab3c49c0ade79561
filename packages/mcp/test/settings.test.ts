import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { help } from '../src/help.ts'

test('docs/guides/assistants.md lists the settings that --help lists, with their flags and defaults', async () => {
  const document = await readFile(new URL('../../../docs/guides/assistants.md', import.meta.url), 'utf8')
  const rows = [...document.matchAll(/^\| `([A-Z_]+)` \| (?:`(--[\w-]+)` )?\| (?:`(\S+)` |\w+ )?\|/gm)]
  const told = rows.map(([, variable, flag, standard]) => ({ variable, flag, standard }))
  const helped = [...help().matchAll(/^ {2}(?:(--[\w-]+).*\n {6}([A-Z_]+)\.|([A-Z_]+)\n).*?(?: Default: (\S+))?$/gm)]
  const settings = helped.map(([, flag, variable, secret, standard]) => ({
    variable: variable ?? secret,
    flag,
    standard
  }))
  expect(settings.length).toBeGreaterThan(10)
  expect(told).toEqual(settings)
})
