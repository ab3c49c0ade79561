import { z } from 'zod'
import { Id, Name, NameInput } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { VariableValues } from '../common/variableValue.ts'
import { variationOn } from '../examples/checkout.ts'

/** The maximum number of variations of a feature. */
export const MAX_VARIATIONS = 100

/** A set of values for the variables of a feature. */
export const Variation = z
  .object({
    _id: Id,
    key: Key,
    name: Name,
    variables: VariableValues.exactOptional().meta({ description: 'Values by variable key.' })
  })
  .meta({ id: 'Variation', example: variationOn })
export type Variation = z.infer<typeof Variation>

/** A variation in the body of a feature. Existing variations are matched by `_id`, or else by key. */
export const VariationInput = Variation.partial({ _id: true })
  .extend({ name: NameInput })
  .strict()
  .meta({
    id: 'VariationInput',
    example: { key: variationOn.key, name: variationOn.name, variables: variationOn.variables }
  })
export type VariationInput = z.infer<typeof VariationInput>

/** The body that adds a variation to a feature. */
export const CreateVariation = VariationInput.omit({ _id: true }).meta({
  id: 'CreateVariation',
  example: { key: 'variation-b', name: 'Variation B', variables: { 'new-checkout': true } }
})
export type CreateVariation = z.infer<typeof CreateVariation>

/** The body that updates a variation. */
export const UpdateVariation = VariationInput.partial().meta({
  id: 'UpdateVariation',
  example: { variables: { 'new-checkout': false } }
})
export type UpdateVariation = z.infer<typeof UpdateVariation>
