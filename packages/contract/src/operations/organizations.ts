import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { AuditLogEntry, AuditVerification, ChainedAuditEntry } from '../schema/audit.ts'
import { Reference, Sha256 } from '../schema/fields.ts'
import {
  Member,
  Organization,
  OrganizationSettings,
  SigningKey,
  UpdateOrganizationSettings
} from '../schema/organization.ts'
import { Pagination } from '../schema/pagination.ts'
import { getFeatureAudit } from './audit.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Organizations'

/** The organizations of the caller. */
export const listOrganizations = defineOperation({
  ...readAccess('organization:read:settings'),
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
export const listMembers = defineOperation({
  ...readAccess('organization:read:members'),
  tag,
  id: 'listMembers',
  summary: 'List the members of the organization',
  description: 'Beyond the specification: command-line tools ask for it.',
  method: 'GET',
  path: '/v1/organizations/current/members',
  query: Pagination.pick({ page: true, perPage: true }),
  status: 200,
  response: z.array(Member),
  responseKind: 'list'
})

/** What happened to anything, and who did it. */
export const listAuditEntries = defineOperation({
  ...readAccess('organization:read:settings', 404),
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
  responseKind: 'list'
})

/** Whether the log is as it was written. */
export const verifyAudit = defineOperation({
  ...readAccess('organization:write:settings'),
  tag,
  id: 'verifyAudit',
  summary: 'Check that nobody has tampered with the audit log',
  description:
    'Beyond the specification: every entry carries the hash of the one before it. Names the first entry that is not as it was written.',
  method: 'GET',
  path: '/v1/organizations/current/audit/verification',
  query: z.object({
    head: Sha256.optional().meta({ description: 'A `head` from before: the log has to have an entry with this hash.' })
  }),
  status: 200,
  response: AuditVerification
})

/** The whole log, for keeping elsewhere. */
export const exportAudit = defineOperation({
  ...readAccess('organization:write:settings'),
  tag,
  id: 'exportAudit',
  summary: 'Export the audit log',
  description:
    'Beyond the specification: every entry of the organization with its hash, the oldest first, one JSON object to a line.',
  method: 'GET',
  path: '/v1/organizations/current/audit/export',
  status: 200,
  response: z.array(ChainedAuditEntry),
  responseKind: 'lines'
})

/** Who may do what. */
export const getOrganizationSettings = defineOperation({
  ...readAccess('organization:read:settings'),
  tag,
  id: 'getOrganizationSettings',
  summary: 'Get the settings of the organization',
  description: 'Beyond the specification.',
  method: 'GET',
  path: '/v1/organizations/current/settings',
  status: 200,
  response: OrganizationSettings
})

/** Who may do what from now on. */
export const updateOrganizationSettings = defineOperation({
  ...writeAccess('organization:write:settings', 404, 412),
  tag,
  id: 'updateOrganizationSettings',
  summary: 'Change the settings of the organization',
  description:
    'Beyond the specification. Members that are not given stay as they are. Answers 412 when the caller could not change them back.',
  method: 'PATCH',
  path: '/v1/organizations/current/settings',
  body: UpdateOrganizationSettings,
  status: 200,
  response: OrganizationSettings
})

/** A new key to sign with. */
export const rotateSigningKey = defineOperation({
  ...commandAccess('organization:write:settings'),
  tag,
  id: 'rotateSigningKey',
  summary: 'Sign access tokens with a new key',
  description:
    'Beyond the specification. Tokens that the key before has signed hold until they expire. Answers all keys that verify, the newest first.',
  method: 'POST',
  path: '/v1/organizations/current/signing-keys',
  status: 201,
  response: z.array(SigningKey)
})
