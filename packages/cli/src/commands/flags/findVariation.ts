import type { Feature } from '@burgee/contract/schemas'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'

/** Returns a variation by its key or id. @throws {UsageError} with the keys of the feature. */
export function findVariation({ key, variations }: Pick<Feature, 'key' | 'variations'>, reference: string) {
  const found = variations.find((one) => one.key === reference || one._id === reference)
  if (found) return found
  const keys = variations.map((one) => one.key)
  throw new UsageError(
    `feature ${key} has no variation "${reference}"${suggestion(reference, keys)}: it has ${keys.join(', ')}`
  )
}
