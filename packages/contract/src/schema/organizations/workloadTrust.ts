import { z } from 'zod'
import { permissions } from '../../access/permission.ts'
import { permissionsOfRole, roles } from '../../access/role.ts'
import { discriminatedUnion } from '../common/discriminatedUnion.ts'
import { DateTime, Id, Name, NameInput, Reference, recordFields, UserReference } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { admin, createdAt, ids, timestamps } from '../examples/shop.ts'

/** The default lifetime of a token of a trust, in seconds. */
export const DEFAULT_WORKLOAD_TOKEN_LIFETIME = 900

/** The maximum lifetime of a token of a trust, in seconds. */
export const MAX_WORKLOAD_TOKEN_LIFETIME = 3600

/** The claims that name one repository or project. A trust has a condition on at least one of them. */
export const bindingClaims = ['repository_id', 'repository', 'project_id', 'project_path'] as const

/** The roles that a trust can grant: those of one project. */
const workloadRoles = roles.filter((role) => !role.startsWith('organization_'))

const projectPermissions = permissionsOfRole('project_admin', 'full')

/** The permissions that a trust can grant: those of a project admin. */
const workloadPermissions = permissions.filter((permission) => projectPermissions.has(permission))

const MAX_VALUE_LENGTH = 256

const Claim = z
  .string()
  .regex(/^[\w./:@-]{1,100}$/, 'should be the name of a claim: 1 to 100 letters, digits, "_", ".", "/", ":", "@", "-"')
  .meta({ description: 'The name of a claim of the subject token.' })

const Value = z.string().min(1).max(MAX_VALUE_LENGTH)

const Pattern = Value.refine(
  (text) => text.includes('*') && !text.includes('**') && /[\p{L}\p{N}]/u.test(text),
  'should contain "*", never "**", and a letter or digit'
).meta({ description: '`*` matches any characters except `/`.' })

/** A condition on a claim of a subject token. */
export const ClaimCondition = discriminatedUnion('op', [
  z.strictObject({ claim: Claim, op: z.literal('equals'), value: Value }),
  z.strictObject({ claim: Claim, op: z.literal('oneOf'), value: z.array(Value).min(1).max(50) }),
  z.strictObject({
    claim: Claim.refine((name) => name !== 'iss' && name !== 'aud', 'should not be iss or aud with the op glob'),
    op: z.literal('glob'),
    value: Pattern
  })
]).meta({
  id: 'ClaimCondition',
  description: 'A condition on a claim of the subject token. Booleans and numbers are compared as strings.',
  example: { claim: 'repository_id', op: 'equals', value: '70107786' }
})
export type ClaimCondition = z.infer<typeof ClaimCondition>

const Conditions = z
  .array(ClaimCondition)
  .min(1)
  .max(20)
  .refine(
    (conditions) => conditions.some(({ claim, op }) => op !== 'glob' && isBindingClaim(claim)),
    `should have a condition with the op equals or oneOf on ${bindingClaims.join(', ')}, which names the repository or project`
  )
  .meta({ description: 'All conditions must match. A missing claim matches no condition.' })

function isBindingClaim(claim: string): boolean {
  return bindingClaims.some((name) => name === claim)
}

const SECURE_URL = 'should be an https URL (http on a loopback address only) without query, fragment or user'

const SecureUrl = z.string().max(500).refine(isSecureUrl, SECURE_URL)

function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#\s]/.test(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}

const grantFields = {
  projects: z.array(Reference).min(1).max(100).meta({ description: 'Keys or ids of projects; responses contain ids.' }),
  role: z
    .enum(workloadRoles)
    .exactOptional()
    .meta({ description: 'The role in these projects. Alternative to `scopes`.' }),
  scopes: z.array(z.enum(workloadPermissions)).min(1).exactOptional().meta({
    description: 'The permissions in these projects. Alternative to `role`.'
  }),
  environments: z.array(Reference).min(1).max(100).exactOptional().meta({
    description:
      'Keys or ids of environments of these projects; responses have ids. If present, tokens can change only these environments and read only their SDK keys. Absent: all environments.'
  })
}

const MaxLifetime = z.int().min(60).max(MAX_WORKLOAD_TOKEN_LIFETIME)

const Grants = z
  .strictObject({
    ...grantFields,
    maxLifetime: MaxLifetime.exactOptional().meta({
      description: `The lifetime of tokens in seconds. Default: ${DEFAULT_WORKLOAD_TOKEN_LIFETIME}.`
    })
  })
  .refine(({ role, scopes }) => (role === undefined) !== (scopes === undefined), {
    path: ['role'],
    error: 'should be given, or scopes, and not both'
  })
  .meta({ id: 'WorkloadGrantsInput', example: { projects: ['demo'], role: 'publisher', environments: ['staging'] } })

/** The permissions of the tokens of a trust. */
export const WorkloadGrants = z
  .object({
    ...grantFields,
    projects: z.array(Reference).max(100).meta({
      description:
        'Ids of projects. Empty after all of them were deleted: tokens of the trust then have no permissions.'
    }),
    maxLifetime: MaxLifetime.meta({ description: 'The lifetime of tokens in seconds.' })
  })
  .meta({
    id: 'WorkloadGrants',
    example: { projects: [ids.project], role: 'publisher', environments: [ids.production], maxLifetime: 900 }
  })
