import { type Operation, operations } from '@burgee/contract'
import type { Context } from 'koa'
import { isProgramPath } from '../../identity/oauth/paths.ts'
import type { Surface } from '../../identity/requestState.ts'
import { SCIM_PATH } from '../../identity/scim/scimRoutes.ts'

/** Returns the surface of a request. An error can precede routing: then the path determines it. */
export function findSurface({ state, path }: Context): Surface {
  if (state.surface) return state.surface
  if (isProgramPath(path)) return 'oauth'
  if (path === SCIM_PATH || path.startsWith(`${SCIM_PATH}/`)) return 'scim'
  if (rootOf(path, 1) === ofrepRoot) return 'ofrep'
  if (MANIFEST_PATH.test(path)) return 'manifest'
  return managementRoots.has(rootOf(path, 2)) ? 'management' : 'evaluation'
}

/** Returns the surface of an operation. */
export function surfaceOf({ credential, path }: Operation): Surface {
  if (credential.type === 'token') return MANIFEST_PATH.test(path) ? 'manifest' : 'management'
  return rootOf(path, 1) === ofrepRoot ? 'ofrep' : 'evaluation'
}

/** Returns the first segments of a path, with a slash before each. */
function rootOf(path: string, segments: number): string {
  return path
    .split('/')
    .slice(0, segments + 1)
    .join('/')
}

/** The paths of the manifest: with a project, or without one. */
const MANIFEST_PATH = /^(?:\/v1\/projects\/[^/]+)?\/openfeature\/v0\//

const ofrepRoot = rootOf(operations.ofrepEvaluateFlag.path, 1)

/** The beginnings of the paths of the management API, for example `/v1/projects`. */
const managementRoots: ReadonlySet<string> = new Set(
  Object.values<Operation>(operations)
    .filter(({ credential }) => credential.type === 'token')
    .flatMap(({ path, aliases = [] }) => [path, ...aliases])
    .map((path) => rootOf(path, 2))
)
