import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { githubClaims, startCiIssuer } from '@burgee/testing/ciIssuer'
import { addCleanup } from '@burgee/testing/cleanup'
import { call, serve, storeWith, tokenOf } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseAllowedDestinations } from '../../../server/src/lib/outbound/allowedDestination.ts'
import { makeFolder } from '../support/program.ts'
import { CHECKOUT, openShop, type Shop } from '../support/shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
  await shop.write('checkout.yaml', CHECKOUT)
})

describe('two pipelines at once', () => {
  it('are one that applies, and one that changes nothing', async () => {
    const both = await Promise.all([shop.run('apply FLAGS --yes'), shop.run('apply FLAGS --yes')])
    const codes = both.map(({ code }) => code).sort()
    expect(codes).toEqual([0, 6])
    expect(both.find(({ code }) => code === 6)?.stderr).toContain(
      'nothing was changed: another burgee apply of "shop" started meanwhile. Run burgee plan FLAGS, then apply again'
    )
    expect((await shop.run('plan FLAGS --detailed-exit-code')).code).toBe(0)
  })
})

describe('where production needs approval', () => {
  const onInProduction = CHECKOUT.replace(
    '      development:\n',
    '      production: { status: "on", targets: [{ name: All, for: everybody, serve: "on" }] }\n      development:\n'
  )

  beforeAll(async () => {
    const body = { settings: { featureApprovalWorkflow: { enabled: true } } }
    expect((await call(shop.server, 'updateProtectedSettings', { params: { key: 'shop' }, body })).status).toBe(200)
    await shop.write('checkout.yaml', onInProduction)
  })

  it('a change becomes a change request, with the commit', async () => {
    const job = { GITHUB_REPOSITORY: 'acme/shop', GITHUB_SHA: '3f2c1d9aaaa' }
    const { code, stdout } = await shop.run('apply FLAGS --yes -m Launch', undefined, job)
    expect([code, stdout]).toEqual([8, expect.stringMatching(/features\.new-checkout {2}change request: [0-9a-f]{24}/)])
    const [request] = await shop.ask('listChangeRequests')
    expect(request).toMatchObject({
      status: 'pending',
      description: expect.stringMatching(
        /^Launch\nFrom acme\/shop at 3f2c1d9aaaa\.\nMade by burgee apply of "shop"\. Fingerprint of the change: \S+$/
      )
    })
  })

  it('the same change keeps its request with its reviews, and another one updates it', async () => {
    expect((await shop.run('apply FLAGS --yes')).code).toBe(8)
    expect(await shop.ask('listChangeRequests')).toHaveLength(1)
    const [before] = await shop.ask('listChangeRequests')
    await shop.write('checkout.yaml', onInProduction.replace('serve: "on" }]', 'serve: "off" }]'))
    expect((await shop.run('apply FLAGS --yes')).code).toBe(8)
    const [after, ...others] = await shop.ask('listChangeRequests')
    expect([after._id, after.status, others]).toEqual([before._id, 'pending', []])
    expect(after.contentHash).not.toBe(before.contentHash)
  })

  it('a new feature is created, and a request turns it on in production', async () => {
    await shop.write(
      'banner.yaml',
      'burgee: 1\nfeatures:\n  banner: { environments: { production: { status: "on", targets: [{ name: All, for: everybody, serve: variation-on }] } } }\n'
    )
    const { code, stdout } = await shop.run('apply FLAGS/banner.yaml --yes')
    expect([code, stdout]).toEqual([8, expect.stringContaining('+ features.banner  change request: ')])
    const { configurations } = await shop.ask('getFeature', { params: { feature: 'banner' } })
    expect(configurations.map(({ status }: { status: string }) => status)).toEqual(['inactive', 'inactive'])
  })
})

describe('a CI job', () => {
  it('applies with its identity, and without a stored secret', async () => {
    const issuer = await startCiIssuer()
    const audience = 'https://flags.example.com'
    const server = await serve(
      {},
      { allowedPrivateTargets: parseAllowedDestinations('127.0.0.1') ?? [], publicUrl: audience }
    )
    const trust = {
      key: 'deploy',
      name: 'Deploy',
      issuer: issuer.url,
      audience,
      conditions: [{ claim: 'repository_id', op: 'equals', value: '70107786' }],
      grants: { projects: ['shop'], role: 'publisher' }
    }
    expect((await call(server, 'createWorkloadTrust', { body: trust })).status).toBe(201)
    const github = createServer(async (_request, response) => {
      response.end(JSON.stringify({ value: await issuer.sign(githubClaims(issuer, audience)) }))
    })
    await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve))
    addCleanup(async () => void github.close())
    const job = {
      BURGEE_URL: server.url,
      BURGEE_TOKEN: '',
      BURGEE_CONFIG_DIR: await makeFolder(),
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(github.address() as AddressInfo).port}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'given-by-GitHub'
    }
    await shop.write('small.yaml', 'burgee: 1\nproject: shop\nfeatures: { search: { name: Search } }\n')
    const applied = await shop.run('apply FLAGS/small.yaml --yes --debug', undefined, job)
    expect(applied.stderr).toContain('/token?api-version=2.0&audience=')
    expect(applied.stderr).toContain('subject_token_type=urn:ietf:params:oauth:token-type:jwt&subject_token=****')
    expect(applied.stderr).not.toMatch(/given-by-GitHub|eyJ/)
    expect([applied.stdout, applied.code]).toEqual(['  + features.search  done\n1 done.\n', 0])
    const { body } = await call(server, 'listAuditEntries', {})
    expect(body[0]).toMatchObject({ actor: 'workload', idp_user: 'ci:deploy', source: 'cli' })

    const gitlab = { ...job, ACTIONS_ID_TOKEN_REQUEST_URL: '', ACTIONS_ID_TOKEN_REQUEST_TOKEN: '' }
    const token = await issuer.sign(githubClaims(issuer, audience))
    expect((await shop.run('plan FLAGS/small.yaml', undefined, { ...gitlab, BURGEE_ID_TOKEN: token })).code).toBe(0)
    const again = await shop.run('plan FLAGS/small.yaml', undefined, { ...gitlab, BURGEE_ID_TOKEN: token })
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('burgee: ')])
  })
})

describe('a token without the permission to write', () => {
  it('plans, and applies nothing', async () => {
    const directory = await storeWith({ environments: { production: {}, development: {} } })
    await addClients(directory, {
      reader: ['project:read', 'environment:read', 'feature:read', 'variable:read', 'audience:read']
    })
    const server = await serve(directory)
    expect(await tokenOf(server)).toBeTruthy()
    const reader = { BURGEE_URL: server.url, BURGEE_TOKEN: await tokenFor(server, 'reader') }
    await shop.write('small.yaml', 'burgee: 1\nproject: shop\nfeatures: { search: { name: Search } }\n')
    expect((await shop.run('plan FLAGS/small.yaml', undefined, reader)).stdout).toContain('+ features.search')
    expect(await shop.run('apply FLAGS/small.yaml --yes', undefined, reader)).toMatchObject({ code: 4, stdout: '' })
  })
})
