import { parseBoolean, parseText, type Settings, UsageError, type Values } from '@burgee/kit/settings'
import { DAY, HOUR, MINUTE, toIsoString } from '../lib/time.ts'

/** The settings of the expiry of a token or client. */
export const expirySettings = {
  expiresIn: {
    variable: false,
    placeholder: 'duration',
    help: 'Time until it expires: minutes, hours or days, such as 90d.',
    ignoresEmpty: true,
    parse: parseText
  },
  expiresAt: {
    variable: false,
    placeholder: 'date-time',
    help: 'When it expires, such as 2027-03-01T00:00:00Z.',
    ignoresEmpty: true,
    parse: parseText
  }
} as const satisfies Settings

/** The settings that restrict a client. */
export const restrictionSettings = {
  ...expirySettings,
  allowedNetwork: {
    kind: 'list',
    placeholder: 'network',
    help: 'Address or network from which the client may be used, such as 192.0.2.0/24. Repeatable.',
    parse: parseText
  }
} as const satisfies Settings

/** The settings that lift restrictions. */
export const liftingSettings = {
  neverExpires: { kind: 'switch', variable: false, help: 'Remove the expiry.', parse: parseBoolean },
  anyNetwork: { kind: 'switch', variable: false, help: 'Remove the restriction to networks.', parse: parseBoolean }
} as const satisfies Settings

/** Returns the restrictions that the settings name. @throws {UsageError} if they contradict each other. */
export function toRestrictions(
  { allowedNetwork, ...expiry }: Values<typeof restrictionSettings>,
  now: number
): { readonly expiresAt?: string; readonly allowedNetworks?: readonly string[] } {
  return { ...toExpiry(expiry, now), ...(allowedNetwork.length > 0 ? { allowedNetworks: allowedNetwork } : {}) }
}

/** Returns the expiry that the settings name. @throws {UsageError} if they contradict each other. */
export function toExpiry(
  { expiresIn, expiresAt }: Values<typeof expirySettings>,
  now: number
): { readonly expiresAt?: string } {
  if (expiresIn && expiresAt) throw new UsageError('--expires-in and --expires-at cannot both be given')
  const moment = expiresIn ? toIsoString(now + parseDuration(expiresIn)) : expiresAt
  return moment ? { expiresAt: moment } : {}
}

function parseDuration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? []
  if (count === undefined) {
    throw new UsageError(`--expires-in cannot be "${text}": it is a number of minutes, hours or days, such as 90d`)
  }
  return Number(count) * (unit === 'd' ? DAY : unit === 'h' ? HOUR : MINUTE)
}
