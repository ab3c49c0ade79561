import type { Operations } from '@burgee/contract'
import { type ApiResponse, type Call, call, type TestServer } from '@burgee/testing/harness'
import { expect } from 'vitest'
import { serving } from '../features.ts'

/** An item that a request can name by its key or its id. */
export interface Named {
  readonly key: string
  readonly id: string
}

/** All items of a tenant in a project and in its organization. The mark is part of every name in it. */
export interface Tenant {
  readonly mark: string
  readonly token: string
  readonly project: Named
  readonly feature: Named
  readonly environment: Named
  readonly variable: Named
  readonly variation: Named
  readonly audience: Named
  readonly customProperty: Named
  readonly metric: Named
  readonly webhook: Named
  readonly changeRequest: Named
  readonly projectChangeRequest: Named
  readonly entry: Named
  readonly sdkKey: Named
  readonly issue: Named
  readonly tracker: Named
  readonly observability: Named
  readonly user: Named
  readonly client: Named
  readonly trust: Named
}

/** Creates one item of each kind, with a token that has full access to its organization. */
export async function createTenant(server: TestServer, mark: string, token: string): Promise<Tenant> {
  const ask = async (id: keyof Operations, given: Call): Promise<ApiResponse['body']> => {
    const { status, body } = await call(server, id, { ...given, key: token })
    expect([id, [200, 201].includes(status), body?.message]).toEqual([id, true, undefined])
    return body
  }
  const named = ({ key, _id }: ApiResponse['body']): Named => ({ key, id: _id })
  const project = `${mark}-project`
  const params = { project }
  const ofFeature = { project, feature: `${mark}-feature` }
  const name = `The ${mark}`
  const all = { operator: 'and', filters: [{ type: 'all' }] }
  const made = await ask('createProject', { body: { key: project, name } })
  const environment = await ask('createEnvironment', { params, body: { key: `${mark}-place`, name, type: 'staging' } })
  const audience = await ask('createAudience', { params, body: { key: `${mark}-people`, name, filters: all } })
  const feature = await ask('createFeature', {
    params,
    body: {
      key: ofFeature.feature,
      name,
      variables: [{ key: `${mark}-variable`, type: 'Boolean' }],
      variations: [{ key: `${mark}-on`, name }],
      configurations: { [`${mark}-place`]: { status: 'active', targets: [serving(`${mark}-on`)] } }
    }
  })
  const property = { key: `${mark}-property`, name, type: 'String', propertyKey: `${mark}Property` }
  const customProperty = await ask('createCustomProperty', { params, body: property })
  const metric = await ask('createMetric', {
    params,
    body: { key: `${mark}-metric`, name, event: `${mark}-event`, dimension: 'TOTAL_SUM', optimize: 'increase' }
  })
  await ask('createMetricAssociation', { params, body: { metric: metric.key, feature: feature.key } })
  const hook = { name, url: `https://${mark}.invalid/`, events: ['createdFeature'] }
  const webhook = await ask('createWebhook', { params, body: hook })
  await ask('updateUserProfile', { params, body: { svcUserId: `${mark}-user` } })
  const override = { environment: environment.key, variation: `${mark}-on` }
  await ask('updateFeatureOverride', { params: ofFeature, body: override })
  const issue = { ...ofFeature, issue_tracker: 'jira' }
  await ask('linkIssue', { params: issue, body: { issueId: `${mark}-1` } })
  const tracker = { issue_tracker: 'jira', token: `${mark}-tracker-token` }
  await ask('connectIssueTrackerOrganization', { params: tracker, body: { baseUrl: `https://${mark}.example.com` } })
  const connection = { accessToken: `${mark}-access-token`, environmentUrl: `https://${mark}.invalid` }
  const observability = { observabilityEnvironmentId: `${mark}-observed`, ...connection }
  await ask('updateObservabilityIntegration', { body: observability })
  const user = await ask('createUser', { body: { email: `${mark}@example.com`, name } })
  const client = await ask('createApiClient', { body: { name, clientId: `${mark}-client`, roles: [] } })
  const trust = await ask('createWorkloadTrust', {
    body: {
      key: `${mark}-trust`,
      name,
      issuer: 'https://ci.example.com',
      audience: 'https://flags.example.com',
      conditions: [{ claim: 'repository_id', op: 'equals', value: '1' }],
      grants: { projects: [project], role: 'viewer' }
    }
  })
  const approving = { featureApprovalWorkflow: { enabled: true, allowPublisherBypass: true }, staleness: {} }
  await ask('updateProtectedSettings', { params: { key: project }, body: { settings: approving } })
  const change = {
    path: `/v2/projects/${project}/features/${feature.key}`,
    method: 'PATCH',
    body: { name: `New ${mark}` }
  }
  const request = await ask('createChangeRequest', { params: ofFeature, body: change })
  const asked = { ...ofFeature, id: request._id }
  await ask('submitChangeRequest', { params: asked, body: { description: name, reviewers: [] } })
  await ask('cancelChangeRequest', { params: asked })
  const rename = { path: `/v1/projects/${project}`, method: 'PATCH', body: { name: `New ${mark}` } }
  const requestOfProject = await ask('createProjectChangeRequest', { params, body: rename })
  const [entry] = await ask('getFeatureAudit', { params: ofFeature })
  const [variation] = feature.variations
  const [variable] = feature.variables
  const same = (key: string): Named => ({ key, id: key })
  return {
    mark,
    token,
    project: named(made),
    feature: named(feature),
    environment: named(environment),
    variable: named(variable),
    variation: named(variation),
    audience: named(audience),
    customProperty: named(customProperty),
    metric: named(metric),
    webhook: same(webhook._id),
    changeRequest: same(request._id),
    projectChangeRequest: same(requestOfProject._id),
    entry: same(entry._id),
    sdkKey: same(environment.sdkKeys.server[0].key),
    issue: same(`${mark}-1`),
    tracker: same(tracker.token),
    observability: same(observability.observabilityEnvironmentId),
    user: { key: user.email, id: user._id },
    client: { key: client.clientId, id: client._id },
    trust: named(trust)
  }
}
