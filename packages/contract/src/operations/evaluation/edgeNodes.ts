import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { bodyErrors, commonErrors, ErrorBody, Message } from '../../schema/common/error.ts'
import { EdgeConfig, EdgeEvents } from '../../schema/evaluation/edgeNode.ts'

const { 400: invalid, 500: failed, 503: unavailable } = commonErrors

/** Get the configs and keys of an environment, for edge nodes. */
export const getEdgeConfig = defineOperation({
  id: 'getEdgeConfig',
  summary: 'Get the configs and keys of an environment, for edge nodes',
  description:
    'Edge nodes evaluate it for all keys of the environment. It has the configs of all types of keys, and the digests of the keys.',
  tag: 'Edge nodes',
  method: 'GET',
  path: '/config/v2/edge/{key}.json',
  params: z.object({ key: z.string().meta({ description: 'A server SDK key of the environment.' }) }),
  status: 200,
  response: EdgeConfig,
  responseKind: 'download',
  errors: { 400: invalid, 403: ErrorBody, 500: failed, 503: unavailable },
  credential: { type: 'sdkKey', keyTypes: ['server'], inPath: true }
})

/** Forward the events of an edge node. */
export const sendEdgeEvents = defineOperation({
  id: 'sendEdgeEvents',
  summary: 'Forward the events of an edge node',
  description:
    'Adds all entries, or responds with an error; a repeated request adds only what is missing. Entries that are older than 30 minutes count as of now.',
  tag: 'Edge nodes',
  method: 'POST',
  path: '/v1/edge/events',
  body: EdgeEvents,
  readsBody: true,
  // One segment of the queue of an edge node: a MiB, and a request with events, which has up to 8 MiB.
  rawBody: { maxBytes: 16 * 1024 * 1024, maxValues: 1_000_000, maxMembers: 20_000, maxDepth: 64, maxLength: 1_048_576 },
  status: 201,
  response: Message,
  errors: { ...commonErrors, ...bodyErrors },
  credential: { type: 'sdkKey', keyTypes: ['server'] }
})
