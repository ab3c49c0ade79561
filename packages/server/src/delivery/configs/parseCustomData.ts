import type { User } from '@burgee/contract/schemas'
import type { CustomData } from '@burgee/core'

/** Custom data as it was sent: as an object, or as the JSON text of one. */
export function parseCustomData(data: User['customData']): CustomData | undefined {
  return typeof data === 'string' ? JSON.parse(data) : (data ?? undefined)
}
