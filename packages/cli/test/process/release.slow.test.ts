import { call, options, serve, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, NOW } from '@burgee/testing/plan'
import { beforeAll, expect, test } from 'vitest'
import { makeFolder, run } from '../support/program.ts'

let server: TestServer
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  const targets = [{ filters: [attributeFilter('country', 'CA')], serves: { 'variation-on': 1 } }]
  server = await serve({
    environments: { production: {}, staging: {} },
    features: [
      { key: 'banner', offIn: ['production'] },
      { key: 'search', targets }
    ]
  })
  environment = {
    BURGEE_URL: server.url,
    BURGEE_CLIENT_ID: options.adminClientId,
    BURGEE_CLIENT_SECRET: options.adminClientSecret,
    BURGEE_PROJECT: 'shop',
    BURGEE_CONFIG_DIR: await makeFolder()
  }
})

const table = (...args: readonly string[]) => run([...args, '-o', 'table'], environment)
const json = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await run(args, environment)
  return { code, stderr, data: stdout === '' ? undefined : JSON.parse(stdout) }
}

test('burgee compare lists the flags that differ, and exits with 1 on request', async () => {
  const all = await table('compare', '--from', 'staging', '--to', 'production')
  expect(all).toMatchObject({ code: 0, stderr: '' })
  expect(all.stdout).toMatch(/^KEY +STAGING +PRODUCTION/)
  expect(all.stdout).toMatch(/banner +on, 100% +off/)
  expect(all.stdout).not.toContain('search')
  const one = await json('compare', 'banner', '--from', 'staging', '--to', 'production', '--exit-code')
  expect([one.code, one.data.features]).toMatchObject([1, [{ feature: 'banner', isDifferent: true }]])
  expect((await json('compare', 'search', '--from', 'staging', '--to', 'production', '--exit-code')).code).toBe(0)
  expect((await json('compare', '--from', 'staging')).code).toBe(2)
})

test('burgee promote previews, asks, and applies the preview', async () => {
  const words = ['promote', 'banner', '--from', 'staging', '--to', 'production', '--include', 'status']
  const refused = await json(...words)
  expect([refused.code, refused.stderr]).toEqual([11, expect.stringContaining('needs a confirmation')])
  expect((await json(...words, '--yes')).code).toBe(0)
  const { body } = await call(server, 'listFeatureConfigurations', {
    params: { project: 'shop', feature: 'banner' },
    query: { environment: 'production' }
  })
  expect(body).toMatchObject([{ status: 'active' }])
})

test('burgee explain tells what a user gets and why, and exits with 1 where nothing is served', async () => {
  const user = '{"user_id":"ada","country":"CA"}'
  const shown = await table('explain', 'search', '-e', 'production', '--user', user)
  expect(shown.code).toBe(0)
  expect(shown.stdout).toContain('search: served: variation-on')
  expect(shown.stdout).toMatch(/✓ country is Canada \(CA\)/)
  const none = await json('explain', 'search', '-e', 'production', '--user', 'ada', '--exit-code')
  expect([none.code, none.data.features]).toMatchObject([1, [{ key: 'search' }]])
  expect((await json('explain', 'search', '-e', 'production')).code).toBe(2)
  expect((await json('explain', 'nothing', '-e', 'production', '--user', 'ada')).code).toBe(5)
})

test('burgee evaluate prints the value for a user', async () => {
  const user = '{"user_id":"ada","country":"CA"}'
  expect((await table('evaluate', 'search', '-e', 'production', '--user', user)).stdout).toBe('true\n')
  expect((await table('evaluate', 'serch', '-e', 'production', '--user', user)).code).toBe(5)
})

test('burgee keys rotate creates a key with the restrictions of the newest one, and prints how to revoke the others', async () => {
  const params = { project: 'shop', environment: 'production' }
  await call(server, 'generateSdkKeys', { params, body: { server: true, allowedNetworks: ['127.0.0.0/8'] } })
  const words = ['keys', 'rotate', '--type', 'server', '-e', 'production']
  const refused = await json(...words)
  expect([refused.code, refused.stderr]).toEqual([11, expect.stringContaining('needs a confirmation')])
  const { code, data } = await json(...words, '--yes')
  expect([code, data.type, data.allowedNetworks, data.previous.length]).toEqual([0, 'server', ['127.0.0.0/8'], 2])
  const evaluated = await call(server, 'evaluateVariables', { key: data.key, body: { user_id: 'ada' } })
  expect(evaluated.status).toBe(200)
  const shown = await table(...words, '--yes')
  const revoke = `burgee keys revoke ${data.key} --project shop --environment production`
  expect(shown.stdout).toMatch(/^The new server key of production: server-\S+\nOnce your applications use it, /)
  expect(shown.stdout).toContain(`\n  ${revoke}\n`)
  const revoked = await run([...revoke.split(' ').slice(1), '--yes'], environment)
  expect(revoked).toMatchObject({ code: 0, stderr: '' })
  expect((await json('keys', 'rotate', '-e', 'production', '--yes')).code).toBe(2)
  expect((await json('keys', 'rotate', '--type', 'servr', '-e', 'production', '--yes')).code).toBe(2)
  expect((await json('keys', 'rotate', '--type', 'client', '-e', 'nowhere', '--yes')).code).toBe(5)
})

test('burgee results counts evaluations by variation', async () => {
  expect(await table('results', 'search')).toMatchObject({ code: 0, stdout: 'There were no evaluations of search.\n' })
  // The last day ends before the hour that begins now.
  server.clock.now = () => NOW - 60_000
  await call(server, 'evaluateVariable', { params: { key: 'search' }, body: { user_id: 'ada', country: 'CA' } })
  server.clock.now = () => NOW
  const { data } = await json('results', 'search')
  expect(data).toContainEqual({ variation: 'variation-on', evaluations: 1, share: 1 })
  expect((await json('results', 'nothing')).code).toBe(5)
})

test('burgee audit shows the newest changes, also of one flag', async () => {
  await call(server, 'updateFeature', { params: { project: 'shop', feature: 'search' }, body: { name: 'Search box' } })
  const shown = await table('audit', '--flag', 'search', '-n', '1')
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringMatching(/DATE +BY +WITH +CHANGES\n.* modified feature\n$/)
  ])
  expect((await json('audit', '-n', '2')).data).toHaveLength(2)
})

test('burgee open prints the address of the dashboard', async () => {
  const { data } = await json('open', 'search')
  expect(data.url).toMatch(new RegExp(`^${server.url}/o/[^/]+/p/shop/features/search/overview$`))
  expect((await table('open')).stdout).toMatch(/\/p\/shop\/features\n$/)
})
