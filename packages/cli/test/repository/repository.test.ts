import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeFolder, runHere } from '../support/program.ts'

let server: TestServer
let folder: string
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  server = await serve({ features: [{ key: 'search' }] })
  environment = { BURGEE_URL: server.url, BURGEE_TOKEN: await tokenOf(server), BURGEE_CONFIG_DIR: await makeFolder() }
})

beforeEach(async () => {
  folder = await makeFolder()
})

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), text)
}

const run = (line: string, { directory = folder, ...more }: Readonly<Record<string, string>> = {}) =>
  runHere(line.split(' '), { ...environment, ...more }, { directory })

describe('the burgee.yaml of a repository', () => {
  it('names the project and the environment of all commands in its folders', async () => {
    await mkdir(join(folder, '.git'))
    await mkdir(join(folder, 'apps', 'web'), { recursive: true })
    await write('burgee.yaml', 'project: shop\nenvironment: production\n')
    const directory = join(folder, 'apps', 'web')
    const explained = await run('explain search --user ada', { directory })
    expect([explained.code, JSON.parse(explained.stdout)]).toEqual([0, expect.anything()])
    expect((await run('features list', { directory })).code).toBe(0)
  })

  it.each([
    ['a flag', 'features list --project other', {}],
    ['a variable', 'features list', { BURGEE_PROJECT: 'other' }]
  ])('is less important than %s', async (_, line, variables) => {
    await write('burgee.yaml', 'project: shop\n')
    const { code, stderr } = await run(line, variables)
    expect([code, stderr]).toEqual([5, expect.stringContaining('other')])
  })

  it('is more important than the profile', async () => {
    const own = { BURGEE_CONFIG_DIR: await makeFolder() }
    await run(`use work --server ${server.url} --project other`, own)
    expect((await run('features list', own)).code).toBe(5)
    await write('burgee.yaml', 'project: shop\n')
    expect((await run('features list', own)).code).toBe(0)
  })

  it('does not apply outside of the repository, nor around one', async () => {
    await write('burgee.yaml', 'project: shop\n')
    await mkdir(join(folder, 'inner', '.git'), { recursive: true })
    expect(await run('features list', { directory: join(folder, 'inner') })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('add it to burgee.yaml')
    })
  })

  it('declares how code reads variables', async () => {
    await write(
      'burgee.yaml',
      [
        'scan:',
        '  exclude: ["**/old/**"]',
        '  clients: [store.flags]',
        '  wrappers: [{ name: isOn }, { name: track, key: 1 }]',
        '  aliases: { FLAGS.checkout: new-checkout }',
        '  patterns: { "*.erb": [\'flag_on\\?\\(:([a-z-]+)\\)\'] }',
        ''
      ].join('\n')
    )
    await write('old/a.ts', 'isOn("old")\n')
    await write('a.ts', 'isOn("one")\ntrack(user, "two")\nstore.flags.variable("three", 1)\nisOn(FLAGS.checkout)\n')
    await write('page.erb', '<p>\n<% if flag_on?(:four) %>\n</p>\n')
    const { stdout, stderr } = await run(`usages ${folder} --offline`)
    expect(stderr).toBe('')
    const { variables } = JSON.parse(stdout)
    expect(variables.map(({ key }: { key: string }) => key)).toEqual(['four', 'new-checkout', 'one', 'three', 'two'])
    expect(variables[0].reads).toEqual([
      expect.objectContaining({ file: 'page.erb', language: 'erb', line: 2, confidence: 'likely' })
    ])
  })

  it('can be extended by flags', async () => {
    await write('burgee.yaml', 'scan: { wrappers: [{ name: isOn }] }\n')
    await write('a.ts', 'isOn("one")\nhas("two")\n')
    await write('b.tpl', '{{ flag three }}\n')
    const pattern = '*.tpl={{.flag.([a-z]+).}}'
    const { stdout } = await run(`usages ${folder} --offline --wrapper has --pattern ${pattern}`)
    expect(JSON.parse(stdout).variables.map(({ key }: { key: string }) => key)).toEqual(['one', 'three', 'two'])
  })

  it('cannot keep a scan from ending by a pattern', async () => {
    await write('burgee.yaml', `scan: { patterns: { "*.erb": ['flag((?:a+)+)!'] } }\n`)
    await write('page.erb', `flag${'a'.repeat(5000)}\nflagaa!\n`)
    const { stdout } = await run(`usages ${folder} --offline`)
    expect(JSON.parse(stdout).variables.map(({ key }: { key: string }) => key)).toEqual(['aa'])
  })

  it('can use no look-around in a pattern', async () => {
    await write('burgee.yaml', `scan: { patterns: { "*.erb": ['flag(?=x)(a)'] } }\n`)
    await write('page.erb', 'flag\n')
    expect(await run(`usages ${folder} --offline`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the pattern flag(?=x)(a) should be a regular expression of RE2')
    })
  })

  it.each([
    ['projct: shop', 'burgee.yaml:1:1: projct is not known (did you mean project?)'],
    ['scan: { client: [a] }', 'burgee.yaml:1:9: scan.client is not known (did you mean clients?)'],
    ['server: https://x.example', 'server is not known: it should be one of project, environment, types, state, scan'],
    [
      'scan: { patterns: { "*.erb": ["flag"] } }',
      'scan.patterns.*.erb.0 should be a regular expression with one group'
    ],
    ['scan: { patterns: { "*.erb": ["(flag"] } }', 'should be a regular expression with one group'],
    ['types: { outt: a.ts }', 'burgee.yaml:1:10: types.outt is not known (did you mean out?)'],
    ['state: { file: flags }', 'burgee.yaml:1:10: state.file is not known (did you mean files?)'],
    ['project: [shop]', 'burgee.yaml:1:10: project should be a string, got a list']
  ])('is refused with its place: %s', async (text, message) => {
    await write('burgee.yaml', `${text}\n`)
    expect(await run('usages . --offline')).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  it('describes no project for burgee plan', async () => {
    await write('burgee.yaml', 'project: shop\n')
    expect(await run(`plan ${folder}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no YAML or JSON files')
    })
  })
})
