/** Masks a secret for responses, messages and audit entries: keeps the last four characters of a long one. */
export function maskSecret(secret: string): string {
  return `****${secret.length >= LONG ? secret.slice(-4) : ''}`
}

/** From this length on, showing four characters is safe. */
const LONG = 16
