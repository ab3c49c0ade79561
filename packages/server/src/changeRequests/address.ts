import { operations, show } from '@burgee/contract'
import { invalid } from '../errors.ts'
import { wrapped } from '../features/rules/changeBy.ts'
import type { StoredChangeRequest, StoredFeature, StoredProject } from '../store/resources.ts'

type Name = StoredChangeRequest['operation']

// Whatever has a name here is one of them.
const names = Object.keys(wrapped) as Name[]

/** What a change request does, by what follows the path of the feature in the path that it wraps. */
const byEnd = new Map(names.map((name) => [endOf(name), name]))

function endOf(name: Name): string {
  return operations[wrapped[name]].path.slice(operations.updateFeature.path.length)
}

/**
 * What the request that a change request wraps does to a feature, as its path says.
 * @throws {ApiError} 400 unless it is the path of the feature, or of a part of it that change requests can be for.
 */
export function operationAt(path: string, project: StoredProject, feature: StoredFeature): Name {
  const [, projectName, featureName, end = ''] =
    /^\/v[12]\/projects\/([^/]+)\/features\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const name = byEnd.get(end)
  if (name && isNamed(project, projectName) && isNamed(feature, featureName)) return name
  const right = `/v2/projects/${project.key}/features/${feature.key}`
  const ends = [...byEnd.keys()].filter((known) => known !== '').join(' or ')
  throw invalid(`path should be ${right}, alone or with ${ends}, got ${show(path)}`)
}

/** Neither keys nor ids have characters that an address would escape. */
function isNamed({ key, _id }: StoredProject | StoredFeature, name: string | undefined): boolean {
  return name === key || name === _id
}
