import type { Resources } from '../../storage/resources.ts'
import type { Change, Store } from '../../storage/store.ts'

/** The environments whose config, as evaluators or SDKs have it, a change can have changed. */
export async function affectedEnvironments(change: Change, store: Store): Promise<ReadonlySet<string>> {
  const environments = new Set<string>()
  const projects = new Set<string>()
  for (const { collection, before, after } of change.writes) {
    // The collection says what the items are.
    const reach = configImpacts[collection] as ConfigImpact<object> | undefined
    if (!reach || (before && after && hasSameMembers(before, after, reach.members))) continue
    for (const item of [before, after]) {
      const { environment, project } = item ? reach.to(item) : {}
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

/** What configs are built from, of each collection; of the others, nothing. */
interface ConfigImpact<T> {
  /** Where an item reaches: into one environment, or every one of a project. */
  readonly to: (item: T) => { readonly environment?: string; readonly project?: string }
  /** The members that configs are built from; all of them, if it says nothing. */
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

/** An item as configs see it. */
export type ConfigView<K extends keyof typeof configMembers> = Pick<
  Resources[K],
  Extract<keyof Resources[K], (typeof configMembers)[K][number]>
>

const configImpacts: { readonly [K in keyof Resources]: ConfigImpact<Resources[K]> | undefined } = {
  organizations: undefined,
  users: undefined,
  clients: undefined,
  signingKeys: undefined,
  projects: { to: ({ _id }) => ({ project: _id }) },
  environments: { to: ({ _id }) => ({ environment: _id }) },
  configVersions: undefined,
  features: { to: inProject, members: configMembers.features },
  configurations: { to: ({ _environment }) => ({ environment: _environment }), members: configMembers.configurations },
  variables: { to: inProject, members: configMembers.variables },
  audiences: { to: inProject, members: configMembers.audiences },
  customProperties: undefined,
  metrics: undefined,
  metricAssociations: undefined,
  profiles: undefined,
  // Evaluators follow these apart (see overrides.ts); SDKs have them among the rules.
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
  authorizations: undefined
}

/** Whether two states of an item have the same in these members; all of them, if there are none named, are never the same. */
export function hasSameMembers<T>(before: T, after: T, members: readonly (keyof T)[] | undefined): boolean {
  // What did not change is not always the same object: an update may have been given it anew.
  return members?.every((member) => JSON.stringify(before[member]) === JSON.stringify(after[member])) ?? false
}
