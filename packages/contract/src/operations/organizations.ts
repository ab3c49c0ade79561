import { z } from 'zod'
import { operation } from '../operation.ts'
import { AuditLogEntry } from '../schema/audit.ts'
import { Reference } from '../schema/fields.ts'
import { Member, Organization } from '../schema/organization.ts'
import { Pagination } from '../schema/pagination.ts'
import { allowing } from './allowing.ts'
import { getFeatureAudit } from './audit.ts'

const tag = 'Organizations'

/** The organizations of the caller. */
export const listOrganizations = operation({
  ...allowing('organization:read:settings'),
  tag,
  id: 'listOrganizations',
  summary: 'List the organizations of the caller',
  description: 'Beyond the specification: command-line tools ask for it.',
  method: 'GET',
  path: '/v1/organizations',
  status: 200,
  response: z.array(Organization)
})

/** The members of the caller's organization. */
export const listMembers = operation({
  ...allowing('organization:read:members'),
  tag,
  id: 'listMembers',
  summary: 'List the members of the organization',
  description: 'Beyond the specification: command-line tools ask for it.',
  method: 'GET',
  path: '/v1/organizations/current/members',
  query: Pagination.pick({ page: true, perPage: true }),
  status: 200,
  response: z.array(Member),
  isList: true
})

/** What happened to anything, and who did it. */
export const listAuditEntries = operation({
  ...allowing('organization:read:settings', 404),
  tag,
  id: 'listAuditEntries',
  summary: 'List the changes of the organization and everything in it',
  description:
    'Beyond the specification: what changed, and who changed it, the newest first. A request that changes several features leaves an entry for each of them.',
  method: 'GET',
  path: '/v1/organizations/current/audit',
  query: getFeatureAudit.query.extend({
    project: Reference.optional().meta({ description: 'Keeps what is about this project, by key or id.' }),
    feature: Reference.optional().meta({
      description: 'Keeps what is about this feature, by key or id; takes `project` too.'
    }),
    environment: Reference.optional().meta({
      description: 'Keeps what is about this environment, by key or id; takes `project` too.'
    })
  }),
  status: 200,
  response: z.array(AuditLogEntry),
  isList: true
})
