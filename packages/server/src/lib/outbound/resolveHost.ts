import { Resolver } from 'node:dns/promises'

/** The options of name resolution. */
export interface ResolverOptions {
  /** The time limit for all addresses together, in milliseconds. */
  readonly deadlineMs: number
  /** The name servers; those of the system if omitted. */
  readonly servers?: readonly string[]
}

/**
 * Resolves all addresses of a name, or returns why there are none. Queries name servers directly: `dns.lookup` has no
 * time limit, and occupies one of the few threads that also write files.
 */
export async function resolveHost(
  name: string,
  signal: AbortSignal,
  { deadlineMs, servers }: ResolverOptions
): Promise<readonly string[] | string> {
  // Special names (RFC 6761) are not sent to name servers.
  if (/(^|\.)localhost$/.test(name)) return ['127.0.0.1', '::1']
  if (/(^|\.)invalid$/.test(name)) return `${name} has no address`
  // One resolver per call, because `cancel` ends all queries of a resolver.
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
