import { addAccounts, authorize, openBrowser } from '@burgee/testing/browser'
import { call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf } from '@burgee/testing/plan'
import { beforeAll, describe, expect, it } from 'vitest'
import { toUpstreamClaims } from '../../src/identity/upstream/upstreamClaims.ts'
import { openAddress, serveProvider, signInUpstream, upstreamOptions } from '../support/processes/upstreamProvider.ts'
import { connectScim, GROUP, newUser, type ScimClient, USER } from './scimClient.ts'

let server: TestServer
let scim: ScimClient
let provider: Awaited<ReturnType<typeof serveProvider>>

beforeAll(async () => {
  const place = await openAddress()
  const directory = await storeWith({})
  await addAccounts(directory, {
    people: [{ email: 'keeper@example.com' }, { email: 'local@example.com', password: 'a quiet morning on the lake' }]
  })
  server = await serve(directory, upstreamOptions(place))
  scim = await connectScim(server)
  provider = await serveProvider(place, `${server.url}/oauth/callback`)
})

/** Signs in at the provider, and returns the page that follows. */
async function signIn(person: Parameters<typeof provider.letIn>[0], to = { server, provider }): Promise<string> {
  to.provider.letIn(person)
  const browser = openBrowser(to.server)
  const { body } = await authorize(browser)
  const [, link = ''] = /<a class="button plain" href="([^"]*)">Sign in with/.exec(body) ?? []
  const { location } = await browser.get(link)
  if (!location) throw new Error('the browser was not sent to the provider')
  return (await browser.get(await signInUpstream(location))).body
}

async function accountOf(id: string) {
  return (await call(server, 'getUser', { params: { user: id } })).body
}

describe('requests as Entra ID sends them', () => {
  const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  const create = (name: string) => ({
    schemas: [USER, ENTERPRISE],
    externalId: `object-${name}`,
    userName: `${name}@example.com`,
    active: true,
    addresses: null,
    displayName: name,
    emails: [{ type: 'work', value: `${name}@example.com`, primary: true }],
    meta: { resourceType: 'User' },
    name: { formatted: name, familyName: 'family', givenName: 'given' },
    preferredLanguage: null,
    title: null,
    department: null,
    roles: [],
    [ENTERPRISE]: { department: 'Sales', manager: { value: 'x' } }
  })

  it('matches, creates, updates, deactivates and deletes a user', async () => {
    const filter = encodeURIComponent('userName eq "entra@example.com"')
    const empty = (await scim.get(`/Users?filter=${filter}`)).body
    expect(empty).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: []
    })
    const { status, body } = await scim.post('/Users', create('entra'))
    expect(status).toBe(201)
    const path = `/Users/${body.id}`
    const changed = await scim.patch(
      path,
      { op: 'Replace', path: 'displayName', value: 'Entra Person' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'entra.person@example.com' },
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'at@home.example' },
      { op: 'Add', path: 'name.givenName', value: 'Changed' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Marketing' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Berlin' },
      { op: 'Remove', path: 'title' }
    )
    expect([changed.status, changed.body.detail]).toEqual([200, undefined])
    expect(changed.body).toMatchObject({
      displayName: 'Entra Person',
      name: { formatted: 'entra', familyName: 'family', givenName: 'Changed' },
      emails: [
        { type: 'work', value: 'entra.person@example.com', primary: true },
        { type: 'home', value: 'at@home.example' }
      ]
    })
    expect(await accountOf(body.id)).toMatchObject({ email: 'entra.person@example.com', name: 'Entra Person' })
    // Without paths, dotted names are the paths; booleans are strings.
    const bulk = { op: 'Replace', value: { displayName: 'Bulk', 'name.familyName': 'Other', active: 'False' } }
    expect((await scim.patch(path, bulk)).body).toMatchObject({ active: false, name: { familyName: 'Other' } })
    expect(await accountOf(body.id)).toMatchObject({ isDisabled: true })
    expect((await scim.patch(path, { op: 'Replace', path: 'active', value: 'True' })).body.active).toBe(true)
    expect((await scim.remove(path)).status).toBe(204)
    expect((await scim.get(path)).status).toBe(404)
  })

  it('adds and removes members of a group', async () => {
    const ids = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => (await scim.post('/Users', create(name))).body.id)
    )
    const { body: group } = await scim.post('/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: 'group-object',
      displayName: 'Entra group',
      meta: { resourceType: 'Group' }
    })
    const path = `/Groups/${group.id}`
    const value = ids.map((id) => ({ $ref: null, value: id }))
    expect((await scim.patch(path, { op: 'Add', path: 'members', value })).body.members).toHaveLength(3)
    await scim.patch(path, { op: 'Remove', path: 'members', value: [{ $ref: null, value: ids[0] }] })
    await scim.patch(path, { op: 'Remove', path: `members[value eq "${ids[1]}"]` })
    const { body } = await scim.get(path)
    expect(body.members.map(({ value }: { value: string }) => value)).toEqual([ids[2]])
    const members = await scim.get(`/Groups/${group.id}?excludedAttributes=members`)
    expect(members.body.members).toBeUndefined()
  })
})

