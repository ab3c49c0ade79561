import { MAX_LOGGED_CLAIM_LENGTH, type Workload } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { textOf } from './matchConditions.ts'
import type { Claims } from './subjectToken.ts'

/** Returns what logs show of a CI job, from the claims of its verified token. */
export function workloadOf(claims: Claims): Workload {
  const first = (...names: readonly string[]) => {
    const found = names.map((name) => textOf(claims, name)).find((text) => text !== undefined)
    return found === undefined ? undefined : toLoggedText(found)
  }
  return {
    issuer: first('iss') ?? '',
    subject: first('sub') ?? '',
    ...omitUndefined({
      repository: first('repository', 'project_path'),
      ref: first('ref'),
      runId: first('run_id', 'pipeline_id'),
      sha: first('sha')
    })
  }
}

/** Returns a text from outside for logs: shortened, without control and invisible formatting characters. */
export function toLoggedText(text: string): string {
  const shortened = text.replace(/\p{C}/gu, '').slice(0, MAX_LOGGED_CLAIM_LENGTH)
  // Half of a pair of surrogates is no character.
  return shortened.replace(/[\uD800-\uDBFF]$/, '')
}
