import { Resolver } from 'node:dns/promises'

/** How names are resolved. */
export interface ResolverOptions {
  /** How long it may take altogether, in milliseconds. */
  readonly deadlineMs: number
  /** Who is asked, where it is not whom the system names. */
  readonly servers?: readonly string[]
}

/**
 * Every address of a name, or why there is none. It asks the name servers itself: `dns.lookup` has no deadline, and occupies one of the few
 * threads that writing files needs, too.
 */
export async function resolveHost(
  name: string,
  signal: AbortSignal,
  { deadlineMs, servers }: ResolverOptions
): Promise<readonly string[] | string> {
  // Both are never asked of anybody (RFC 6761): an answer could only mislead.
  if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1']
  if (/(^|\.)invalid$/.test(name)) return `${name} has no address`
  // One for each, since giving up means to give up all that it was asked.
  const resolver = new Resolver({ timeout: Math.ceil(deadlineMs / 2), tries: 2 })
  if (servers) resolver.setServers(servers)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    resolver.cancel()
  }, deadlineMs)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  signal.removeEventListener('abort', cancel)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  if (isLate) return `${name} was not resolved within ${deadlineMs / 1000} s`
  const isUnknown = answers.every((answer) => answer.status === 'rejected' && UNKNOWN.has(answer.reason.code))
  return isUnknown ? `${name} has no address` : `${name} could not be resolved`
}

const UNKNOWN: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
