import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { IdReference, Sha256 } from '../../schema/common/fields.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { EnvironmentReference, FeatureReference, ProjectReference } from '../../schema/common/references.ts'
import {
  Actor,
  AuditLogChange,
  AuditLogEntry,
  AuditVerification,
  ChainedAuditEntry
} from '../../schema/organizations/audit.ts'
import {
  Member,
  Organization,
  OrganizationSettings,
  SigningKey,
  UpdateOrganizationSettings
} from '../../schema/organizations/organization.ts'
import { getFeatureAudit } from '../features/audit.ts'
import { accessWithBody, accessWithoutBody } from '../operationAccess.ts'

const tag = 'Organizations'

/** The longest text to search for, in characters. */
const MAX_SEARCH_LENGTH = 200

/** List organizations. */
export const listOrganizations = defineOperation({
  ...accessWithoutBody('organization:read:settings'),
  tag,
  id: 'listOrganizations',
  summary: 'List organizations',
  method: 'GET',
  path: '/v1/organizations',
  status: 200,
  response: z.array(Organization)
})

/** List members. */
export const listMembers = defineOperation({
  ...accessWithoutBody('organization:read:members'),
  tag,
  id: 'listMembers',
  summary: 'List the members of the organization',
  method: 'GET',
  path: '/v1/organizations/current/members',
  query: Pagination.pick({ page: true, perPage: true }),
  status: 200,
  response: z.array(Member),
  responseKind: 'list'
})

/** List audit entries. */
export const listAuditEntries = defineOperation({
  ...accessWithoutBody('organization:read:settings', 404),
  tag,
  id: 'listAuditEntries',
  summary: 'List audit entries',
  description: 'All changes in the organization. A request that changes several features has one entry per feature.',
  method: 'GET',
  path: '/v1/organizations/current/audit',
  query: getFeatureAudit.query.extend({
    project: ProjectReference.optional().meta({ description: 'Entries about this project. Its key or id.' }),
    feature: FeatureReference.optional().meta({
      description: 'Entries about this feature. Its key or id; needs `project`.'
    }),
    environment: EnvironmentReference.optional().meta({
      description: 'Entries about this environment. Its key or id; needs `project`.'
    }),
    type: AuditLogChange.shape.type.optional().meta({ description: 'Entries with a change of this type.' }),
    actor: Actor.optional().meta({ description: 'Entries by actors of this kind.' }),
    search: z.string().min(3).max(MAX_SEARCH_LENGTH).optional().meta({
      description:
        'Entries with this text, case-insensitive, in a changed value, in the user or client, or in the name or key of the feature. Values that the caller cannot see are not searched.'
    })
  }),
  accessLog: 'auditRead',
  status: 200,
  response: z.array(AuditLogEntry),
  responseKind: 'list'
})

/** Verify the audit log. */
export const verifyAudit = defineOperation({
  ...accessWithoutBody('organization:write:settings'),
  tag,
  id: 'verifyAudit',
  summary: 'Verify the audit log',
  description:
    'Every entry contains the hash of the entry before it. Returns the first entry that was changed or removed.',
  method: 'GET',
  path: '/v1/organizations/current/audit/verification',
  query: z.object({
    head: Sha256.optional().meta({
      description: 'A `head` from an earlier verification; the log must contain an entry with this hash.'
    })
  }),
  accessLog: 'auditRead',
  status: 200,
  response: AuditVerification
})

/** Export the audit log. */
export const exportAudit = defineOperation({
  ...accessWithoutBody('organization:write:settings'),
  tag,
  id: 'exportAudit',
  summary: 'Export the audit log',
  description: 'All entries of the organization with their hashes, oldest first, one JSON object per line.',
  method: 'GET',
  path: '/v1/organizations/current/audit/export',
  accessLog: 'export',
  status: 200,
  response: z.array(ChainedAuditEntry),
  responseKind: 'lines'
})

/** Get an audit entry. */
export const getAuditEntry = defineOperation({
  ...accessWithoutBody('organization:read:settings', 404),
  tag,
  id: 'getAuditEntry',
  summary: 'Get an audit entry',
  description: 'Returns 404 for an entry that the caller cannot list.',
  method: 'GET',
  path: '/v1/organizations/current/audit/{entry}',
  params: z.object({ entry: IdReference }),
  accessLog: 'auditRead',
  status: 200,
  response: AuditLogEntry
})

/** Get the settings of the organization. */
export const getOrganizationSettings = defineOperation({
  ...accessWithoutBody('organization:read:settings'),
  tag,
  id: 'getOrganizationSettings',
  summary: 'Get the settings of the organization',
  method: 'GET',
  path: '/v1/organizations/current/settings',
  status: 200,
  response: OrganizationSettings
})

/** Update the settings of the organization. */
export const updateOrganizationSettings = defineOperation({
  ...accessWithBody('organization:write:settings', 404, 409, 412),
  tag,
  id: 'updateOrganizationSettings',
  summary: 'Update the settings of the organization',
  description:
    'Omitted members keep their values. Returns 412 if the caller could not undo the change, and 409 if no user with `organization:write:settings` would remain, except when `flat` mode ends.',
  method: 'PATCH',
  path: '/v1/organizations/current/settings',
  body: UpdateOrganizationSettings,
  status: 200,
  response: OrganizationSettings
})

/** Rotate the signing key. */
export const rotateSigningKey = defineOperation({
  ...accessWithoutBody('organization:write:settings'),
  tag,
  id: 'rotateSigningKey',
  summary: 'Rotate the signing key',
  description:
    'New access tokens are signed with a new key. Tokens signed with the previous key stay valid until they expire, unless `now` ends them. Returns all keys that verify tokens, newest first.',
  method: 'POST',
  path: '/v1/organizations/current/signing-keys',
  query: z.object({
    now: z.stringbool().optional().meta({
      description:
        'Whether to invalidate all previous keys immediately, for example after a leak. This ends access tokens, event stream tokens and pending sign-ins, and browsers must sign in again. Refresh tokens stay valid. Default: false.'
    })
  }),
  status: 201,
  response: z.array(SigningKey)
})
