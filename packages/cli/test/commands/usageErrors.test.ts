import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { CHECKOUT, openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  await shop.ask('createFeature', { body: { key: 'search', name: 'Search' } })
  await shop.write('good.yaml', CHECKOUT)
  await shop.write('file', '')
  await mkdir(join(shop.folder, 'folder'))
})

describe('a path that cannot be written is named, with what to do', () => {
  it.each([
    ['export --out FLAGS/file', 'FLAGS/file is a file: name a folder'],
    ['plan FLAGS/good.yaml --out FLAGS/folder', 'FLAGS/folder is a folder: name a file']
  ])('%s', async (line, message) => {
    expect(await shop.run(line)).toEqual({ code: 2, stdout: '', stderr: `burgee: ${message}\n` })
  })

  it.runIf(process.platform === 'linux').each([
    ['export --out /proc/x', {}],
    ['use work --server http://127.0.0.1:9', { BURGEE_CONFIG_DIR: '/proc/x' }]
  ])('a folder that the file system refuses: %s', async (line, environment) => {
    const { code, stderr } = await shop.run(line, undefined, environment)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^burgee: \/proc\/x cannot be .+\n$/)])
  })
})

describe('names that do not exist', () => {
  it('refuses environments', async () => {
    expect(await shop.run('export --environments producton')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'burgee: there is no environment "producton" (did you mean production?): --environments should be one of development, production\n'
    })
  })

  it.each(['json', 'tsv', 'table'])('says which columns there are: %s', async (format) => {
    const { stderr } = await shop.run(`features list --columns key,nam -o ${format}`)
    expect(stderr).toMatch(/^burgee: --columns: nothing has the member "nam" \(did you mean name\?\): there are .*name/)
  })

  it('refuses patterns of ignored members that match nothing', async () => {
    await shop.write('ignore.yaml', 'burgee: 1\nmanage: { ignore: ["features.[x"] }\n')
    expect((await shop.run('plan FLAGS/ignore.yaml')).stderr).toContain(
      'FLAGS/ignore.yaml:2:20: manage.ignore.0 should be a path such as features.*.environments.production.status'
    )
  })

  it('suggests burgee pull only where files would be written', async () => {
    const missing = 'burgee: there is no file or folder FLAGS/nope.yaml\n'
    expect((await shop.run('import FLAGS/nope.yaml')).stderr).toBe(missing)
    expect((await shop.run('plan FLAGS/nope.yaml')).stderr).toContain('write one with burgee pull')
  })
})

it.each(['docs', 'nothing'])('says that an address with another path is not that of the server: %s', async (path) => {
  const { BURGEE_TOKEN: _, BURGEE_URL, ...others } = shop.environment
  const client = { BURGEE_CLIENT_ID: 'id', BURGEE_CLIENT_SECRET: 'secret' }
  const { runHere } = await import('../support/program.ts')
  const environment = { ...others, ...client, BURGEE_URL: `${BURGEE_URL}/${path}` }
  const { code, stderr } = await runHere(['flags', 'list'], environment, { isTerminal: true })
  expect([code, stderr]).toEqual([
    9,
    expect.stringMatching(/does not respond like a Burgee server.+\nCheck that the address/)
  ])
})

it('refuses an empty key of a flag before anything is sent', async () => {
  const { environment } = shop
  const { runHere } = await import('../support/program.ts')
  const { code, stderr } = await runHere(['flags', 'create', ''], environment, { isTerminal: true })
  expect([code, stderr]).toEqual([2, expect.stringContaining('the key of the flag is empty')])
})

it('reports all issues of an import in one run, and creates no project', async () => {
  const bad = `burgee: 1
audiences:
  a: { for: [{ type: audienceMatch, _audiences: [b] }] }
  b: { for: [{ type: audienceMatch, _audiences: [a] }] }
features:
  new:
    nmae: New
    variations: { "on": { values: { nothing: 1 } } }
    environments: { prodction: { status: "on" } }
`
  await shop.write('bad.yaml', bad)
  const { code, stderr } = await shop.run('import FLAGS/bad.yaml --into other --create-project --yes')
  expect(code).toBe(2)
  expect(stderr).toContain('audiences.a.for refers to itself')
  expect(stderr).toContain('features.new.nmae is not known')
  expect(stderr).toContain('refers to variable "nothing"')
  expect(stderr).toContain('refers to environment "prodction"')
  expect((await shop.run('projects get other')).code).toBe(5)
})

it('wraps the overview at the width of the terminal', async () => {
  const { runHere } = await import('../support/program.ts')
  const { stdout } = await runHere([], shop.environment, { isTerminal: true, width: 60 })
  expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([])
})

it('says that nothing is to be changed in a folder without reads', async () => {
  await mkdir(join(shop.folder, 'empty'))
  await writeFile(join(shop.folder, 'empty', 'a.ts'), 'export const a = 1\n')
  const { stdout } = await shop.run('cleanup search FLAGS/empty --value true')
  expect(stdout).toMatch(/^No JavaScript or TypeScript reads search .*\nA scan of the result/)
})
