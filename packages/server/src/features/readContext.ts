import type { TargetOperator } from '@burgee/contract'
import { audiencesIn } from '../audiences/references.ts'
import type { Edit } from '../audit/edit.ts'
import { seekIn } from '../find.ts'
import type { StoredEnvironment, StoredProject } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { FeatureContext, KnownVariable, Naming } from './rules/featureContext.ts'

/** Reads what the rules need for a request, and no more: the size of the project does not matter to it. */
export async function readContext(edit: Edit, project: StoredProject, naming: Naming = {}): Promise<FeatureContext> {
  const { store, caller, at, id, stamps } = edit
  return {
    caller,
    at,
    id,
    stamps,
    project,
    environments: await environmentsOf(store, project),
    variables: await variablesNamed(store, project, naming),
    audiences: await audiencesNamed(store, project, naming)
  }
}

/** The environments of a project, the oldest first. */
export async function environmentsOf(
  store: Store,
  { _id }: Pick<StoredProject, '_id'>
): Promise<readonly StoredEnvironment[]> {
  const query = { where: { _project: _id }, sortBy: 'createdAt', sortOrder: 'asc' } as const
  return (await store.collection('environments').list(query)).items
}

async function variablesNamed(store: Store, project: StoredProject, { variables = [] }: Naming) {
  const found = new Map<string, KnownVariable>()
  for (const { key } of variables) {
    const variable = await store.collection('variables').get({ _project: project._id, key })
    const carrier = variable?._feature ? await store.collection('features').get({ _id: variable._feature }) : undefined
    if (variable) found.set(key, { variable, ...(carrier ? { carrier } : {}) })
  }
  return found
}

async function audiencesNamed(store: Store, project: StoredProject, naming: Naming) {
  const found = new Map<string, string>()
  for (const reference of new Set(filtersIn(naming).flatMap(audiencesIn))) {
    const audience = await seekIn(store, 'audiences', project, reference)
    if (audience) found.set(reference, audience._id)
  }
  return found
}

function filtersIn({ configurations = {} }: Naming): readonly TargetOperator[] {
  return Object.values(configurations).flatMap(({ targets = [] }) => targets.map(({ audience }) => audience.filters))
}
