import { z } from 'zod'
import type { Permission } from '../../access/permission.ts'
import { defineOperation } from '../../operation.ts'
import { Reference } from '../../schema/common/fields.ts'
import { ProjectReference } from '../../schema/common/references.ts'
import {
  ArchivedManifestFlag,
  CreateManifestFlag,
  Manifest,
  ManifestError,
  ManifestFlagResponse,
  UpdateManifestFlag
} from '../../schema/projects/manifest.ts'

const tag = 'OpenFeature manifest'
const inProject = z.object({ project: ProjectReference })
const params = z.object({
  project: ProjectReference,
  key: Reference.meta({ description: 'Key or id of the flag.', example: 'winter-banner' })
})

/** The Manifest Management API of OpenFeature has an error body of its own. */
function access(permission: Permission, ...statuses: readonly number[]) {
  const errors = [...statuses, 400, 401, 403, 429, 500, 503].map((status) => [status, ManifestError] as const)
  return {
    tag,
    credential: { type: 'token', permission },
    errors: Object.fromEntries(errors) as Readonly<Record<number, typeof ManifestError>>
  } as const
}

/** Get the manifest of a project. */
export const getManifest = defineOperation({
  ...access('variable:read', 404),
  id: 'getManifest',
  summary: 'Get the manifest of a project',
  description:
    'For `openfeature pull` and `openfeature push`: their provider URL is `https://<server>/v1/projects/<project>`, or the address of the server for a token that sees one project. Archived variables are omitted.',
  method: 'GET',
  path: '/v1/projects/{project}/openfeature/v0/manifest',
  params: inProject,
  status: 200,
  response: Manifest,
  responseKind: 'conditional'
})

/** Create a flag of the manifest. */
export const createManifestFlag = defineOperation({
  ...access('feature:write', 404, 409, 413, 415),
  id: 'createManifestFlag',
  summary: 'Create a flag of the manifest',
  description:
    'Creates a variable and a feature of this key, which is off in all environments. A repetition within ten minutes by the same caller returns the flag.',
  method: 'POST',
  path: '/v1/projects/{project}/openfeature/v0/manifest/flags',
  params: inProject,
  readsBody: true,
  body: CreateManifestFlag,
  status: 201,
  response: ManifestFlagResponse
})

/** Update a flag of the manifest. */
export const updateManifestFlag = defineOperation({
  ...access('variable:write', 404, 409, 413, 415),
  id: 'updateManifestFlag',
  summary: 'Update a flag of the manifest',
  description: 'Changes name, description and default value. Variations keep their values; omitted members too.',
  method: 'PUT',
  path: '/v1/projects/{project}/openfeature/v0/manifest/flags/{key}',
  params,
  readsBody: true,
  body: UpdateManifestFlag,
  status: 200,
  response: ManifestFlagResponse
})

/** Archive a flag of the manifest. */
export const archiveManifestFlag = defineOperation({
  ...access('feature:write', 404, 409),
  id: 'archiveManifestFlag',
  summary: 'Archive a flag of the manifest',
  description: 'Archives the variable, and its feature if it has no other variable.',
  method: 'DELETE',
  path: '/v1/projects/{project}/openfeature/v0/manifest/flags/{key}',
  params,
  status: 200,
  response: ArchivedManifestFlag
})
