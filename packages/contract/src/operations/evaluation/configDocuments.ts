import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { commonErrors, ErrorBody } from '../../schema/common/error.ts'
import { BootstrapDocument, ConfigDocument } from '../../schema/evaluation/configDocument.ts'

const { 400: invalid, 500: failed, 503: unavailable } = commonErrors

const shared = {
  tag: 'Config documents',
  method: 'GET',
  params: z.object({ key: z.string().meta({ description: 'A server SDK key of the environment.' }) }),
  status: 200,
  responseKind: 'download',
  // SDKs stop using a key only after a 403.
  errors: { 400: invalid, 403: ErrorBody, 500: failed, 503: unavailable },
  credential: { type: 'sdkKey', keyTypes: ['server'], inPath: true }
} as const

const older = { isDeprecated: true, description: 'The same document at the path that older SDKs use.' } as const

/** Get the config of an environment. */
export const getServerConfig = defineOperation({
  ...shared,
  id: 'getServerConfig',
  summary: 'Get the config of an environment',
  description: 'Server SDKs evaluate it in process. `Last-Modified` increases by at least one second with each change.',
  path: '/config/v2/server/{key}.json',
  response: ConfigDocument
})

/** Get the config of an environment (v1). */
export const getServerConfigV1 = defineOperation({
  ...shared,
  ...older,
  id: 'getServerConfigV1',
  summary: 'Get the config of an environment (v1)',
  path: '/config/v1/server/{key}.json',
  response: ConfigDocument
})

/** Get the bootstrap config of an environment. */
export const getBootstrapConfig = defineOperation({
  ...shared,
  id: 'getBootstrapConfig',
  summary: 'Get the bootstrap config of an environment',
  description: 'The config as client keys see it. Server SDKs evaluate it for the pages that they render for browsers.',
  path: '/config/v2/server/bootstrap/{key}.json',
  response: BootstrapDocument
})

/** Get the bootstrap config of an environment (v1). */
export const getBootstrapConfigV1 = defineOperation({
  ...shared,
  ...older,
  id: 'getBootstrapConfigV1',
  summary: 'Get the bootstrap config of an environment (v1)',
  path: '/config/v1/server/bootstrap/{key}.json',
  response: BootstrapDocument
})

/** Get the obfuscated bootstrap config of an environment. */
export const getObfuscatedBootstrapConfig = defineOperation({
  ...shared,
  id: 'getObfuscatedBootstrapConfig',
  summary: 'Get the obfuscated bootstrap config of an environment',
  description:
    'Keys of variables, features and variations are replaced by `dvc_obfs_` and the SHA-256 of their id, unless obfuscation is disabled in the project.',
  path: '/config/v2/server/bootstrap/obfuscated/{key}.json',
  response: BootstrapDocument
})

/** Get the obfuscated bootstrap config of an environment (v1). */
export const getObfuscatedBootstrapConfigV1 = defineOperation({
  ...shared,
  ...older,
  id: 'getObfuscatedBootstrapConfigV1',
  summary: 'Get the obfuscated bootstrap config of an environment (v1)',
  path: '/config/v1/server/bootstrap/obfuscated/{key}.json',
  response: BootstrapDocument
})
