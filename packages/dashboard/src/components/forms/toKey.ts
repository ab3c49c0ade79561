/** The key that a name suggests: `New checkout!` → `new-checkout`. */
export function toKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .slice(0, 100)
}

/** The characters of a key, for hints. */
export const KEY_CHARACTERS = 'a–z, 0–9, “-”, “_” and “.”'