describe('requests as Okta sends them', () => {
  it('matches, creates, updates, deactivates and activates a user', async () => {
    const given = newUser({ userName: 'okta@example.com', emails: undefined })
    const filter = encodeURIComponent('userName eq "okta@example.com"')
    expect((await scim.get(`/Users?filter=${filter}&startIndex=1&count=100`)).body.totalResults).toBe(0)
    const { body } = await scim.post('/Users', given)
    const path = `/Users/${body.id}`
    const changed = { ...body, displayName: 'Okta Person', password: 'another', title: 'Engineer' }
    expect((await scim.put(path, changed)).body.displayName).toBe('Okta Person')
    expect((await scim.patch(path, { op: 'replace', value: { active: false } })).body.active).toBe(false)
    expect((await scim.patch(path, { op: 'replace', value: { active: true } })).body.active).toBe(true)
    const group = await scim.post('/Groups', { schemas: [GROUP], displayName: 'Okta group', members: [] })
    const pushed = { op: 'replace', path: 'members', value: [{ value: body.id, display: 'okta@example.com' }] }
    const renamed = { op: 'replace', value: { id: group.body.id, displayName: 'Okta group 2' } }
    const after = await scim.patch(`/Groups/${group.body.id}`, pushed, renamed)
    expect(after.body).toMatchObject({ displayName: 'Okta group 2', members: [{ value: body.id }] })
    expect((await scim.remove(`/Groups/${group.body.id}`)).status).toBe(204)
  })

  it('signs a provisioned person in by the subject, and ends the session on deactivation', async () => {
    const { body } = await scim.post(
      '/Users',
      newUser({ userName: 'okta-sso@example.com', externalId: 'okta-subject', emails: undefined })
    )
    expect(await signIn({ sub: 'okta-subject', email: 'okta-sso@example.com' })).toContain('okta-sso@example.com')
    await scim.patch(`/Users/${body.id}`, { op: 'replace', value: { active: false } })
    expect(await signIn({ sub: 'okta-subject', email: 'okta-sso@example.com' })).toContain('Your account is disabled')
  })
})

