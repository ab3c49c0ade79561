import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { BootstrapDocument, ConfigDocument } from '../schema/configDocument.ts'
import { commonErrors, ErrorBody } from '../schema/error.ts'

const { 400: invalid, 500: failed } = commonErrors

const shared = {
  tag: 'Config documents',
  method: 'GET',
  params: z.object({ key: z.string().meta({ description: 'A server key of the environment.' }) }),
  status: 200,
  responseKind: 'download',
  // SDKs give up a key only when it is forbidden.
  errors: { 400: invalid, 403: ErrorBody, 500: failed },
  credential: { type: 'sdkKey', keyTypes: ['server'], inPath: true }
} as const

const older = { isDeprecated: true, description: 'The same document at the address that older SDKs know.' } as const

/** The config of an environment. */
export const getServerConfig = defineOperation({
  ...shared,
  id: 'getServerConfig',
  summary: 'Get the config of an environment',
  description:
    'What SDKs of servers evaluate by in their own process. Last-Modified grows by a second at least with each change.',
  path: '/config/v2/server/{key}.json',
  response: ConfigDocument
})

/** The same for older SDKs. */
export const getServerConfigV1 = defineOperation({
  ...shared,
  ...older,
  id: 'getServerConfigV1',
  summary: 'Get the config of an environment (v1)',
  path: '/config/v1/server/{key}.json',
  response: ConfigDocument
})

/** The config of an environment as browsers see it. */
export const getBootstrapConfig = defineOperation({
  ...shared,
  id: 'getBootstrapConfig',
  summary: 'Get the config of an environment as client keys see it',
  description: 'What SDKs of servers evaluate by for the pages that they send to browsers.',
  path: '/config/v2/server/bootstrap/{key}.json',
  response: BootstrapDocument
})

/** The same for older SDKs. */
export const getBootstrapConfigV1 = defineOperation({
  ...shared,
  ...older,
  id: 'getBootstrapConfigV1',
  summary: 'Get the config of an environment as client keys see it (v1)',
  path: '/config/v1/server/bootstrap/{key}.json',
  response: BootstrapDocument
})

/** The config of an environment as browsers see it, with obfuscated names. */
export const getObfuscatedBootstrapConfig = defineOperation({
  ...shared,
  id: 'getObfuscatedBootstrapConfig',
  summary: 'Get the config of an environment as client keys see it, with obfuscated names',
  description:
    'Variables, features and variations go by `dvc_obfs_` and the SHA-256 of their id. Where the project has obfuscation switched off, they go by their own keys.',
  path: '/config/v2/server/bootstrap/obfuscated/{key}.json',
  response: BootstrapDocument
})

/** The same for older SDKs. */
export const getObfuscatedBootstrapConfigV1 = defineOperation({
  ...shared,
  ...older,
  id: 'getObfuscatedBootstrapConfigV1',
  summary: 'Get the config of an environment as client keys see it, with obfuscated names (v1)',
  path: '/config/v1/server/bootstrap/obfuscated/{key}.json',
  response: BootstrapDocument
})
