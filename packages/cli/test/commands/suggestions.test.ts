import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { personToken } from '@burgee/testing/personToken'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { makeFolder, runHere } from '../support/program.ts'
import { openShop, type Shop } from '../support/shop.ts'

const PASSWORD = 'made-up-and-shown-once'

let shop: Shop
let environment: Readonly<Record<string, string>>
let folder: string

beforeAll(async () => {
  shop = await openShop()
  const { BURGEE_TOKEN } = shop.environment
  await shop.ask('createFeature', { body: { key: 'empty', name: 'Empty' } })
  folder = await makeFolder()
  const other = { server: 'http://127.0.0.1:9', project: 'elsewhere' }
  const profiles = { current: 'other', profiles: { other, test: { server: shop.server.url } } }
  await writeFile(join(folder, 'config.json'), JSON.stringify(profiles))
  environment = { BURGEE_TOKEN: String(BURGEE_TOKEN), BURGEE_CONFIG_DIR: folder }
})

/** Runs a command line as a person, in an empty folder. */
async function asPerson(line: string, more: Readonly<Record<string, string>> = {}) {
  const directory = await makeFolder()
  const words = line.split(' ').map((word) => word.replace('EMPTY', directory).replace('FILES', join(folder, 'files')))
  return runHere(words, { ...environment, ...more }, { isTerminal: true, width: 200, directory })
}

describe('a suggested command', () => {
  const connections = [
    ['--server', () => shop.server.url],
    ['--profile', () => 'test']
  ] as const
  it.each([
    'flags list --search nothing',
    'flags create made',
    'flags show emty-nothing',
    'flags on empty -e development',
    'history empty 65f0c0ffee0123456789000d',
    'requests list',
    'requests show 65f0c0ffee0123456789000d',
    'stale',
    'keys rotate --type server -e development --yes',
    'init -e development --types flags.ts',
    'pull EMPTY/flags',
    'plan EMPTY/missing',
    'plan FILES --drift fail',
    'apply FILES --drift fail --yes',
    'evaluate nothing -e development --user ada',
    'explain nothing -e development --user ada',
    'audiences get nothing'
  ])('has the server or profile, and the project, of the command: burgee %s', async (line) => {
    await mkdir(join(folder, 'files'), { recursive: true })
    await writeFile(
      join(folder, 'files', 'a.yaml'),
      'burgee: 1\nproject: shop\naudiences: { a: { for: [{ type: audienceMatch, _audiences: [b] }] } }\n'
    )
    for (const [flag, given] of connections) {
      const { stdout, stderr } = await asPerson(`${line} --project shop ${flag} ${given()}`)
      const lines = `${stdout}${stderr}`.split('\n')
      for (const text of lines.filter((one) => !one.includes('--help'))) {
        const suggested = text.match(/\bburgee [a-z]/g) ?? []
        const carried = text.match(new RegExp(`${flag} ${given()}`, 'g')) ?? []
        const projects = text.match(/--project shop\b/g) ?? []
        expect([text, carried.length, projects.length]).toEqual([text, suggested.length, suggested.length])
      }
    }
  })

  it('has the project that files name', async () => {
    await mkdir(join(folder, 'named'), { recursive: true })
    await writeFile(join(folder, 'named', 'a.yaml'), 'burgee: 1\nproject: shop\nfeatures: { a: { name: A } }\n')
    const given = { BURGEE_TOKEN: 'refused', BURGEE_PROJECT: '' }
    const { code, stderr } = await asPerson(`apply ${join(folder, 'named')} --yes --profile test`, given)
    expect([code, stderr]).toEqual([3, expect.stringContaining('burgee login --profile test signs you in.')])
  })
})

describe('a refusal of the server', () => {
  it('names the flags of the command', async () => {
    await shop.ask('createFeature', { body: { key: 'read', name: 'Read' } })
    const references = [{ fileName: 'src/a.ts', lineNumbers: { start: 1, end: 1 }, confidence: 'certain' }]
    const body = { source: 'github', repo: 'acme/shop', branch: 'main', variables: [{ key: 'read', references }] }
    await shop.ask('updateCodeUsages', { body })
    const complete = 'features status read --status complete --static-variation variation-on'
    const { code, stderr } = await shop.run(complete)
    expect([code, stderr]).toEqual([6, expect.stringContaining('complete it with --ignore-code-usages true\n')])
    const wrong = await shop.run(
      'features status read --status complete --static-variation nothing --ignore-code-usages'
    )
    expect([wrong.code, wrong.stderr]).toEqual([
      7,
      expect.stringMatching(/^burgee: --static-variation should be the key or id/)
    ])
    expect((await shop.run('features status read --status complete')).stderr).toContain(
      '--static-variation should name'
    )
    // Without a value, also before a positional argument.
    expect(
      (await shop.run(`features status --ignore-code-usages ${complete.slice('features status '.length)}`)).code
    ).toBe(0)
  })

  it('names the member below a flag with JSON', async () => {
    const line = 'projects settings update --settings {"staleness":{"enabled":1}}'
    const { code, stderr } = await shop.run(line)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/staleness(\.enabled)? in --settings should/)])
  })
})

test('a flag without targets is refused before a question, with the command that helps', async () => {
  for (const line of [
    'flags on empty -e production',
    'targeting update empty --environment production --status active'
  ]) {
    const { code, stderr } = await shop.run(line, () => Promise.reject(new Error('nobody is asked')))
    expect([code, stderr]).toEqual([
      6,
      expect.stringContaining(
        'Choose what it serves to everyone there: burgee flags on empty --environment production --serve <variation>\n'
      )
    ])
  }
  expect((await shop.run('flags on empty -e production --serve variation-on', 'y')).code).toBe(0)
})

test('lists have the names of people in tables, and their ids in JSON', async () => {
  const roles = [{ role: 'organization_owner' }, { role: 'project_admin' }]
  const grace = await shop.ask('createUser', {
    body: { email: 'grace@example.com', name: 'Grace', password: PASSWORD, roles }
  })
  const token = { BURGEE_TOKEN: await personToken(shop.server, grace.user_id) }
  expect((await shop.run('flags create by-grace', undefined, token)).code).toBe(0)
  const table = await shop.run('features list')
  expect(table.stdout).toMatch(/^KEY .* CREATEDBY/)
  expect(table.stdout).toMatch(/^by-grace .* Grace /m)
  expect((await shop.run('features get by-grace')).stdout).toMatch(/^_createdBy: +Grace$/m)
  const features: readonly { readonly key: string; readonly _createdBy: string }[] = await shop.json('features list')
  expect(features.find(({ key }) => key === 'by-grace')?._createdBy).toBe(grace.user_id)
})
