import { beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../../support/shop.ts'

let shop: Shop

const everyone = {
  name: 'Everyone',
  audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
  distribution: [{ _variation: 'variation-on', percentage: 1 }]
}

beforeAll(async () => {
  shop = await openShop()
})

/** Creates a flag that serves a variation to everyone, in both environments. */
async function createServed(key: string, status: 'active' | 'inactive'): Promise<void> {
  const configuration = { status, targets: [everyone] }
  const configurations = { production: configuration, development: configuration }
  await shop.ask('createFeature', { body: { key, name: key, configurations } })
}

async function configurationOf(feature: string) {
  const [found] = await shop.ask('listFeatureConfigurations', {
    params: { feature },
    query: { environment: 'production' }
  })
  return found
}

it('refuses a new target of a killed flag, which would undo the kill', async () => {
  await createServed('killed', 'active')
  await shop.run('flags kill killed --yes')
  const line = 'rollout killed --to 5 --where country=CA -e production --yes'
  expect(await shop.run(line)).toEqual({
    code: 6,
    stdout: '',
    stderr:
      'burgee: killed is killed in production: first turn it on with burgee flags on killed --environment production, which shows what it serves\n'
  })
  expect(await configurationOf('killed')).toMatchObject({ status: 'inactive', targets: [{ name: 'Everyone' }] })
  expect((await shop.run('flags show killed')).stdout).toContain(
    'production:\n  Killed: applications use their default values.\n'
  )

  // The target for everyone changes while the flag stays off.
  const lowered = await shop.run('rollout killed --to 5 -e production --yes')
  expect([lowered.code, lowered.stderr]).toEqual([
    0,
    expect.stringContaining('killed is off in production, and stays off: turn it on with burgee flags on killed')
  ])
  expect((await shop.run('flags on killed -e production --yes')).stderr).toBe(
    'killed in production:\n  Turned on.\n  After: Of all users, 5% are included now; they get “Variation On”; everyone else gets the default values.\n'
  )
  expect((await configurationOf('killed')).status).toBe('active')
})

it('says what everyone else gets from a flag that it turns on', async () => {
  await createServed('off', 'inactive')
  const { stderr } = await shop.run('rollout off --to 5 --where country=CA -e production', 'n')
  expect(stderr).toContain('\n  Turned on.\n  Added target 1, “country CA”. ')
  expect(stderr).toMatch(
    /\n {2}After: Of users where .*; they get “Variation On”; .* Everyone else gets “Variation On”\.\n/
  )
})

it.each(['--over 7d', '--at 2099-01-01', '--from 100 --over 7d'])(
  'changes nothing where a target has the share already, with %s',
  async (options) => {
    const key = `full${options.replaceAll(/\W+/g, '-')}`
    await createServed(key, 'active')
    const before = await configurationOf(key)
    expect(await shop.run(`rollout ${key} --to 100 ${options} -e production`)).toEqual({
      code: 0,
      stdout: `${key} in production is unchanged.\n`,
      stderr: 'burgee: the target includes 100% already: to start with another share, pass --from\n'
    })
    expect(await configurationOf(key)).toEqual(before)
  }
)

it.each([
  ['country=ca', 'the value should be an ISO 3166-1 alpha-2 country code in upper case; did you mean country=CA?'],
  ['country=US,ca', 'the value should be an ISO 3166-1 alpha-2 country code in upper case; did you mean country=CA?'],
  ['country=Canada', 'the value should be an ISO 3166-1 alpha-2 country code in upper case'],
  ['appVersion=one', 'the value should be a version such as 1.2.3']
])('names the option and the value of --where %s', async (where, message) => {
  const [property = '', values = ''] = where.split('=')
  expect(await shop.run(`rollout off --to 5 --where ${where} -e production --yes`)).toEqual({
    code: 2,
    stdout: '',
    stderr: `burgee: --where ${property}=${values.split(',').at(-1)}: ${message}\n`
  })
})

it('promotes an unfinished rollout as --rollouts says', async () => {
  await createServed('rising', 'active')
  await shop.run('rollout rising --to 50 --over 7d --from 10 -e development')
  const line = 'promote rising --from development --to production'
  const refused = await shop.run(`${line} --yes`)
  expect([refused.code, refused.stdout]).toEqual([
    6,
    expect.stringMatching(/the rollout of target "Everyone" ends at .*: pass --rollouts with keep, shift or drop/)
  ])
  expect(await shop.run(`${line} --rollouts later --yes`)).toMatchObject({ code: 2 })
  expect((await shop.run(`${line} --rollouts keep --yes`)).code).toBe(0)
  expect(await configurationOf('rising')).toMatchObject({ targets: [{ rollout: { type: 'gradual' } }] })
})
