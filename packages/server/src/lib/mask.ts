/** A secret as answers, messages and audit entries show it: its last four characters, or nothing of a short one. */
export function maskSecret(secret: string): string {
  return `****${secret.length >= LONG ? secret.slice(-4) : ''}`
}

/** An address of which only the server is shown: the rest can hold a secret. */
export function maskUrl(url: string): string {
  const { origin, href } = new URL(url)
  return href === `${origin}/` ? url : `${origin}${MASKED_PATH}`
}

/** Whether an address is one that was masked. */
export function isMaskedUrl(url: string): boolean {
  return new URL(url).pathname === MASKED_PATH
}

const MASKED_PATH = '/****'

/** From this length on, four characters do not give the others away. */
const LONG = 16
