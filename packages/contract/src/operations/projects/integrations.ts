import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import {
  IssueTracker,
  IssueTrackerConnection,
  IssueTrackerOrganization,
  IssueTrackerProject,
  ObservabilityIntegration,
  ObservabilityIntegrations
} from '../../schema/projects/integration.ts'
import { accessWithBody, accessWithoutBody } from '../operationAccess.ts'

// Routes match in this order, so literal segments come before parameters in the same position.

const tag = 'Integrations'
const params = z.object({
  issue_tracker: IssueTracker,
  token: z
    .string()
    .min(1)
    .max(2048)
    .meta({ description: 'The token of the connection.', example: 'token-of-the-organization' })
})
const ofProject = params.extend({ token: params.shape.token.meta({ example: 'token-of-the-project' }) })

/** Connect an observability environment. */
export const updateObservabilityIntegration = defineOperation({
  ...accessWithBody('organization:write:settings'),
  tag,
  id: 'updateObservabilityIntegration',
  summary: 'Connect an observability environment',
  description: 'Creates or updates the connection.',
  method: 'POST',
  path: '/v1/integrations/observability',
  body: ObservabilityIntegration,
  status: 201
})

/** List connected observability environments. */
export const getObservabilityIntegrations = defineOperation({
  ...accessWithoutBody('organization:read:settings'),
  tag,
  id: 'getObservabilityIntegrations',
  summary: 'List connected observability environments',
  description: 'Tokens are masked. For callers without `organization:write:settings`, paths of URLs are masked too.',
  method: 'GET',
  path: '/v1/integrations/observability',
  status: 200,
  response: ObservabilityIntegrations
})

/** Disconnect an observability environment. */
export const deleteObservabilityIntegration = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'deleteObservabilityIntegration',
  summary: 'Disconnect an observability environment',
  method: 'DELETE',
  path: '/v1/integrations/observability/{observabilityEnvironmentId}',
  params: ObservabilityIntegration.pick({ observabilityEnvironmentId: true }),
  status: 200
})

/** List connections to issue trackers. */
export const listIssueTrackers = defineOperation({
  ...accessWithoutBody('organization:read:settings'),
  tag,
  id: 'listIssueTrackers',
  summary: 'List connections to issue trackers',
  description: 'Those of the organization, and of the projects that the caller can read. Tokens are masked.',
  method: 'GET',
  path: '/v1/integrations/issue-trackers',
  status: 200,
  response: z.array(IssueTrackerConnection)
})

/** Connect the organization to an issue tracker. */
export const connectIssueTrackerOrganization = defineOperation({
  ...accessWithBody('organization:write:settings', 409),
  tag,
  id: 'connectIssueTrackerOrganization',
  summary: 'Connect the organization to an issue tracker',
  description: 'Creates or updates the connection. Projects without a connection of their own use it.',
  method: 'PUT',
  path: '/v1/integrations/{issue_tracker}/organization/{token}',
  params,
  body: IssueTrackerOrganization,
  status: 200
})

/** Connect a project to an issue tracker. */
export const connectIssueTrackerProject = defineOperation({
  ...accessWithBody('organization:write:settings', 404, 409),
  tag,
  id: 'connectIssueTrackerProject',
  summary: 'Connect a project to an issue tracker',
  description: 'Creates or updates the connection.',
  method: 'PUT',
  path: '/v1/integrations/{issue_tracker}/project/{token}',
  params: ofProject,
  body: IssueTrackerProject,
  status: 200
})

/** Disconnect the organization from an issue tracker. */
export const deleteIssueTrackerOrganization = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'deleteIssueTrackerOrganization',
  summary: 'Disconnect the organization from an issue tracker',
  description: 'Connections of projects are kept.',
  method: 'DELETE',
  path: '/v1/integrations/{issue_tracker}/organization/{token}',
  params,
  status: 200
})

/** Disconnect a project from an issue tracker. */
export const deleteIssueTrackerProject = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'deleteIssueTrackerProject',
  summary: 'Disconnect a project from an issue tracker',
  method: 'DELETE',
  path: '/v1/integrations/{issue_tracker}/project/{token}',
  params: ofProject,
  status: 200
})

/** Disconnect the organization or a project from an issue tracker. */
export const deleteIssueTracker = defineOperation({
  ...accessWithoutBody('organization:write:settings', 404),
  tag,
  id: 'deleteIssueTracker',
  summary: 'Disconnect the organization or a project from an issue tracker',
  description: 'Use `deleteIssueTrackerOrganization` or `deleteIssueTrackerProject` instead.',
  method: 'DELETE',
  path: '/v1/integrations/{issue_tracker}/{token}',
  params,
  status: 200,
  isDeprecated: true
})