export type WorkloadGrants = z.infer<typeof WorkloadGrants>

const Audience = z
  .string()
  .min(1)
  .max(500)
  .regex(/^\S+$/, 'should have no spaces')
  .meta({ description: 'The `aud` of subject tokens. Use the public URL of this server.' })

const deploy = {
  key: 'deploy',
  name: 'Deploy workflow',
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://flags.example.com',
  conditions: [
    { claim: 'repository_id', op: 'equals', value: '70107786' },
    { claim: 'ref', op: 'equals', value: 'refs/heads/main' }
  ]
}

/** A trust in the workloads of an issuer: a CI system that exchanges its identity tokens for access tokens. */
export const WorkloadTrust = z
  .object({
    ...recordFields,
    key: Key,
    name: Name,
    issuer: SecureUrl.meta({ description: 'The `iss` of subject tokens, which must match exactly.' }),
    audience: Audience,
    jwksUri: SecureUrl.exactOptional().meta({
      description: 'The URL of the keys of the issuer. Absent: the `jwks_uri` of its discovery document.'
    }),
    conditions: Conditions,
    grants: WorkloadGrants,
    enabled: z.boolean(),
    expiresAt: DateTime.exactOptional().meta({
      description: 'The expiry of the trust and its tokens. Absent: it does not expire.'
    }),
    _createdBy: UserReference
  })
  .meta({
    id: 'WorkloadTrust',
    example: {
      _id: ids.client,
      ...timestamps,
      ...deploy,
      grants: { projects: [ids.project], role: 'publisher', maxLifetime: 900 },
      enabled: true,
      _createdBy: admin
    }
  })
export type WorkloadTrust = z.infer<typeof WorkloadTrust>

/** The body that creates a trust. */
export const CreateWorkloadTrust = WorkloadTrust.pick({
  key: true,
  issuer: true,
  audience: true,
  jwksUri: true,
  conditions: true,
  expiresAt: true
})
  .extend({
    name: NameInput,
    grants: Grants.meta({ description: 'The permissions of the tokens: projects, and a role or scopes in them.' }),
    enabled: z.boolean().exactOptional().meta({ description: 'Whether jobs get tokens. Default: true.' })
  })
  .strict()
  .meta({
    id: 'CreateWorkloadTrust',
    example: { ...deploy, grants: { projects: ['demo'], role: 'publisher' } }
  })
export type CreateWorkloadTrust = z.infer<typeof CreateWorkloadTrust>

/** The body that updates a trust. */
export const UpdateWorkloadTrust = CreateWorkloadTrust.omit({ key: true })
  .extend({
    jwksUri: SecureUrl.nullable().meta({
      description: 'The URL of the keys of the issuer; `null` uses the one of its discovery document.'
    }),
    expiresAt: DateTime.nullable()
  })
  .partial()
  .strict()
  .meta({ id: 'UpdateWorkloadTrust', example: { enabled: false } })
export type UpdateWorkloadTrust = z.infer<typeof UpdateWorkloadTrust>

/** The maximum length of a claim in logs, in characters. */
export const MAX_LOGGED_CLAIM_LENGTH = 256

const LoggedClaim = z.string().max(MAX_LOGGED_CLAIM_LENGTH)

/** The CI job of a token, as claimed by its subject token. */
export const Workload = z
  .object({
    issuer: LoggedClaim,
    subject: LoggedClaim,
    repository: LoggedClaim.exactOptional().meta({ description: '`repository` or `project_path`.' }),
    ref: LoggedClaim.exactOptional(),
    runId: LoggedClaim.exactOptional().meta({ description: '`run_id` or `pipeline_id`.' }),
    sha: LoggedClaim.exactOptional()
  })
  .meta({
    id: 'Workload',
    description: `The CI job, as claimed by its subject token: at most ${MAX_LOGGED_CLAIM_LENGTH} characters each, without control characters.`,
    example: {
      issuer: 'https://token.actions.githubusercontent.com',
      subject: 'repo:acme/shop:ref:refs/heads/main',
      repository: 'acme/shop',
      ref: 'refs/heads/main',
      runId: '9034512345',
      sha: '4a1f0d5b6c7e8f90123456789abcdef012345678'
    }
  })
export type Workload = z.infer<typeof Workload>

/** An access token that was issued to a CI job and has not expired. */
export const WorkloadToken = z
  .object({
    _id: Id,
    createdAt: DateTime,
    expiresAt: DateTime,
    origin: z.literal('CI trust'),
    trust: z.string().meta({ description: 'The key of the trust.' }),
    workload: Workload
  })
  .meta({
    id: 'WorkloadToken',
    example: {
      _id: ids.user,
      createdAt,
      expiresAt: '2026-03-01T12:15:00.000Z',
      origin: 'CI trust',
      trust: 'deploy',
      workload: { issuer: deploy.issuer, subject: 'repo:acme/shop:ref:refs/heads/main' }
    }
  })
export type WorkloadToken = z.infer<typeof WorkloadToken>
