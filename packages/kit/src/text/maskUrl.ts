/** Masks everything after the origin of an address, which can contain a secret. */
export function maskUrl(url: string): string {
  const { origin, href } = new URL(url)
  return href === `${origin}/` ? url : `${origin}${MASKED_PATH}`
}

/** Whether an address has been masked. */
export function isMaskedUrl(url: string): boolean {
  return new URL(url).pathname === MASKED_PATH
}

const MASKED_PATH = '/****'
