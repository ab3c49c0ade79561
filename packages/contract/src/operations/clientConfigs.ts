import { defineOperation } from '../operation.ts'
import { BucketedUserConfig } from '../schema/bucketedUserConfig.ts'
import { ClientQuery } from '../schema/clientQuery.ts'
import { commonErrors } from '../schema/error.ts'

const shared = {
  tag: 'Client configs',
  method: 'GET',
  query: ClientQuery,
  status: 200,
  response: BucketedUserConfig,
  errors: commonErrors,
  credential: { type: 'sdkKey', keyTypes: ['client', 'mobile'], inQuery: true }
} as const

/** Everything one user gets, for SDKs of browsers. */
export const getClientConfig = defineOperation({
  ...shared,
  id: 'getClientConfig',
  summary: 'Get everything a user gets, for a client SDK',
  description:
    'Unknown parameters are attributes of the user that nothing looks at. With `obfuscated=1`, where the project has it switched on, variables, features and variations go by `dvc_obfs_` and the SHA-256 of their id, and nothing says why a user gets them. Where it is required, a client key gets no other form.',
  path: '/v1/sdkConfig'
})

/** Everything one user gets, for SDKs of apps. */
export const getMobileConfig = defineOperation({
  ...shared,
  id: 'getMobileConfig',
  summary: 'Get everything a user gets, for a mobile SDK',
  description: 'The same as `/v1/sdkConfig`, under the address that SDKs of apps ask.',
  path: '/v1/mobileSDKConfig'
})
