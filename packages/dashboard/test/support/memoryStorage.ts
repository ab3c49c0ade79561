import type { DraftStorage } from '../../src/draft/persistence.ts'

/** A storage of the browser with at most `limit` characters an entry. */
export function memory(limit = Number.POSITIVE_INFINITY): DraftStorage & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>()
  return {
    entries,
    get length() {
      return entries.size
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > limit) throw new DOMException('full', 'QuotaExceededError')
      entries.set(key, value)
    },
    removeItem: (key) => void entries.delete(key)
  }
}
