import { operations } from '@burgee/contract'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'
import type { StoredChangeRequest, StoredFeature, StoredProject } from '../../storage/resources.ts'
import { changeRequestOperations } from '../features/rules/featureCommands.ts'

type Name = StoredChangeRequest['operation']

// Whatever has a name here is one of them.
const names = Object.keys(changeRequestOperations) as Name[]

/** What a change request does, by what follows the path of the feature in the path that it wraps. */
const operationsBySuffix = new Map(names.map((name) => [pathSuffix(name), name]))

function pathSuffix(name: Name): string {
  return operations[changeRequestOperations[name]].path.slice(operations.updateFeature.path.length)
}

/**
 * What the request that a change request wraps does to a feature, as its path says.
 * @throws {ApiError} 400 unless it is the path of the feature, or of a part of it that change requests can be for.
 */
export function parseOperationPath(path: string, project: StoredProject, feature: StoredFeature): Name {
  const [, projectName, featureName, end = ''] =
    /^\/v[12]\/projects\/([^/]+)\/features\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const name = operationsBySuffix.get(end)
  if (name && isNamed(project, projectName) && isNamed(feature, featureName)) return name
  const right = `/v2/projects/${project.key}/features/${feature.key}`
  const ends = [...operationsBySuffix.keys()].filter((known) => known !== '').join(' or ')
  throw badRequest(`path should be ${right}, alone or with ${ends}, got ${formatValue(path)}`)
}

/** Neither keys nor ids have characters that an address would escape. */
function isNamed({ key, _id }: StoredProject | StoredFeature, name: string | undefined): boolean {
  return name === key || name === _id
}
