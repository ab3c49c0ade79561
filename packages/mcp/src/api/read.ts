import { collect } from '@burgee/contract/client'
import type { Environment, Feature, Project } from '@burgee/contract/schemas'
import type { Call } from './call.ts'

/** Reads the feature with this key or id. */
export function readFeature({ client, project }: Call, feature: string): Promise<Feature> {
  return client.getFeature({ params: { project: project(), feature } })
}

/** Reads all environments of the project. */
export async function readEnvironments({ client, project }: Call): Promise<readonly Environment[]> {
  const params = { project: project() }
  // Without keys: the access log records each response with keys as a secret that was shown.
  const query = { includeSdkKeys: 'false' }
  return collect(client.listEnvironments, { params, query })
}

/** Reads the project of the call. */
export function readProject({ client, project }: Call): Promise<Project> {
  return client.getProject({ params: { key: project() } })
}
