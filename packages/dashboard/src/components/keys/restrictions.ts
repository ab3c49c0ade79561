import type { SdkKey, UpdateSdkKey } from '@burgee/contract/schemas'
import type { KeyType } from './sdkKeys.ts'

/** The members of the body that are restrictions. */
export const restrictionNames = ['expiresAt', 'allowedNetworks', 'allowedOrigins'] as const

/** The restrictions of a key as they are typed: a local date-time, and one network or origin per line. */
export interface TypedRestrictions {
  readonly expiry: string
  readonly networks: string
  readonly origins: string
}

type Restrictions = Pick<SdkKey, 'expiresAt' | 'allowedNetworks' | 'allowedOrigins'>

export const unrestricted: TypedRestrictions = { expiry: '', networks: '', origins: '' }

/** The restrictions of a key or client as its form shows them. */
export function toTyped({ expiresAt, allowedNetworks = [], allowedOrigins = [] }: Restrictions): TypedRestrictions {
  return {
    expiry: expiresAt === undefined ? '' : toLocalTime(expiresAt),
    networks: allowedNetworks.join('\n'),
    origins: allowedOrigins.join('\n')
  }
}

/** The body that sets what was typed. An empty field removes its restriction; a type of key has only its own fields. */
export function toRestrictions({ expiry, networks, origins }: TypedRestrictions, type: KeyType): UpdateSdkKey {
  return {
    expiresAt: expiry === '' ? null : fromLocalTime(expiry),
    ...(type === 'server' ? { allowedNetworks: toList(networks) } : {}),
    ...(type === 'client' ? { allowedOrigins: toList(origins) } : {})
  }
}

/** The body without the restrictions that are not set, as new keys take it. */
export function withoutNull(body: UpdateSdkKey): {
  readonly [Name in keyof UpdateSdkKey]: NonNullable<UpdateSdkKey[Name]>
} {
  const set = Object.entries(body).filter(([, value]) => value !== null)
  // Only the members that are null were left out.
  return Object.fromEntries(set) as { [Name in keyof UpdateSdkKey]: NonNullable<UpdateSdkKey[Name]> }
}

/** The entries of a text with one per line, `null` if there is none. */
function toList(text: string): string[] | null {
  const lines = text.split(/[\n,]/).map((line) => line.trim())
  const entries = lines.filter(Boolean)
  return entries.length === 0 ? null : entries
}

/** A moment as `datetime-local` takes it: in the zone of the browser, to the minute. */
export function toLocalTime(moment: string): string {
  const date = new Date(moment)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The moment of a `datetime-local`. What is no date stays as typed, so that the server names the problem. */
export function fromLocalTime(text: string): string {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? text : moment.toISOString()
}
