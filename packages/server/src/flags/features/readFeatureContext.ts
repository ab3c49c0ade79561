import type { TargetOperator } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { findInProject } from '../../access/lookup.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { audienceReferences } from '../audiences/audienceReferences.ts'
import type { FeatureContext, FeatureReferences, ReferencedVariable } from './rules/model/featureContext.ts'

/** Reads the context of a request. Reads only the variables and audiences that the request references. */
export async function readFeatureContext(
  edit: Edit,
  project: StoredProject,
  references: FeatureReferences = {}
): Promise<FeatureContext> {
  const { store, caller, at, id, recordFields, compute } = edit
  return {
    caller,
    at,
    id,
    recordFields,
    compute,
    project,
    environments: await listEnvironments(store, project),
    variables: await readReferencedVariables(store, project, references),
    audiences: await readReferencedAudiences(store, project, references)
  }
}

/** Returns the environments of a project, the oldest first. */
export async function listEnvironments(
  store: Store,
  { _id }: Pick<StoredProject, '_id'>
): Promise<readonly StoredEnvironment[]> {
  const query = { where: { _project: _id }, sortBy: 'createdAt', sortOrder: 'asc' } as const
  return (await store.collection('environments').list(query)).items
}

async function readReferencedVariables(store: Store, project: StoredProject, { variables = [] }: FeatureReferences) {
  const found = new Map<string, ReferencedVariable>()
  for (const { key } of variables) {
    const variable = await store.collection('variables').get({ _project: project._id, key })
    const feature = variable?._feature ? await store.collection('features').get({ _id: variable._feature }) : undefined
    if (variable) found.set(key, { variable, ...(feature ? { feature } : {}) })
  }
  return found
}

async function readReferencedAudiences(store: Store, project: StoredProject, references: FeatureReferences) {
  const found = new Map<string, string>()
  for (const reference of new Set(audienceFilters(references).flatMap(audienceReferences))) {
    const audience = await findInProject(store, 'audiences', project, reference)
    if (audience) found.set(reference, audience._id)
  }
  return found
}

function audienceFilters({ configurations = {} }: FeatureReferences): readonly TargetOperator[] {
  return Object.values(configurations).flatMap(({ targets = [] }) => targets.map(({ audience }) => audience.filters))
}
