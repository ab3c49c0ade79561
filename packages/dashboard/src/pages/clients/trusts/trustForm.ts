import type { Role } from '@burgee/contract'
import { roles } from '@burgee/contract/access'
import type { ClaimCondition, CreateWorkloadTrust, UpdateWorkloadTrust, WorkloadTrust } from '@burgee/contract/schemas'
import { isOrganizationRole, roleTitles } from '../../../components/access/accessWords.ts'
import { fromLocalTime, toLocalTime } from '../../../components/keys/restrictions.ts'

type TrustRole = NonNullable<CreateWorkloadTrust['grants']['role']>

/** A condition as it is typed: the values of `oneOf` stand on lines. */
export interface TypedCondition {
  readonly claim: string
  readonly op: ClaimCondition['op']
  readonly text: string
}

/** A trust as its form shows it. */
export interface TrustForm {
  readonly name: string
  readonly key: string
  readonly issuer: string
  readonly audience: string
  readonly conditions: readonly TypedCondition[]
  readonly projects: readonly string[]
  readonly environments: readonly string[]
  /** Empty where the trust grants single permissions, which the API manages. */
  readonly role: TrustRole | ''
  readonly minutes: string
  readonly expiry: string
}

/** The roles that a trust can grant. */
export const trustRoles = roles
  .filter((role): role is TrustRole => !isOrganizationRole(role satisfies Role))
  .map((value) => ({ value, label: roleTitles[value] }))

/** CI systems with their issuer, and the claim that names a repository there. */
export const platforms = {
  github: {
    label: 'GitHub Actions',
    issuer: 'https://token.actions.githubusercontent.com',
    claims: ['repository_id', 'ref']
  },
  gitlab: { label: 'GitLab CI', issuer: 'https://gitlab.com', claims: ['project_id', 'ref'] }
} as const

/** A new trust in a CI system. */
export function newTrust(platform: keyof typeof platforms, audience: string): TrustForm {
  const { issuer, claims } = platforms[platform]
  return {
    name: '',
    key: '',
    issuer,
    audience,
    conditions: claims.map((claim) => ({ claim, op: 'equals', text: '' })),
    projects: [],
    environments: [],
    role: 'publisher',
    minutes: '15',
    expiry: ''
  }
}

/** What the form shows of a trust. */
export function toTrustForm(trust: WorkloadTrust): TrustForm {
  const { name, key, issuer, audience, conditions, grants, expiresAt } = trust
  return {
    name,
    key,
    issuer,
    audience,
    conditions: conditions.map(({ claim, op, value }) => ({ claim, op, text: [value].flat().join('\n') })),
    projects: grants.projects,
    environments: grants.environments ?? [],
    role: grants.role ?? '',
    minutes: String(grants.maxLifetime / 60),
    expiry: expiresAt === undefined ? '' : toLocalTime(expiresAt)
  }
}

/** The body that creates a trust. */
export function toNewTrust(form: TrustForm): CreateWorkloadTrust {
  return {
    key: form.key.trim(),
    ...toMembers(form),
    ...(form.expiry === '' ? {} : { expiresAt: fromLocalTime(form.expiry) })
  }
}

/** The update that the form asks for; `undefined` if nothing is changed. */
export function trustChanges(trust: WorkloadTrust, form: TrustForm): UpdateWorkloadTrust | undefined {
  const before = toTrustForm(trust)
  const [old, next] = [toMembers(before), toMembers(form)]
  const names = ['name', 'issuer', 'audience', 'conditions', 'grants'] as const
  const changed = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]))
  const changes: UpdateWorkloadTrust = {
    ...Object.fromEntries(changed.map((name) => [name, next[name]])),
    ...(form.expiry === before.expiry ? {} : { expiresAt: form.expiry === '' ? null : fromLocalTime(form.expiry) })
  }
  return Object.keys(changes).length === 0 ? undefined : changes
}

/** Whether an update ends the tokens of a trust: every one but of its name. */
export function endsTrustTokens(changes: UpdateWorkloadTrust): boolean {
  return Object.keys(changes).some((name) => name !== 'name')
}

function toMembers({ role, environments, minutes, ...form }: TrustForm) {
  return {
    name: form.name.trim(),
    issuer: form.issuer.trim(),
    audience: form.audience.trim(),
    conditions: form.conditions.map(toCondition),
    grants: {
      projects: [...form.projects],
      ...(role === '' ? {} : { role }),
      ...(environments.length === 0 ? {} : { environments: [...environments] }),
      maxLifetime: Math.round(Number(minutes) * 60)
    }
  }
}

function toCondition({ claim, op, text }: TypedCondition): ClaimCondition {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return op === 'oneOf' ? { claim: claim.trim(), op, value: lines } : { claim: claim.trim(), op, value: text.trim() }
}

/** A condition in words, for example "ref is refs/heads/main". */
export function describeCondition({ claim, op, value }: ClaimCondition): string {
  const words = { equals: 'is', oneOf: 'is one of', glob: 'matches' } as const
  return `${claim} ${words[op]} ${[value].flat().join(', ')}`
}
