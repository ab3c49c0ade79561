import { BurgeeProvider, staticSource } from '../../packages/openfeature-provider/dist/index.js'
import { toDocument } from '../evaluations/document.mjs'
import { clientOf } from './client.mjs'

/** Burgee's provider, with a config in memory. */
export function prepare(workload, users) {
  return clientOf(new BurgeeProvider({ source: staticSource(toDocument(workload.flags)) }), workload, users)
}
