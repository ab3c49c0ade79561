import { invalid } from '../errors.ts'
import { show } from '../show.ts'
import type { StoredChangeRequest, StoredFeature, StoredProject } from '../store/resources.ts'

/** What a change request does, by the end of the path that it wraps. */
const operations = new Map<string, StoredChangeRequest['operation']>([
  ['', 'featureUpdate'],
  ['/status', 'featureStatusUpdate'],
  ['/static-configuration', 'featureStaticConfigurationUpdate']
])

/**
 * What the request that a change request wraps does to a feature, as its path says.
 * @throws {ApiError} 400 unless it is the path of the feature, or of its status or static configuration.
 */
export function operationAt(
  path: string,
  project: StoredProject,
  feature: StoredFeature
): StoredChangeRequest['operation'] {
  const [, projectName, featureName, end = ''] =
    /^\/v[12]\/projects\/([^/]+)\/features\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const operation = operations.get(end)
  if (operation && isNamed(project, projectName) && isNamed(feature, featureName)) return operation
  const right = `/v2/projects/${project.key}/features/${feature.key}`
  throw invalid(`path should be ${right}, alone or with /status or /static-configuration, got ${show(path)}`)
}

/** Neither keys nor ids have characters that an address would escape. */
function isNamed({ key, _id }: StoredProject | StoredFeature, name: string | undefined): boolean {
  return name === key || name === _id
}
