import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import {
  IssueTracker,
  IssueTrackerOrganization,
  IssueTrackerProject,
  ObservabilityIntegration,
  ObservabilityIntegrations
} from '../schema/integration.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

// Routes are tried in this order: a literal segment stands before the parameter that would take it.

const tag = 'Integrations'
const params = z.object({
  issue_tracker: IssueTracker,
  token: z.string().min(1).max(2048).meta({ description: 'The token of the connection.' })
})

/** A connection with an observability system, new or changed. */
export const updateObservabilityIntegration = defineOperation({
  ...writeAccess('organization:write:settings'),
  tag,
  id: 'updateObservabilityIntegration',
  summary: 'Connect an observability environment, or change how it is connected',
  method: 'POST',
  path: '/v1/integrations/observability',
  body: ObservabilityIntegration,
  status: 201
})

/** The connections with observability systems. */
export const getObservabilityIntegrations = defineOperation({
  ...readAccess('organization:read:settings'),
  tag,
  id: 'getObservabilityIntegrations',
  summary: 'Get the observability environments that are connected',
  description:
    'Tokens are masked, and so are the paths of addresses for callers without `organization:write:settings`.',
  method: 'GET',
  path: '/v1/integrations/observability',
  status: 200,
  response: ObservabilityIntegrations
})

/** The end of a connection with an observability system. */
export const deleteObservabilityIntegration = defineOperation({
  ...commandAccess('organization:write:settings', 404),
  tag,
  id: 'deleteObservabilityIntegration',
  summary: 'Disconnect an observability environment',
  method: 'DELETE',
  path: '/v1/integrations/observability/{observabilityEnvironmentId}',
  params: ObservabilityIntegration.pick({ observabilityEnvironmentId: true }),
  status: 200
})

/** An organization's connection with an issue tracker, new or changed. */
export const connectIssueTrackerOrganization = defineOperation({
  ...writeAccess('organization:write:settings', 409),
  tag,
  id: 'connectIssueTrackerOrganization',
  summary: 'Connect the organization with an issue tracker, or change how it is connected',
  description:
    'Beyond the specification, which can only disconnect. Projects without a connection of their own use it.',
  method: 'PUT',
  path: '/v1/integrations/{issue_tracker}/organization/{token}',
  params,
  body: IssueTrackerOrganization,
  status: 200
})

/** A project's connection with an issue tracker, new or changed. */
export const connectIssueTrackerProject = defineOperation({
  ...writeAccess('organization:write:settings', 404, 409),
  tag,
  id: 'connectIssueTrackerProject',
  summary: 'Connect a project with an issue tracker, or change how it is connected',
  description: 'Beyond the specification, which can only disconnect.',
  method: 'PUT',
  path: '/v1/integrations/{issue_tracker}/project/{token}',
  params,
  body: IssueTrackerProject,
  status: 200
})

/** The end of an organization's connection with an issue tracker. */
export const deleteIssueTrackerOrganization = defineOperation({
  ...commandAccess('organization:write:settings', 404),
  tag,
  id: 'deleteIssueTrackerOrganization',
  summary: 'Disconnect the organization from an issue tracker',
  description: 'The connections of its projects stay.',
  method: 'DELETE',
  path: '/v1/integrations/{issue_tracker}/organization/{token}',
  params,
  status: 200
})

/** The end of a project's connection with an issue tracker. */
export const deleteIssueTrackerProject = defineOperation({
  ...commandAccess('organization:write:settings', 404),
  tag,
  id: 'deleteIssueTrackerProject',
  summary: 'Disconnect a project from an issue tracker',
  method: 'DELETE',
  path: '/v1/integrations/{issue_tracker}/project/{token}',
  params,
  status: 200
})

/** The end of a connection with an issue tracker, whosever it is. */
export const deleteIssueTracker = defineOperation({
  ...commandAccess('organization:write:settings', 404),
  tag,
  id: 'deleteIssueTracker',
  summary: 'Disconnect the organization or a project from an issue tracker',
  description: 'Say which of the two: with `deleteIssueTrackerOrganization` or `deleteIssueTrackerProject`.',
  method: 'DELETE',
  path: '/v1/integrations/{issue_tracker}/{token}',
  params,
  status: 200,
  isDeprecated: true
})
