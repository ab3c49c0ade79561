import type { Resources } from '../../storage/resources/collections.ts'
import type { Change, Store } from '../../storage/store.ts'

/** Returns the environments whose config, as evaluators or SDKs use it, may differ after a change. */
export async function affectedEnvironments(change: Change, store: Store): Promise<ReadonlySet<string>> {
  const environments = new Set<string>()
  const projects = new Set<string>()
  for (const { collection, before, after } of change.writes) {
    // The collection determines the type of its items.
    const impact = configImpacts[collection] as ConfigImpact<object> | undefined
    if (!impact || (before && after && hasSameMembers(before, after, impact.members))) continue
    for (const item of [before, after]) {
      const { environment, project } = item ? impact.to(item) : {}
      if (environment) environments.add(environment)
      if (project) projects.add(project)
    }
  }
  for (const project of projects) {
    const { items } = await store.collection('environments').list({ where: { _project: project } })
    for (const { _id } of items) environments.add(_id)
  }
  return environments
}

/** How a collection affects configs. Collections without an impact affect none. */
interface ConfigImpact<T> {
  /** The environments that an item affects: one, or all of a project. */
  readonly to: (item: T) => { readonly environment?: string; readonly project?: string }
  /** The members that configs are built from; all of them if omitted. */
  readonly members?: readonly (keyof T)[]
}

const inProject = ({ _project }: { readonly _project: string }) => ({ project: _project })

/** The members of features, configurations, variables and audiences that configs are built from. */
export const configMembers = {
  features: ['_id', 'key', 'type', 'status', 'settings', 'sdkVisibility', 'variations'],
  configurations: ['_id', '_feature', 'status', 'targets'],
  variables: ['_id', 'key', 'type', 'status', '_feature', 'metadata'],
  audiences: ['_id', 'filters']
} as const satisfies { readonly [K in keyof Resources]?: readonly (keyof Resources[K])[] }

/** An item reduced to the members that configs are built from. */
export type ConfigView<K extends keyof typeof configMembers> = Pick<
  Resources[K],
  Extract<keyof Resources[K], (typeof configMembers)[K][number]>
>

const configImpacts: { readonly [K in keyof Resources]: ConfigImpact<Resources[K]> | undefined } = {
  organizations: undefined,
  users: undefined,
  clients: undefined,
  signingKeys: undefined,
  scimTokens: undefined,
  scimGroups: undefined,
  projects: { to: ({ _id }) => ({ project: _id }) },
  environments: { to: ({ _id }) => ({ environment: _id }) },
  configVersions: undefined,
  features: { to: inProject, members: configMembers.features },
  configurations: { to: ({ _environment }) => ({ environment: _environment }), members: configMembers.configurations },
  variables: { to: inProject, members: configMembers.variables },
  audiences: { to: inProject, members: configMembers.audiences },
  customProperties: undefined,
  codeScans: undefined,
  metrics: undefined,
  metricAssociations: undefined,
  profiles: undefined,
  // Evaluators apply overrides separately (overrideIndex.ts); SDKs receive them among the rules.
  overrides: { to: ({ _environment }) => ({ environment: _environment }) },
  webhooks: undefined,
  outbox: undefined,
  deliveries: undefined,
  observabilityEnvironments: undefined,
  issueTrackers: undefined,
  issueLinks: undefined,
  changeRequests: undefined,
  auditEntries: undefined,
  edgeUsers: undefined,
  optIns: undefined,
  authorizations: undefined,
  revocations: undefined,
  upstreamSessions: undefined,
  workloadTrusts: undefined,
  workloadTokens: undefined,
  authenticatorApps: undefined,
  passkeys: undefined,
  recoveryCodes: undefined,
  challenges: undefined,
  environmentUses: undefined
}

/** True if two states of an item are equal in these members; always false if no members are given. */
export function hasSameMembers<T>(before: T, after: T, members: readonly (keyof T)[] | undefined): boolean {
  // Compare by value: an update may contain an equal but new object for an unchanged member.
  return members?.every((member) => JSON.stringify(before[member]) === JSON.stringify(after[member])) ?? false
}
