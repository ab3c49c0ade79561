import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'
import { compileNetworks, normalizeNetwork } from '../../lib/network.ts'
import { memoizeByIdentity } from '../../lib/object.ts'

/** Normalizes the networks of a request, without duplicates. @throws {HttpError} 400 that names invalid ones. */
export function normalizeNetworks(networks: readonly string[]): string[] {
  const normalized = networks.map(normalizeNetwork)
  const issues = normalized.flatMap((one, index) => {
    return 'issue' in one ? [`allowedNetworks.${index} ${one.issue}, got ${formatValue(networks[index])}`] : []
  })
  if (issues.length > 0) throw badRequest(issues)
  return [...new Set(normalized.flatMap((one) => ('network' in one ? [one.network] : [])))]
}

/** Whether an address is in one of these normalized networks. Lists are compiled once. */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  return compiled(networks)(address)
}

const compiled = memoizeByIdentity(compileNetworks)
