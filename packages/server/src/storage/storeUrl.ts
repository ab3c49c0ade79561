/** Returns the directory of a `file:` URL, or `undefined` for another URL. */
export function parseStoreDirectory(url: string): string | undefined {
  return /^file:(?!\/\/[^/])(.+)$/s.exec(url)?.[1]
}

/** Whether a URL names a PostgreSQL database. */
export function isDatabaseUrl(url: string): boolean {
  return /^postgres(ql)?:/.test(url)
}

/** Returns the URL of a store for messages: the part before the @ may contain a password. */
export function maskStoreUrl(url: string): string {
  return url.replace(/\/\/.*@/s, '//…@').replace(/([?&]password=)[^&]*/g, '$1…')
}
