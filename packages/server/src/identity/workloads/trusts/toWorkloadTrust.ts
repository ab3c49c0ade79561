import type { WorkloadTrust } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdBy } from '../../../access/createdBy.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'

/** Converts a trust to its API form. */
export function toWorkloadTrust(trust: StoredWorkloadTrust): WorkloadTrust {
  const { _id, createdAt, updatedAt, key, name, issuer, audience, jwksUri, conditions, enabled, expiresAt } = trust
  const { _projects, role, permissions, _environments, maxLifetime } = trust.grants
  return {
    _id,
    createdAt,
    updatedAt,
    key,
    name,
    issuer,
    audience,
    conditions: [...conditions],
    grants: {
      projects: [..._projects],
      maxLifetime,
      // Requests grant no other roles and permissions.
      ...(omitUndefined({ role, scopes: permissions && [...permissions] }) as Pick<
        WorkloadTrust['grants'],
        'role' | 'scopes'
      >),
      ...(_environments === undefined ? {} : { environments: [..._environments] })
    },
    enabled,
    ...omitUndefined({ jwksUri, expiresAt }),
    _createdBy: createdBy(trust)
  }
}
