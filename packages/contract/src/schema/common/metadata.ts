import type * as core from '@burgee/core'
import { z } from 'zod'
import { RESERVED_KEYS } from './key.ts'

/** The most metadata members of a variable. */
const MAX_FACTS = 50

/** The longest name of a member. */
const MAX_NAME = 100

/** The names of evaluation metadata (`evaluationMetadata` of core; a test compares them), and names that are unsafe. */
const reservedNames: readonly string[] = ['_feature', 'evalReasonDetails', 'evalReasonTargetId', ...RESERVED_KEYS]

const Fact = z.union([z.string().max(1000), z.number(), z.boolean()], {
  error: () => 'should be a string, a number or a boolean'
})

/** Metadata of a variable, for OpenFeature clients (docs/reference/ofrep.md#metadata). */
export const Metadata: z.ZodType<core.Metadata> = z
  .record(z.string(), Fact)
  .refine(isWithinLimit, `should have at most ${MAX_FACTS} members`)
  .refine(hasValidNames, `should have names of 1 to ${MAX_NAME} characters`)
  .refine(hasNoReservedNames, `should have no member named ${reservedNames.join(', ')}`)
  .meta({
    id: 'Metadata',
    description: `At most ${MAX_FACTS} members, which OpenFeature clients receive as flag metadata.`,
    example: { owner: 'payments', tier: 2, isCritical: true }
  })
export type Metadata = z.infer<typeof Metadata>

function isWithinLimit(facts: object): boolean {
  return Object.keys(facts).length <= MAX_FACTS
}

function hasValidNames(facts: object): boolean {
  return Object.keys(facts).every((name) => name.length >= 1 && name.length <= MAX_NAME)
}

function hasNoReservedNames(facts: object): boolean {
  return !Object.keys(facts).some((name) => reservedNames.includes(name))
}
