import { REQUEST_TIMEOUT_MS } from '@burgee/contract/client'
import { limited } from '../api/limited.ts'
import { boundedFetch } from './boundedFetch.ts'

/** `fetch`, for those who do not wait for ever, and not for an answer without end. */
export const patientFetch: typeof fetch = (input, init) => {
  return boundedFetch(input, { ...init, signal: limited(REQUEST_TIMEOUT_MS, ...[init?.signal ?? []].flat()) })
}
