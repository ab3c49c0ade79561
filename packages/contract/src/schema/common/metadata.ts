import type * as core from '@burgee/core'
import { z } from 'zod'
import { RESERVED_KEYS } from './key.ts'

/** The maximum number of metadata members of a variable. */
const MAX_MEMBERS = 50

/** The longest name of a member. */
const MAX_NAME = 100

/** The names of evaluation metadata (`evaluationMetadata` of core; a test compares them), and names that are unsafe. */
const reservedNames: readonly string[] = ['_feature', 'evalReasonDetails', 'evalReasonTargetId', ...RESERVED_KEYS]

const Value = z.union([z.string().max(1000), z.number(), z.boolean()], {
  error: () => 'should be a string, a number or a boolean'
})

/** Metadata of a variable, for OpenFeature clients (docs/reference/ofrep.md#metadata). */
export const Metadata: z.ZodType<core.Metadata> = z
  .record(z.string(), Value)
  .refine(isWithinLimit, `should have at most ${MAX_MEMBERS} members`)
  .refine(hasValidNames, `should have names of 1 to ${MAX_NAME} characters`)
  .refine(hasNoReservedNames, `should have no member named ${reservedNames.join(', ')}`)
  .meta({
    id: 'Metadata',
    description: `At most ${MAX_MEMBERS} members, which OpenFeature clients receive as flag metadata.`,
    example: { owner: 'payments', tier: 2, isCritical: true }
  })
export type Metadata = z.infer<typeof Metadata>

function isWithinLimit(metadata: object): boolean {
  return Object.keys(metadata).length <= MAX_MEMBERS
}

function hasValidNames(metadata: object): boolean {
  return Object.keys(metadata).every((name) => name.length >= 1 && name.length <= MAX_NAME)
}

function hasNoReservedNames(metadata: object): boolean {
  return !Object.keys(metadata).some((name) => reservedNames.includes(name))
}