describe('an account that signed in through the identity provider before', () => {
  const provision = (name: string, externalId: string) => {
    return scim.post('/Users', newUser({ userName: `${name}@example.com`, emails: undefined, externalId }))
  }

  it('is not given to the owner of an address that the provider had not verified', async () => {
    await signIn({ sub: 'squatter', email: 'victim@example.com' })
    const { status, body } = await provision('victim', 'victim-subject')
    expect([status, body.scimType]).toEqual([409, 'uniqueness'])
    const [id = ''] = await scim.find('userName eq "victim@example.com"')
    expect((await scim.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'V' })).status).toBe(409)
    expect((await scim.remove(`/Users/${id}`)).status).toBe(204)
    const again = await provision('victim', 'victim-subject')
    expect([again.status, again.body.id === id]).toEqual([201, false])
    expect(await signIn({ sub: 'squatter', email: 'victim@example.com' })).toContain('Your account is disabled')
  })

  it('is matched by the subject, or without an externalId by an address that the provider had verified', async () => {
    await signIn({ sub: 'by-subject', email: 'by-subject@example.com' })
    expect((await provision('by-subject', 'by-subject')).status).toBe(201)
    await signIn({ sub: 'by-address', email: 'by-address@example.com', email_verified: true })
    const [id] = await scim.find('userName eq "by-address@example.com"')
    const { status, body } = await scim.post('/Users', { schemas: [USER], userName: 'by-address@example.com' })
    expect([status, body.id]).toEqual([201, id])
  })

  it('is not given to the next owner of its address, whose externalId is another one', async () => {
    const claims = { email: 'reused@example.com', email_verified: true }
    expect(await signIn({ sub: 'former', ...claims })).toContain('Allow access?')
    const refused = await provision('reused', 'successor')
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { scimType: 'uniqueness', detail: expect.stringContaining('externalId is not its id at the provider') }
    ])
    const [id = ''] = await scim.find('userName eq "reused@example.com"')
    // Neither by a write to the account that exists.
    const put = await scim.put(
      `/Users/${id}`,
      newUser({ userName: 'reused@example.com', externalId: 'successor', emails: undefined })
    )
    expect(put.status).toBe(409)
    expect((await scim.remove(`/Users/${id}`)).status).toBe(204)
    const next = await provision('reused', 'successor')
    expect([next.status, next.body.id === id]).toEqual([201, false])
    expect(await signIn({ sub: 'successor', ...claims })).toContain('Allow access?')
    expect(await signIn({ sub: 'former', ...claims })).toContain('Your account is disabled')
  })

  it('loses its password, if it has one, because its creator may know it', async () => {
    const { status, body } = await provision('local', 'local-subject')
    expect([status, body.id]).toEqual([201, idOf('local@example.com')])
    expect(await accountOf(body.id)).toMatchObject({ hasPassword: false, isProvisioned: true })
    const { body: entries } = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
    expect(entries[0].changes[0]).toMatchObject({ type: 'modifiedUser', metadata: { password: 'removed' } })
  })
})

