import { compile, toUser } from '../../packages/core/dist/index.js'
import { fingerprintOf, ofrepResponses } from '../../packages/core/dist/text.js'
import { median } from '../lib/median.mjs'

/** Returns the microseconds of CPU time that the fingerprint in the ETag of a bulk evaluation takes. */
export async function measureFingerprint(url, sdkKey, contexts) {
  const response = await fetch(`${url}/config/v2/server/${sdkKey}.json`)
  const evaluator = compile(await response.json())
  const all = contexts.map((context) => ofrepResponses(evaluator, toUser(context)))
  const times = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let call = 0; call < CALLS; call++) {
      if (fingerprintOf(all[call % all.length]).length !== 16) throw new Error('a fingerprint has another length')
    }
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / CALLS)
  }
  return median(times)
}

const ROUNDS = 7
const CALLS = 100_000
