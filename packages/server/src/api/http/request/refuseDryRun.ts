import type { Operation } from '@burgee/contract'
import { badRequest } from '../../../lib/errors.ts'

/**
 * Refuses the query parameter `dryRun`, in any spelling, of an operation of the management API that does not support
 * it: its caller believes that nothing changes. @throws {HttpError} 400
 */
export function refuseDryRun({ method, path, credential, query }: Operation, names: readonly string[]): void {
  if (credential.type !== 'token') return
  const hasDryRun = query !== undefined && 'dryRun' in query.shape
  const [name] = names.filter((each) => isDryRun(each) && !(hasDryRun && each === 'dryRun'))
  if (name === undefined) return
  const message = hasDryRun
    ? `property ${name} should not exist (did you mean "dryRun"?); nothing was changed`
    : `${method} ${path} does not support the query parameter dryRun; nothing was changed`
  throw badRequest(message, [{ in: 'query', path: [name], message }])
}

function isDryRun(name: string): boolean {
  return /^dry[-_]?run$/i.test(name)
}