describe('the account at the identity provider', () => {
  const create = async (members: object) => (await scim.post('/Users', { schemas: [USER], ...members })).body

  it('is not that of the next person with the address of a deleted one', async () => {
    const { id } = await create({ userName: 'handed@example.com' })
    const claims = { email: 'handed@example.com', email_verified: true }
    expect(await signIn({ sub: 'leaver', ...claims })).toContain('Allow access?')
    expect((await scim.remove(`/Users/${id}`)).status).toBe(204)
    expect(await signIn({ sub: 'leaver', ...claims })).toContain('Your account is disabled')
    expect((await create({ userName: 'handed@example.com' })).id).toBe(id)
    expect(await signIn({ sub: 'next', ...claims })).toContain('Allow access?')
    expect(await signIn({ sub: 'leaver', ...claims })).toContain('belongs to another person now')
  })

  it('stays that of a person who is created again with its id', async () => {
    const given = { userName: 'back@example.com', externalId: 'sub-back' }
    const { id } = await create(given)
    const claims = { sub: 'sub-back', email: 'back@example.com' }
    expect(await signIn(claims)).toContain('Allow access?')
    await scim.remove(`/Users/${id}`)
    expect((await create(given)).id).toBe(id)
    expect(await signIn(claims)).toContain('Allow access?')
  })

  it('ends with the first externalId that names another one, and is not taken back by the address', async () => {
    const claims = { email: 'named@example.com', email_verified: true }
    const { id } = await create({ userName: 'named@example.com' })
    expect(await signIn({ sub: 'before-naming', ...claims })).toContain('Allow access?')
    await scim.patch(`/Users/${id}`, { op: 'add', path: 'externalId', value: 'named' })
    expect(await signIn({ sub: 'before-naming', ...claims })).toContain('belongs to another person now')
    expect(await signIn({ sub: 'named', ...claims })).toContain('Allow access?')
    expect(await signIn({ sub: 'before-naming', ...claims })).toContain('belongs to another person now')
  })

  it('is not taken back by the address if SCIM adopted it without an externalId, and assigned another later', async () => {
    const claims = { email: 'adopted@example.com', email_verified: true }
    expect(await signIn({ sub: 'old', ...claims })).toContain('Allow access?')
    const { id } = await create({ userName: 'adopted@example.com' })
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'new' })
    expect(await signIn({ sub: 'old', ...claims })).toContain('belongs to another person now')
    expect(await signIn({ sub: 'new', ...claims })).toContain('Allow access?')
    // Provisioning can give it back.
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'old' })
    expect(await signIn({ sub: 'old', ...claims })).toContain('Allow access?')
    // Neither after the externalId was removed in between.
    await scim.patch(`/Users/${id}`, { op: 'remove', path: 'externalId' })
    await scim.patch(`/Users/${id}`, { op: 'add', path: 'externalId', value: 'third' })
    expect(await signIn({ sub: 'old', ...claims })).toContain('belongs to another person now')
  })

  it('is not taken back by the address after the externalId that named it has changed', async () => {
    const { id } = await create({ userName: 'passed@example.com', externalId: 'holder-1' })
    const claims = { email: 'passed@example.com', email_verified: true }
    expect(await signIn({ sub: 'holder-1', ...claims })).toContain('Allow access?')
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'holder-2' })
    expect(await signIn({ sub: 'holder-1', ...claims })).toContain('belongs to another person now')
    expect(await signIn({ sub: 'holder-2', ...claims })).toContain('Allow access?')
    expect(await signIn({ sub: 'holder-1', ...claims })).toContain('belongs to another person now')
    // Provisioning can give it back.
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'holder-1' })
    expect(await signIn({ sub: 'holder-1', ...claims })).toContain('Allow access?')
  })

  it('is not taken back by the address after a person created again got another externalId', async () => {
    const claims = { email: 'rehired@example.com', email_verified: true }
    const { id } = await create({ userName: 'rehired@example.com' })
    expect(await signIn({ sub: 'first-holder', ...claims })).toContain('Allow access?')
    await scim.remove(`/Users/${id}`)
    expect((await create({ userName: 'rehired@example.com' })).id).toBe(id)
    await scim.patch(`/Users/${id}`, { op: 'add', path: 'externalId', value: 'unrelated' })
    expect(await signIn({ sub: 'first-holder', ...claims })).toContain('belongs to another person now')
    // Provisioning can give it back.
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'first-holder' })
    expect(await signIn({ sub: 'first-holder', ...claims })).toContain('Allow access?')
  })

  it('is not taken back by the address after another person was linked, and unlinked again', async () => {
    const claims = { email: 'chain@example.com', email_verified: true }
    const { id } = await create({ userName: 'chain@example.com' })
    expect(await signIn({ sub: 'chain-1', ...claims })).toContain('Allow access?')
    await scim.remove(`/Users/${id}`)
    await create({ userName: 'chain@example.com' })
    expect(await signIn({ sub: 'chain-2', ...claims })).toContain('Allow access?')
    await scim.patch(`/Users/${id}`, { op: 'add', path: 'externalId', value: 'chain-3' })
    expect(await signIn({ sub: 'chain-1', ...claims })).toContain('belongs to another person now')
    expect(await signIn({ sub: 'chain-2', ...claims })).toContain('belongs to another person now')
    expect(await signIn({ sub: 'chain-3', ...claims })).toContain('Allow access?')
  })

  it('can be linked by the address again after the person was created again, while nothing contradicts it', async () => {
    const given = { userName: 'returns@example.com', externalId: 'number-17' }
    const claims = { sub: 'returning', email: 'returns@example.com', email_verified: true }
    const { id } = await create(given)
    expect(await signIn(claims)).toContain('Allow access?')
    await scim.remove(`/Users/${id}`)
    expect((await create(given)).id).toBe(id)
    expect(await signIn(claims)).toContain('Allow access?')
  })

  it('is not linked by the address for a subject that the externalId named before', async () => {
    const claims = { email: 'renamed@example.com', email_verified: true }
    const { id } = await create({ userName: 'renamed@example.com', externalId: 'renamed-1' })
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'renamed-2' })
    expect(await signIn({ sub: 'renamed-1', ...claims })).toContain('belongs to another person now')
    await scim.patch(`/Users/${id}`, { op: 'remove', path: 'externalId' })
    expect(await signIn({ sub: 'renamed-1', ...claims })).toContain('belongs to another person now')
    expect(await signIn({ sub: 'renamed-2', ...claims })).toContain('belongs to another person now')
    await scim.patch(`/Users/${id}`, { op: 'add', path: 'externalId', value: 'renamed-2' })
    expect(await signIn({ sub: 'renamed-2', ...claims })).toContain('Allow access?')
  })

  it('follows the externalId that named it', async () => {
    const { id } = await create({ userName: 'moved@example.com', externalId: 'sub-1' })
    const claims = { email: 'moved@example.com', email_verified: false }
    expect(await signIn({ sub: 'sub-1', ...claims })).toContain('Allow access?')
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'sub-2' })
    expect(await signIn({ sub: 'sub-2', ...claims })).toContain('Allow access?')
    expect(await signIn({ sub: 'sub-1', ...claims })).toContain('belongs to another person now')
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect(await signIn({ sub: 'sub-2', ...claims })).toContain('Your account is disabled')
  })
})

