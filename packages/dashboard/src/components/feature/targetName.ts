import { condition, type WordContext } from '@burgee/contract/words'

/** The name of a target. Without one, its condition, for example `Country is Canada (CA)`. */
export function targetName(name: string | null | undefined, filters: object, context: WordContext): string {
  if (name) return name
  const words = condition({ operator: 'and', ...filters }, context)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
