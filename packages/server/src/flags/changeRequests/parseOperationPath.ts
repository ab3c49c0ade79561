import { operations } from '@burgee/contract'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { changeRequestOperations } from '../features/rules/featureCommands.ts'

type Name = keyof typeof changeRequestOperations

// The record has these keys and no others.
const names = Object.keys(changeRequestOperations) as Name[]

/** Operations by the suffix after the path of the feature. */
const operationsBySuffix = new Map(names.map((name) => [pathSuffix(name), name]))

function pathSuffix(name: Name): string {
  return operations[changeRequestOperations[name]].path.slice(operations.updateFeature.path.length)
}

/**
 * Parses the path that a change request wraps.
 * @throws {HttpError} 400 unless it is the path of the feature, or of a part that change requests support.
 */
export function parseOperationPath(path: string, project: StoredProject, feature: StoredFeature): Name {
  const [, projectName, featureName, end = ''] =
    /^\/v[12]\/projects\/([^/]+)\/features\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const name = operationsBySuffix.get(end)
  if (name && isNamed(project, projectName) && isNamed(feature, featureName)) return name
  const expected = `/v2/projects/${project.key}/features/${feature.key}`
  const suffixes = [...operationsBySuffix.keys()].filter((known) => known !== '').join(' or ')
  throw badRequest(`path should be ${expected}, optionally followed by ${suffixes}, got ${formatValue(path)}`)
}

/** Keys and ids have no characters that a URL escapes. */
function isNamed({ key, _id }: StoredProject | StoredFeature, name: string | undefined): boolean {
  return name === key || name === _id
}