describe('the claim oid', () => {
  const boss = (sub: string) => ({ sub, oid: 'object-boss', email: `${sub}@example.com` })

  it('of a provider that is not Entra ID does not link an account', async () => {
    const { body } = await scim.post(
      '/Users',
      newUser({ userName: 'boss@example.com', externalId: 'object-boss', emails: undefined })
    )
    expect(await signIn(boss('mallory'))).toContain('mallory@example.com')
    const account = await accountOf(body.id)
    expect([account.email, account.lastLoginAt]).toEqual(['boss@example.com', undefined])
    // It proves nothing for an account that exists either.
    await signIn({ sub: 'early', oid: 'object-early', email: 'early@example.com' })
    const early = await scim.post(
      '/Users',
      newUser({ userName: 'early@example.com', externalId: 'object-early', emails: undefined })
    )
    expect(early.status).toBe(409)
  })

  it.each([
    ['https://login.microsoftonline.com/9f2b/v2.0', '', 'from-oid'],
    ['https://sts.windows.net/9f2b/', '', 'from-oid'],
    ['https://login.microsoftonline.us/9f2b/v2.0', '', 'from-oid'],
    ['https://login.partner.microsoftonline.cn/9f2b/v2.0', '', 'from-oid'],
    ['https://login.microsoftonline.com.example.com/9f2b', '', undefined],
    ['https://login.example.com', '', undefined],
    ['https://login.example.com', 'employee', 'from-employee'],
    ['https://login.microsoftonline.com/9f2b/v2.0', 'employee', 'from-employee']
  ])('of the issuer %s, with the setting "%s", results in the id %s', (issuer, externalIdClaim, expected) => {
    const claims = { sub: 'subject', oid: 'from-oid', employee: 'from-employee' }
    expect(toUpstreamClaims(claims, { issuer, groupsClaim: 'groups', externalIdClaim }).objectId).toBe(expected)
  })

  describe('named by the setting', () => {
    let to: { readonly server: TestServer; readonly provider: typeof provider }

    beforeAll(async () => {
      const place = await openAddress()
      const directory = await storeWith({})
      await addAccounts(directory, {})
      const own = await serve(directory, { ...upstreamOptions(place), oidcExternalIdClaim: 'oid' })
      to = { server: own, provider: await serveProvider(place, `${own.url}/oauth/callback`) }
    })

    it('signs a provisioned person in, although the address is not verified', async () => {
      const { body } = await (await connectScim(to.server)).post(
        '/Users',
        newUser({ userName: 'sso@example.com', displayName: 'sso', externalId: 'object-sso', emails: undefined })
      )
      const claims = { sub: 'pairwise-sso', oid: 'object-sso', email: 'sso@example.com', name: 'Chosen name' }
      expect(await signIn(claims, to)).toContain('sso@example.com')
      const { body: account } = await call(to.server, 'getUser', { params: { user: body.id } })
      expect(account).toMatchObject({ name: 'sso', lastLoginAt: expect.any(String) })
      const stranger = await signIn({ sub: 'stranger', oid: 'object-stranger', email: 'sso@example.com' }, to)
      expect(stranger).toContain('Another person already signs in as sso@example.com')
    })
  })
})
