import { maskStoreUrl } from '../storeUrl.ts'

/**
 * Returns the part of a URL that identifies the database: host, port, name and `options`, which can select a schema. The
 * scheme, the user, the password and connection parameters can change while the database stays the same.
 */
export function identifyDatabase(url: string): string {
  if (!URL.canParse(url)) return maskStoreUrl(url)
  const { hostname, port, pathname, username, searchParams } = new URL(url)
  // Without a name, the database is that of the user.
  const name = pathname.slice(1) || (searchParams.get('user') ?? username)
  const options = searchParams.get('options') ?? ''
  return JSON.stringify([searchParams.get('host') ?? hostname, searchParams.get('port') ?? port, name, options])
}
