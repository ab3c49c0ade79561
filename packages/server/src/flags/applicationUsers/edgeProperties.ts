import { MAX_CUSTOM_DATA_LENGTH } from '@burgee/contract/schemas'
import type { CustomData } from '@burgee/core'
import { badRequest } from '../../lib/errors.ts'
import type { EdgeProperties, StoredEdgeUser } from '../../storage/resources/applicationUser.ts'

/** The parts of a stored user by who wrote them. */
type EdgeLayers = Pick<StoredEdgeUser, keyof EdgeProperties | 'fromServers'>

/** Returns the properties that an evaluation uses: those of servers, and those of client and mobile keys if wanted. */
export function effectiveProperties(
  { fromServers, ...stored }: EdgeLayers,
  { withClientWrites }: { readonly withClientWrites: boolean }
): EdgeProperties {
  const fromClients = withClientWrites ? pickProperties(stored) : {}
  const customData = withoutNull({ ...fromServers?.customData, ...fromClients.customData })
  return { ...fromServers, ...fromClients, customData }
}

/**
 * Merges properties that were sent with a client or mobile key. The properties of servers stay as they are.
 * @throws {HttpError} 400 if the custom data is too large.
 */
export function writeFromClient(stored: EdgeLayers | undefined, given: EdgeProperties): EdgeProperties {
  const known = stored?.fromServers?.customData ?? {}
  const joined = Object.entries({ ...stored?.customData, ...given.customData })
  // `null` has to be kept where it hides the attribute of a server.
  const customData = Object.fromEntries(joined.filter(([name, value]) => value !== null || Object.hasOwn(known, name)))
  return { ...pickProperties(stored ?? {}), ...given, customData: assertFits(customData) }
}

/** The members of a stored user that a write with a server key replaces; `undefined` removes one. */
export interface ServerWrite {
  readonly fromServers: EdgeProperties
  readonly fromClients: { readonly [M in keyof EdgeProperties]: EdgeProperties[M] | undefined }
}

/**
 * Merges properties that were sent with a server key. They replace what clients wrote under the same names.
 * @throws {HttpError} 400 if the custom data is too large.
 */
export function writeFromServer(stored: EdgeLayers | undefined, given: EdgeProperties): ServerWrite {
  const { fromServers } = stored ?? {}
  const customData = assertFits(withoutNull({ ...fromServers?.customData, ...given.customData }))
  const replaced = new Set(Object.keys(given.customData ?? {}))
  const kept = Object.entries(stored?.customData ?? {}).filter(([name]) => !replaced.has(name))
  const names = Object.keys(given).filter((name) => name !== 'customData')
  return {
    fromServers: { ...fromServers, ...given, customData },
    fromClients: { ...Object.fromEntries(names.map((name) => [name, undefined])), customData: Object.fromEntries(kept) }
  }
}

/** Returns the properties of a stored user without the members that every record has. */
export function pickProperties(stored: EdgeProperties): EdgeProperties {
  const entries = Object.entries(stored).filter(([name, value]) => propertyNames.has(name) && value !== undefined)
  return Object.fromEntries(entries)
}

const propertyNames: ReadonlySet<string> = new Set(
  Object.keys({
    email: true,
    name: true,
    language: true,
    country: true,
    customData: true,
    lastSeenDate: true
  } satisfies { readonly [M in keyof Required<EdgeProperties>]: true })
)

function withoutNull(data: CustomData): CustomData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
}

function assertFits(customData: CustomData): CustomData {
  const { length } = JSON.stringify(customData)
  if (length <= MAX_CUSTOM_DATA_LENGTH) return customData
  throw badRequest(
    `customData would have ${length} characters of JSON together with the stored data; it should have at most ${MAX_CUSTOM_DATA_LENGTH}`
  )
}
