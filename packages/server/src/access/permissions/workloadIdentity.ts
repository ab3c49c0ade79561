import { type Permission, permissions } from '@burgee/contract'
import type { Workload } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { StoredWorkloadTrust } from '../../storage/resources/workload.ts'
import { isExpired } from '../restrictions/expiry.ts'
import { createAccess } from './access.ts'
import type { Identity } from './caller.ts'

/** Formats the subject of the workloads of a trust, as used in tokens, audit entries and `_createdBy`. */
export function formatWorkloadSubject({ key }: Pick<StoredWorkloadTrust, 'key'>): string {
  return `${WORKLOADS}${key}`
}

/** Parses the subject of workloads: the key of their trust. Returns undefined for other subjects. */
export function parseWorkloadSubject(subject: string): string | undefined {
  return subject.startsWith(WORKLOADS) ? subject.slice(WORKLOADS.length) : undefined
}

const WORKLOADS = 'ci:'

/**
 * The identity of a workload of a trust. Roles apply as in the permission mode `full`, in the trust's projects only.
 */
export function toWorkloadIdentity(trust: StoredWorkloadTrust, workload?: Workload): Identity {
  const { name, grants, _organization } = trust
  const { _projects, role = 'project_admin', _environments } = grants
  const access = createAccess({
    grants: _projects.map((_project) => ({ role, _project })),
    mode: 'full',
    extendsToProjects: false,
    limit: permissionLimit(grants)
  })
  return {
    id: formatWorkloadSubject(trust),
    name,
    organization: _organization,
    actor: 'workload',
    ...omitUndefined({ workload }),
    isLimited: true,
    access: _environments === undefined ? access : { ...access, environments: new Set(_environments) }
  }
}

/** Whether a trust is enabled and has not expired, so that its tokens are issued and accepted. */
export function isTrustActive(trust: StoredWorkloadTrust, now: number): boolean {
  return trust.enabled && !isExpired(trust, now)
}

/** Returns the permissions to which a trust is limited, in addition to the limits of its role. */
function permissionLimit({ permissions: given = permissions, _environments }: StoredWorkloadTrust['grants']) {
  return new Set(
    _environments === undefined ? given : given.filter((permission) => environmentPermissions.includes(permission))
  )
}

/** The permissions for reading, and for changes of one environment. The others affect all environments. */
const environmentPermissions: readonly Permission[] = [
  'organization:read:settings',
  'organization:read:members',
  'project:read',
  'project:read:overrides',
  'environment:read',
  'environment:write',
  'feature:read',
  'feature:write',
  'feature:publish',
  'variation:read',
  'variable:read',
  'audience:read'
]
