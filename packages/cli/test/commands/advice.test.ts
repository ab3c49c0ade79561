import { beforeAll, expect, it, test } from 'vitest'
import { runHere } from '../support/program.ts'
import { openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  const everyone = {
    name: 'Everyone',
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation: 'variation-on', percentage: 1 }]
  }
  const configurations = { development: { status: 'active', targets: [everyone] } }
  await shop.ask('createFeature', { body: { key: 'banner', name: 'Banner', configurations } })
  await shop.ask('createFeature', { body: { key: 'locked', name: 'Locked' } })
})

it('compares filters, rollouts and variations in words', async () => {
  expect((await shop.run('promote banner --from development --to production --yes')).code).toBe(0)
  expect((await shop.run('rollout banner --to 20 --over 7d --from 10 -e development')).code).toBe(0)
  const serve = 'serve banner variation-on=50,variation-off=50 -e production --yes'
  expect((await shop.run(serve)).code).toBe(0)
  expect((await shop.run('rollout banner --to 5 --where country=CA -e production --yes')).code).toBe(0)
  const { stdout } = await shop.run('compare banner --from development --to production')
  expect(stdout).toContain('      rollout: 10% from ')
  expect(stdout).toContain(' → everyone\n')
  expect(stdout).toContain('      serves: “Variation On” → 50% “Variation On”, 50% “Variation Off”\n')
  expect(stdout).toContain('      condition: country is Canada (CA)\n')
  expect(stdout).not.toMatch(/[{[]"/)
})

test('use warns about a project that the server does not have, and accepts any offline', async () => {
  const use = (words: string, server = shop.server.url) =>
    runHere(['use', 'work', '--server', server, ...words.split(' ')], shop.environment, { isTerminal: true })
  expect(await use('--project nope --environment production')).toEqual({
    code: 0,
    stdout: `Using work: ${shop.server.url}, project nope, environment production.\n`,
    stderr: 'burgee: there is no project "nope" that you can read: it should be one of shop\n'
  })
  expect((await use('--project shop --environment prodution')).stderr).toBe(
    'burgee: project shop has no environment "prodution" (did you mean production?): it has development, production\n'
  )
  expect((await use('--project shop --environment production')).stderr).toBe('')
  const offline = await use('--project nope', 'http://127.0.0.1:9')
  expect([offline.code, offline.stderr]).toEqual([0, ''])
})

test('import reports the key that a new project cannot have before it asks', async () => {
  await shop.write('new.yaml', 'burgee: 1\nfeatures: { fresh: { name: Fresh } }\n')
  const path = `${shop.folder}/new.yaml`
  const ask = () => Promise.reject(new Error('nobody is asked'))
  const args = ['import', path, '--into', 'New P', '--create-project']
  const { code, stderr } = await runHere(args, shop.environment, { isTerminal: true, ask })
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^burgee: the key of the project should .*, got "New P"\n$/)
  ])
})

test('help of an export says how its items are printed', async () => {
  const { stdout } = await shop.run('audit export --help')
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'oldest first: a JSON array, or one object per line with -o jsonl, which is the default on a terminal.'
  )
})

test('apply names the commands that unlock a flag, and counts targets as people do', async () => {
  await shop.write(
    'wrong.yaml',
    'burgee: 1\nfeatures:\n  locked:\n    environments:\n      production:\n        targets:\n          - { name: A, for: everybody, serve: q }\n'
  )
  expect((await shop.run('plan FLAGS/wrong.yaml')).stderr).toContain(
    'features.locked.environments.production, target 1: serve refers to variation "q", which does not exist\n'
  )

  const settings = { featureApprovalWorkflow: { enabled: true } }
  await shop.ask('updateProtectedSettings', { params: { key: 'shop' }, body: { settings } })
  const changed = await shop.run('flags on locked -e production --serve variation-on --yes')
  const [, id = ''] = /Submitted change request (\w+)/.exec(changed.stdout) ?? []
  await shop.write('right.yaml', 'burgee: 1\nfeatures: { locked: { name: Renamed } }\n')
  const { code, stdout } = await shop.run('apply FLAGS/right.yaml --yes')
  expect([code, stdout]).toEqual([
    6,
    expect.stringContaining(`To see it: burgee requests show ${id}\nThen one of:\n  burgee requests approve ${id}\n`)
  ])
})
