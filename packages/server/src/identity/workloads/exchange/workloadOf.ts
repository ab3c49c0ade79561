import { MAX_LOGGED_CLAIM_LENGTH, type Workload } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { textOf } from './matchConditions.ts'
import type { Claims } from './subjectToken.ts'

/** Returns the description of a CI job for logs, from the claims of its verified token. */
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

/** Sanitizes untrusted text for logs: truncates it, and removes control and invisible formatting characters. */
export function toLoggedText(text: string): string {
  const shortened = text.replace(/\p{C}/gu, '').slice(0, MAX_LOGGED_CLAIM_LENGTH)
  // Remove a lone surrogate at the end.
  return shortened.replace(/[\uD800-\uDBFF]$/, '')
}
