import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { IdReference } from '../../schema/common/fields.ts'
import { EnvironmentReference, ProjectReference } from '../../schema/common/references.ts'
import { UserSigningSecret } from '../../schema/projects/userSigningSecret.ts'
import { accessWithoutBody } from '../operationAccess.ts'

const tag = 'Environments'
const params = z.object({ project: ProjectReference, environment: EnvironmentReference })
const path = '/v1/projects/{project}/environments/{environment}/user-signing-secrets'

/** List the user signing secrets of an environment. */
export const listUserSigningSecrets = defineOperation({
  ...accessWithoutBody('environment:write', 404),
  tag,
  id: 'listUserSigningSecrets',
  summary: 'List the user signing secrets of an environment',
  description:
    'Returns at most two secrets, oldest first. Signatures with either are valid. A protected environment also requires the permission `feature:publish`.',
  method: 'GET',
  path,
  params,
  accessLog: 'secretShown',
  status: 200,
  response: z.array(UserSigningSecret)
})

/** Create a user signing secret. */
export const createUserSigningSecret = defineOperation({
  ...accessWithoutBody('environment:write', 404, 409),
  tag,
  id: 'createUserSigningSecret',
  summary: 'Create a user signing secret',
  description:
    'The existing secret stays valid. To replace it, create a new one, sign with the new one, and then delete the old one. Returns 409 if there are two already. A protected environment also requires the permission `feature:publish`.',
  method: 'POST',
  path,
  params,
  accessLog: 'secretShown',
  status: 201,
  response: UserSigningSecret
})

/** Delete a user signing secret. */
export const deleteUserSigningSecret = defineOperation({
  ...accessWithoutBody('environment:write', 404, 405),
  tag,
  id: 'deleteUserSigningSecret',
  summary: 'Delete a user signing secret',
  description:
    'Signatures with this secret become invalid immediately. Returns 405 for the last secret unless the setting `signedUsers` of the environment is `off`. A protected environment also requires the permission `feature:publish`.',
  method: 'DELETE',
  path: `${path}/{id}`,
  params: params.extend({ id: IdReference }),
  status: 200
})
