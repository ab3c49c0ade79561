import { defineOperation } from '../../operation.ts'
import { commonErrors } from '../../schema/common/error.ts'
import { BucketedUserConfig } from '../../schema/evaluation/bucketedUserConfig.ts'
import { ClientQuery } from '../../schema/evaluation/clientQuery.ts'
import { UserHashHeaders } from '../../schema/evaluation/userHash.ts'

const shared = {
  tag: 'Client configs',
  method: 'GET',
  query: ClientQuery,
  headers: UserHashHeaders,
  user: 'query',
  status: 200,
  response: BucketedUserConfig,
  responseKind: 'conditional',
  errors: commonErrors,
  credential: { type: 'sdkKey', keyTypes: ['client', 'mobile'], inQuery: true }
} as const

/** Get the config of a user for a client SDK. */
export const getClientConfig = defineOperation({
  ...shared,
  id: 'getClientConfig',
  summary: 'Get the config of a user for a client SDK',
  description:
    'All variables and features of one user, evaluated. Unknown parameters are ignored. With `obfuscated=1`, and if obfuscation is enabled in the project, keys of variables, features and variations are replaced by `dvc_obfs_` and the SHA-256 of their id, and evaluation reasons are omitted. If the project requires obfuscation, client keys get this form only.',
  path: '/v1/sdkConfig'
})

/** Get the config of a user for a mobile SDK. */
export const getMobileConfig = defineOperation({
  ...shared,
  id: 'getMobileConfig',
  summary: 'Get the config of a user for a mobile SDK',
  description: 'The same as `/v1/sdkConfig`, at the path that mobile SDKs use.',
  path: '/v1/mobileSDKConfig'
})
