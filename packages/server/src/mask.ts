/** A secret as answers, messages and audit entries show it: its last four characters, or nothing of a short one. */
export function mask(secret: string): string {
  return `****${secret.length >= LONG ? secret.slice(-4) : ''}`
}

/** From this length on, four characters do not give the others away. */
const LONG = 16
