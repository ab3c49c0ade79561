import { z } from 'zod'

/** Names of members that could reach the prototype of an object. */
export const RESERVED_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Keys that the pattern admits and that no address or keyed object can carry safely. */
const unusableKeys = [...RESERVED_KEYS, '.', '..']

/** What names a variable, feature or other resource in an address: 1 to 100 of a–z, 0–9, hyphen, underscore and full stop. */
export const Key = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9\-_.]+$/, 'should have only a–z, 0–9, "-", "_" and "."')
  .refine((key) => !unusableKeys.includes(key), 'is a name that cannot be a key')
  .meta({ id: 'Key', example: 'new-checkout' })
export type Key = z.infer<typeof Key>
