import { storeOpenError } from '../../storeOpenError.ts'
import { maskStoreUrl } from '../../storeUrl.ts'

/** Returns a database without user and password, for example `db.example.com:5432/flags`. */
export function formatDatabaseName(url: string): string {
  if (!URL.canParse(url)) return maskStoreUrl(url)
  const { hostname, port, pathname, searchParams } = new URL(url)
  // The driver prefers the parameters.
  const host = searchParams.get('host') ?? hostname
  return `${host || 'localhost'}:${(searchParams.get('port') ?? port) || '5432'}${pathname}`
}

/** Asserts that the port of an address is one. @throws {StoreOpenError} */
export function assertPort(url: string): void {
  const masked = maskStoreUrl(url)
  const [, port] = /^postgres(?:ql)?:\/\/(?:…@)?(?:\[[^\]]*\]|[^/?#:]*):(\d+)(?=[/?#]|$)/.exec(masked) ?? []
  if (port === undefined || Number(port) <= 65_535) return
  throw storeOpenError(masked, `has the port ${port}`, 'specify a port from 1 to 65535')
}

/**
 * Asserts that an address names one host and one port: the driver would look up a list as one name.
 * @throws {StoreOpenError}
 */
export function assertOneHost(url: string): void {
  const [, authority = '', query = ''] = /^postgres(?:ql)?:\/\/(?:[^/?]*@)?([^/?]*)[^?]*\??(.*)$/s.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  const list = [authority, parameters.get('host'), parameters.get('port')].find((text) => text?.includes(','))
  if (!list) return
  throw storeOpenError(
    list,
    'names several hosts or ports, which are not supported',
    'specify one that always leads to the primary, such as a TCP proxy or a virtual address'
  )
}
