import { z } from 'zod'

/** Member names that can reach the prototype of an object. */
export const RESERVED_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** Keys that match the pattern but are unsafe in paths or as member names. */
const unusableKeys = [...RESERVED_KEYS, '.', '..']

/** The key of a resource: 1 to 100 characters of a–z, 0–9, hyphen, underscore and full stop. */
export const Key = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9\-_.]+$/, 'should have only a–z, 0–9, "-", "_" and "."')
  .refine((key) => !unusableKeys.includes(key), 'is a name that cannot be a key')
  .meta({
    id: 'Key',
    description: 'Identifies the resource in the API: 1 to 100 of a–z, 0–9, "-", "_" and ".".',
    example: 'new-checkout'
  })
export type Key = z.infer<typeof Key>
