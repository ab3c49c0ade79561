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

it('refuses a new target of a killed flag in an environment that was off before the kill', async () => {
  const configurations = { development: { status: 'active', targets: [everyone] } }
  for (const [key, more] of Object.entries({ bare: {}, targeted: { production: { targets: [everyone] } } })) {
    await shop.ask('createFeature', { body: { key, name: key, configurations: { ...configurations, ...more } } })
    await shop.run(`flags kill ${key} --yes`)
  }
  expect(await shop.run('rollout targeted --to 5 --where country=CA -e production --yes')).toEqual({
    code: 6,
    stdout: '',
    stderr:
      'burgee: targeted is killed in development, and off in production: first turn it on with burgee flags on targeted --environment production, which shows what it serves\n'
  })
  expect(await shop.run('rollout bare --to 5 -e production --yes')).toEqual({
    code: 6,
    stdout: '',
    stderr:
      'burgee: bare is killed in development, and off in production: first give it a target with burgee serve bare <variation> --environment production, which turns nothing on\n'
  })
  for (const key of ['bare', 'targeted']) {
    const query = { environment: 'production' }
    const [found] = await shop.ask('listFeatureConfigurations', { params: { feature: key }, query })
    expect(found.status).toBe('inactive')
  }

  // The commands of the messages.
  const served = await shop.run('serve bare variation-on -e production --yes')
  expect([served.code, served.stderr]).toEqual([0, expect.stringContaining('is off in production, and stays off')])
  expect((await shop.run('rollout bare --to 5 -e production --yes')).code).toBe(0)
  expect((await shop.run('flags on bare -e production --yes')).stderr).toContain('Of all users, 5% are included now')
  // The flag was turned on again where the kill turned it off.
  await shop.run('flags on targeted -e development')
  expect((await shop.run('rollout targeted --to 5 --where country=CA -e production --yes')).code).toBe(0)
})

it('applies --serve to the target with this condition', async () => {
  await createServed('served', 'active')
  const line = 'rollout served --to 20 -e production --serve'
  expect((await shop.run(`${line} variation-off`, 'n')).stderr).toContain('“Variation Off”')
  expect((await shop.run(`${line} variation-off --yes`)).code).toBe(0)
  const { targets } = await configurationOf('served')
  const { variations } = await shop.ask('getFeature', { params: { feature: 'served' } })
  const off = variations.find(({ key }: { key: string }) => key === 'variation-off')._id
  expect(targets).toMatchObject([{ distribution: [{ _variation: off, percentage: 1 }], rollout: { type: 'stepped' } }])
  // The share stays, and what it serves changes.
  expect((await shop.run('rollout served --to 20 --over 7d -e production --serve variation-on --yes')).code).toBe(0)
  expect((await configurationOf('served')).targets).toMatchObject([{ rollout: targets[0].rollout }])
  expect(await shop.run(`${line} nope --yes`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('feature served has no variation "nope": it has variation-on, variation-off')
  })
})

it('says that serve turns nothing on', async () => {
  await createServed('served-off', 'inactive')
  const { stderr } = await shop.run('serve served-off variation-off -e production --yes')
  expect(stderr).toContain(
    'served-off is off in production, and stays off: turn it on with burgee flags on served-off --environment production\n'
  )
})

it('says what everyone else gets from a flag that it turns on with a target for all who match', async () => {
  await shop.ask('createFeature', { body: { key: 'canada', name: 'canada' } })
  const { stderr } = await shop.run('rollout canada --to 100 --where country=CA -e production --yes')
  const sentence = 'Users where country is Canada (CA) get “Variation On”; everyone else gets the default values.'
  expect(stderr).toBe(`canada in production:\n  Turned on.\n  Added target 1, “country CA”. ${sentence}\n`)
  await shop.run('flags off canada -e production --yes')
  expect((await shop.run('flags on canada -e production --yes')).stderr).toBe(
    `canada in production:\n  Turned on.\n  After: ${sentence}\n`
  )
})

it('says what everyone else gets from a flag that it turns on', async () => {
  await createServed('off', 'inactive')
  const { stderr } = await shop.run('rollout off --to 5 --where country=CA -e production', 'n')
  expect(stderr).toContain('\n  Turned on.\n  Added target 1, “country CA”. ')
  expect(stderr).toMatch(
    /\n {2}After: Of users where .*; they get “Variation On”; .* Everyone else gets “Variation On”\.\n/
  )
})

it.each([
  ['--over 7d', 'the target includes 100% already: to start with another share, pass --from'],
  ['--at 2099-01-01', 'the target includes 100% already: to start with another share, pass --from'],
  ['--from 100 --over 7d', '--from and --to are the same share, 100%: the target includes it already']
])('changes nothing where a target has the share already, with %s', async (options, notice) => {
  const key = `full${options.replaceAll(/\W+/g, '-')}`
  await createServed(key, 'active')
  const before = await configurationOf(key)
  expect(await shop.run(`rollout ${key} --to 100 ${options} -e production`)).toEqual({
    code: 0,
    stdout: `${key} in production is unchanged.\n`,
    stderr: `burgee: ${notice}\n`
  })
  expect(await configurationOf(key)).toEqual(before)
})

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

it('promotes the status with what everyone gets', async () => {
  await createServed('status-only', 'active')
  await shop.run('rollout status-only --to 5 -e production --yes')
  await shop.run('flags off status-only -e production --yes')
  const { stderr } = await shop.run('promote status-only --include status --from development --to production', 'n')
  expect(stderr).toContain(
    'status-only in production:\n  Turned on.\n  After: Of all users, 5% are included now; they get “Variation On”; everyone else gets the default values.\n'
  )
})

it('promotes targets and the status with what everyone gets, where targets join others', async () => {
  await shop.ask('createFeature', { body: { key: 'joined', name: 'Joined' } })
  await shop.run('rollout joined --to 100 --where country=CA -e development --serve variation-on')
  const line = 'promote joined --from development --to production --include'
  await shop.run(`${line} targets --yes`)
  await shop.run('rollout joined --to 100 --where country=FR -e development --serve variation-on')
  const { stderr } = await shop.run(`${line} targets,status`, 'n')
  expect(stderr).toContain('  Added target 1, “country FR”. Users where country is France (FR) get “Variation On”.\n')
  expect(stderr).toMatch(
    /\n {2}After: Users where country is France .* Users where country is Canada .*; everyone else/
  )
  expect(await shop.run(`${line} targets,status --yes`)).toMatchObject({ code: 0 })
  const [, after = ''] = /After: (.*)/.exec(stderr) ?? []
  const { stdout } = await shop.run('flags show joined')
  expect(stdout.replace(/\s+/g, ' ')).toContain(after)
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

  // The destination has the same rollout.
  const again = await shop.run(`${line} --yes`)
  expect(again.stdout).toContain('unchanged')
  const dropped = await shop.run(`${line} --rollouts drop --yes`)
  expect([dropped.code, dropped.stderr]).toEqual([0, expect.stringContaining('After: Everyone gets “Variation On”.')])
  expect((await configurationOf('rising')).targets[0].rollout).toBeUndefined()
})
