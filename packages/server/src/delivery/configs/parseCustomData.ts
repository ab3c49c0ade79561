import type { User } from '@burgee/contract/schemas'
import type { CustomData } from '@burgee/core'

/** Parses custom data, which clients send as an object or as its JSON text. */
export function parseCustomData(data: User['customData']): CustomData | undefined {
  return typeof data === 'string' ? JSON.parse(data) : (data ?? undefined)
}
