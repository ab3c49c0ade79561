import type { StoredEdgeUser } from '../../../src/storage/resources/applicationUser.ts'
import type { StoredVariable } from '../../../src/storage/resources/feature.ts'
import type { StoredAuditEntry } from '../../../src/storage/resources/history.ts'
import type { StoredProject } from '../../../src/storage/resources/project.ts'

const off = { enabled: false }

const settings: StoredProject['settings'] = {
  edgeDB: { enabled: true },
  optIn: off,
  sdkTypeVisibility: { enabledInFeatureSettings: false },
  lifeCycle: { disableCodeRefChecks: false },
  obfuscation: { enabled: false, required: false },
  disablePassthroughRollouts: false,
  observability: { enabled: false, environmentMap: {} },
  featureApprovalWorkflow: { enabled: false, allowPublisherBypass: false, defaultReviewers: [] },
  staleness: {
    enabled: false,
    released: off,
    unmodifiedLong: off,
    unmodifiedShort: off,
    unused: off,
    email: { enabled: false, frequency: 'weekly', users: [] }
  }
}

let count = 0

/** Returns a well-formed id that encodes a number. */
export function testId(number: number): string {
  return number.toString(16).padStart(24, '0')
}

/** Returns a project with a new id and key and the given members. */
export function testProject(members: Partial<StoredProject> = {}): StoredProject {
  return {
    ...stored(),
    name: 'A project',
    _organization: 'organization',
    settings,
    ...members
  }
}

/** Returns a variable with a new id and key and the given members. */
export function testVariable(members: Partial<StoredVariable> = {}): StoredVariable {
  const common = { source: 'api', type: 'Boolean', status: 'active', tags: [] } as const
  return { ...stored(), _project: testId(1), name: 'A variable', ...common, ...members }
}

/** Returns an audit entry with a new id and the given members. */
export function testAuditEntry(members: Partial<StoredAuditEntry> = {}): StoredAuditEntry {
  const { key, ...rest } = stored()
  const common = { _organization: 'organization', _environments: [], changes: [] }
  return { ...rest, _project: testId(1), idp_user: key, ...common, ...members }
}

/** Returns an edge user with a new id and the given members. */
export function testEdgeUser(members: Partial<StoredEdgeUser> = {}): StoredEdgeUser {
  const { key, ...rest } = stored()
  return { ...rest, _project: testId(1), user_id: key, ...members }
}

/** Returns the members that every stored item has, with a new id and key. */
export function stored() {
  count++
  const createdAt = '2026-11-20T10:00:00.000Z'
  // Does not collide with the ids that tests choose.
  return { _id: testId(0x1000000 + count), key: `key-${count}`, createdAt, updatedAt: createdAt }
}
