import { addClients, serveLimited, tokenFor } from '@burgee/testing/apiClients'
import { type ApiResponse, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { idOf, NOW } from '@burgee/testing/plan'
import { beforeEach, describe, expect, it, test } from 'vitest'

const accessToken = 'sample-token-that-nobody-may-see'
const integration = {
  observabilityEnvironmentId: 'abc12345',
  accessToken,
  environmentUrl: 'https://abc12345.example.com'
}
const jira = { issue_tracker: 'jira', token: 'a-token-of-the-tracker' }
const baseUrl = 'https://issues.example.com'

let server: TestServer

beforeEach(async () => {
  server = await serve({})
})

/** All changes in the audit log, newest first. */
async function changes(): Promise<object[]> {
  const { body } = await call(server, 'listAuditEntries')
  return body.flatMap((entry: { changes: object[] }) => entry.changes)
}

function later(minutes: number): void {
  server.clock.now = () => NOW + minutes * 60_000
}

describe('observability integrations', () => {
  const connect = (members: object = {}): Promise<ApiResponse> =>
    call(server, 'updateObservabilityIntegration', { body: { ...integration, ...members } })
  const read = async () => (await call(server, 'getObservabilityIntegrations')).body.environments
  const remove = (observabilityEnvironmentId: string): Promise<ApiResponse> =>
    call(server, 'deleteObservabilityIntegration', { params: { observabilityEnvironmentId } })

  it('are empty at first', async () => {
    expect(await read()).toEqual([])
  })

  it('can be connected, and are returned with masked tokens', async () => {
    const { status, body } = await connect()
    expect([status, body]).toEqual([201, undefined])
    expect(await read()).toEqual([{ ...integration, accessToken: '****-see', projects: [] }])
  })

  it('mask a short token completely', async () => {
    await connect({ accessToken: 'short' })
    expect((await read())[0].accessToken).toBe('****')
  })

  it('are replaced by connecting them again', async () => {
    await connect()
    later(1)
    await connect({ environmentUrl: 'https://other.example.com' })
    expect(await read()).toMatchObject([{ environmentUrl: 'https://other.example.com', accessToken: '****-see' }])
    expect(await changes()).toEqual([
      {
        type: 'modifiedObservabilityIntegration',
        newContents: { environmentUrl: 'https://other.example.com' },
        previousContents: { environmentUrl: integration.environmentUrl },
        metadata: { _id: expect.any(String) }
      },
      expect.objectContaining({ type: 'createdObservabilityIntegration', previousContents: null })
    ])
  })

  it('keep their tokens out of the audit log and the logs', async () => {
    await connect()
    later(1)
    await connect({ accessToken: `new-${accessToken}` })
    later(2)
    await remove(integration.observabilityEnvironmentId)
    const logged = await changes()
    expect(logged).toHaveLength(3)
    expect(logged[1]).toMatchObject({
      type: 'modifiedObservabilityIntegration',
      newContents: { observabilityEnvironmentId: 'abc12345', accessToken: '****-see' }
    })
    expect(JSON.stringify(logged)).not.toContain(accessToken)
    expect(server.logs.join()).not.toContain(accessToken)
  })

  it('keep the path of their URLs, which may be secret, out of the audit log', async () => {
    await connect({ environmentUrl: 'https://example.com/e/s3cr3t-one' })
    later(1)
    await connect({ environmentUrl: 'https://example.com/e/s3cr3t-two' })
    later(2)
    await remove(integration.observabilityEnvironmentId)
    const logged = await changes()
    const masked = 'https://example.com/****'
    expect(logged).toMatchObject([
      { previousContents: { environmentUrl: masked } },
      { newContents: { environmentUrl: masked }, previousContents: { environmentUrl: masked } },
      { newContents: { environmentUrl: masked } }
    ])
    expect(JSON.stringify(logged)).not.toContain('s3cr3t')
  })

  it('refuse a masked URL', async () => {
    await connect({ environmentUrl: 'https://example.com/e/s3cr3t' })
    const { status, body } = await connect({ environmentUrl: 'https://example.com/****' })
    const message = 'environmentUrl should be the complete URL, got one with masked secrets'
    expect([status, body.message]).toEqual([400, [message]])
    expect(await read()).toMatchObject([{ environmentUrl: 'https://example.com/e/s3cr3t' }])
  })

  it('name the projects that report to them', async () => {
    await connect()
    await connect({ observabilityEnvironmentId: 'unused' })
    const settings = { observability: { environmentMap: { production: 'abc12345' } } }
    const { body: project } = await call(server, 'updateProject', { params: { key: 'shop' }, body: { settings } })
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    const projects = Object.fromEntries(
      (await read()).map(
        ({ observabilityEnvironmentId: id, projects }: { observabilityEnvironmentId: string; projects: object[] }) => [
          id,
          projects
        ]
      )
    )
    expect(projects).toEqual({ abc12345: [project], unused: [] })
  })

  it('can be disconnected', async () => {
    await connect()
    await connect({ observabilityEnvironmentId: 'other' })
    const { status, body } = await remove('abc12345')
    expect([status, body]).toEqual([200, undefined])
    expect(await read()).toMatchObject([{ observabilityEnvironmentId: 'other' }])
  })

  it('return 404 when they are not connected', async () => {
    const { status, body } = await remove('nope')
    expect([status, body.message]).toEqual([404, expect.stringContaining("Item with key 'nope' not found")])
  })

  test.each([
    [{ observabilityEnvironmentId: '' }, 'observabilityEnvironmentId should not be empty'],
    [{ accessToken: undefined }, 'accessToken should be a string, got nothing'],
    [{ environmentUrl: 'ftp://example.com' }, 'environmentUrl should be an http or https URL'],
    [{ projects: [] }, 'property projects should not exist']
  ])('%j is refused', async (members, message) => {
    const answer = await connect(members)
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toContain(message)
    expect(await read()).toEqual([])
    expect(await changes()).toEqual([])
  })
})

describe('issue trackers', () => {
  const ofOrganization = (body: object = { baseUrl }, params: object = {}): Promise<ApiResponse> =>
    call(server, 'connectIssueTrackerOrganization', { params: { ...jira, ...params }, body })
  const ofProject = (body: object = { baseUrl, project: 'shop' }, params: object = {}): Promise<ApiResponse> =>
    call(server, 'connectIssueTrackerProject', { params: { ...jira, ...params }, body })
  const shop = async () => {
    const { body } = await call(server, 'getProject', { params: { key: 'shop' } })
    return [body.hasIssueTrackerIntegration, body.issueTrackerBaseUrl]
  }
  const remove = (operation: Removal, params: object = jira): Promise<ApiResponse> =>
    call(server, operation, { params: { ...jira, ...params } })

  type Removal = 'deleteIssueTrackerOrganization' | 'deleteIssueTrackerProject' | 'deleteIssueTracker'

  it('of the organization apply to every project', async () => {
    expect(await shop()).toEqual([false, ''])
    const { status, body } = await ofOrganization()
    expect([status, body]).toEqual([200, undefined])
    expect(await shop()).toEqual([true, baseUrl])
  })

  test.each(['shop', idOf('shop')])('of a project override those of the organization: %s', async (project) => {
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    const other = async () => (await call(server, 'getProject', { params: { key: 'other' } })).body.issueTrackerBaseUrl
    expect((await ofProject({ baseUrl: 'https://own.example.com', project })).status).toBe(200)
    expect([await shop(), await other()]).toEqual([[true, 'https://own.example.com'], ''])
    await ofOrganization({ baseUrl }, { token: 'another-token-of-it' })
    expect([await shop(), await other()]).toEqual([[true, 'https://own.example.com'], baseUrl])
  })

  it('are replaced by connecting them again', async () => {
    await ofOrganization()
    await ofOrganization({ baseUrl: 'https://new.example.com' })
    expect(await shop()).toEqual([true, 'https://new.example.com'])
  })

  it('are listed with masked tokens, the oldest first', async () => {
    await ofOrganization()
    later(1)
    await ofProject({ baseUrl: 'https://own.example.com', project: 'shop' }, { token: 'the-token-of-the-shop' })
    const { status, body } = await call(server, 'listIssueTrackers')
    expect([status, body]).toEqual([
      200,
      [
        { issue_tracker: 'jira', token: '****cker', baseUrl },
        { issue_tracker: 'jira', token: '****shop', baseUrl: 'https://own.example.com', _project: idOf('shop') }
      ]
    ])
  })

  it('refuse a token that is connected already', async () => {
    await ofOrganization()
    const { status, body } = await ofProject()
    expect(status).toBe(409)
    expect(body.message).toBe(
      "Duplicate token '****cker': it already belongs to another jira connection; delete that one, or use another token"
    )
    expect((await ofProject({ baseUrl, project: 'shop' }, { issue_tracker: 'github' })).status).toBe(200)
    expect((await ofOrganization({ baseUrl }, { issue_tracker: 'github' })).status).toBe(409)
  })

  it('require an existing project', async () => {
    expect((await ofProject({ baseUrl, project: 'nope' })).status).toBe(404)
    expect(await shop()).toEqual([false, ''])
  })

  test.each([
    ['connectIssueTrackerOrganization', { baseUrl: 'nowhere' }, 'baseUrl should be an http or https URL'],
    [
      'connectIssueTrackerOrganization',
      { baseUrl: 'https://user:password@issues.example.com' },
      'baseUrl should not contain a user or a password'
    ],
    ['connectIssueTrackerOrganization', { baseUrl, project: 'shop' }, 'property project should not exist'],
    ['connectIssueTrackerProject', { baseUrl }, 'project should be a string, got nothing']
  ] as const)('%s refuses %j', async (operation, body, message) => {
    const answer = await call(server, operation, { params: jira, body })
    expect(answer.status).toBe(400)
    expect(answer.body.message.join()).toContain(message)
    expect(await shop()).toEqual([false, ''])
  })

  test.each(['deleteIssueTrackerOrganization', 'deleteIssueTracker'] as const)(
    'of the organization are disconnected by %s, and those of projects stay',
    async (operation) => {
      await ofOrganization()
      await ofProject({ baseUrl: 'https://own.example.com', project: 'shop' }, { token: 'another-token-of-it' })
      expect((await remove('deleteIssueTrackerProject')).status).toBe(404)
      const { status, body } = await remove(operation)
      expect([status, body]).toEqual([200, undefined])
      expect((await remove(operation)).status).toBe(404)
      expect(await shop()).toEqual([true, 'https://own.example.com'])
    }
  )

  test.each(['deleteIssueTrackerProject', 'deleteIssueTracker'] as const)(
    'of a project are disconnected by %s, and that of the organization stays',
    async (operation) => {
      await ofProject({ baseUrl: 'https://own.example.com', project: 'shop' })
      await ofOrganization({ baseUrl }, { token: 'another-token-of-it' })
      expect((await remove('deleteIssueTrackerOrganization')).status).toBe(404)
      expect((await remove(operation)).status).toBe(200)
      expect(await shop()).toEqual([true, baseUrl])
    }
  )

  test.each(['deleteIssueTrackerOrganization', 'deleteIssueTrackerProject', 'deleteIssueTracker'] as const)(
    '%s returns 404 for a missing connection, without repeating its token',
    async (operation) => {
      await ofOrganization()
      for (const params of [{ token: 'a-token-that-is-not-known' }, { issue_tracker: 'other' }]) {
        const { status, body } = await remove(operation, params)
        expect(status).toBe(404)
        expect(body.message).toMatch(
          /^Item with key '\*\*\*\*.{4}' not found: there is no issue tracker connection "\*{4}.{4}"$/
        )
      }
      expect(await shop()).toEqual([true, baseUrl])
    }
  )

  it('leave audit entries, in their project if there is one, without tokens', async () => {
    await ofOrganization()
    later(1)
    await ofOrganization({ baseUrl: 'https://new.example.com' })
    later(2)
    await ofProject({ baseUrl, project: 'shop' }, { token: 'another-token-of-it' })
    later(3)
    await remove('deleteIssueTracker')
    const { body: log } = await call(server, 'listAuditEntries')
    expect(
      log.map(({ _project, changes }: { _project?: string; changes: { type: string }[] }) => [
        _project,
        changes[0]!.type
      ])
    ).toEqual([
      [undefined, 'deletedIssueTracker'],
      [idOf('shop'), 'createdIssueTracker'],
      [undefined, 'modifiedIssueTracker'],
      [undefined, 'createdIssueTracker']
    ])
    for (const token of [jira.token, 'another-token-of-it']) {
      expect(JSON.stringify(log)).not.toContain(token)
      expect(server.logs.join()).not.toContain(token)
    }
  })
})

test('a connection takes callers who can read the projects whose changes go to it', async () => {
  const directory = await storeWith({})
  await addClients(directory, { owner: ['organization:read:settings', 'organization:write:settings'] })
  const shared = await serve(directory)
  const key = await tokenFor(shared, 'owner')
  const connect = (members: object = {}) =>
    call(shared, 'updateObservabilityIntegration', { key, body: { ...integration, ...members } })
  expect((await connect()).status).toBe(201)
  const settings = { observability: { environmentMap: { production: 'abc12345' } } }
  await call(shared, 'updateProject', { params: { key: 'shop' }, body: { settings } })
  const refused = await connect()
  expect([refused.status, refused.body.message]).toEqual([
    403,
    'connecting "abc12345" requires the permission feature:read in every project whose changes go to it'
  ])
  // Disconnecting it first does not help.
  const params = { observabilityEnvironmentId: 'abc12345' }
  expect((await call(shared, 'deleteObservabilityIntegration', { key, params })).status).toBe(200)
  expect((await connect()).status).toBe(403)
  expect((await connect({ observabilityEnvironmentId: 'other' })).status).toBe(201)
})

test('the URL of an integration is complete only for callers who may change it', async () => {
  const directory = await storeWith({})
  await addClients(directory, {
    reader: ['organization:read:settings'],
    writer: ['organization:read:settings', 'organization:write:settings']
  })
  const shared = await serve(directory)
  const environmentUrl = 'https://example.com/e/s3cr3t'
  await call(shared, 'updateObservabilityIntegration', { body: { ...integration, environmentUrl } })
  const read = async (clientId: string) => {
    const key = await tokenFor(shared, clientId)
    return (await call(shared, 'getObservabilityIntegrations', { key })).body.environments
  }
  expect(await read('reader')).toMatchObject([{ environmentUrl: 'https://example.com/****' }])
  expect(await read('writer')).toMatchObject([{ environmentUrl }])
})

test('changing integrations requires the permission to change the organization', async () => {
  const { server: limited, key } = await serveLimited({}, ['organization:read:settings', 'project:write:settings'])
  expect((await call(limited, 'getObservabilityIntegrations', { key })).status).toBe(200)
  const answers = [
    await call(limited, 'updateObservabilityIntegration', { key, body: integration }),
    await call(limited, 'connectIssueTrackerOrganization', { key, params: jira, body: { baseUrl } }),
    await call(limited, 'connectIssueTrackerProject', { key, params: jira, body: { baseUrl, project: 'shop' } }),
    await call(limited, 'deleteIssueTracker', { key, params: jira })
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
})

test('integrations belong to one organization', async () => {
  const permissions = ['organization:read:settings', 'organization:write:settings'] as const
  const { server: shared, key } = await serveLimited({}, permissions, 'org_other')
  await call(shared, 'updateObservabilityIntegration', { body: integration })
  await call(shared, 'connectIssueTrackerOrganization', { params: jira, body: { baseUrl } })
  expect((await call(shared, 'getObservabilityIntegrations', { key })).body).toEqual({ environments: [] })
  const { observabilityEnvironmentId } = integration
  const params = { observabilityEnvironmentId }
  expect((await call(shared, 'deleteObservabilityIntegration', { key, params })).status).toBe(404)
  expect((await call(shared, 'deleteIssueTracker', { key, params: jira })).status).toBe(404)
  const again = await call(shared, 'connectIssueTrackerOrganization', { key, params: jira, body: { baseUrl } })
  expect(again.status).toBe(409)
})
