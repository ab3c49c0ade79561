import { z } from 'zod'
import { DateTime, Description, Name, NameInput } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { VariableValue } from '../common/variableValue.ts'
import { createdAt } from '../examples/shop.ts'

/** The type of a flag. The specification has no `float`, which its command line sends and accepts. */
const FlagType = z
  .enum(['boolean', 'string', 'integer', 'float', 'object'])
  .meta({ description: 'The type of the values.' })

const example = {
  key: 'search-rollout',
  name: 'Search rollout',
  type: 'boolean',
  description: 'Enable the new search experience.',
  defaultValue: false
} as const

/** A variable, as the manifest of OpenFeature's tools describes it. */
export const ManifestFlag = z
  .object({
    key: Key,
    name: Name.exactOptional(),
    type: FlagType,
    description: Description.nullable().exactOptional(),
    defaultValue: VariableValue.meta({ description: 'The value in code where nothing else is served.' })
  })
  .meta({ id: 'ManifestFlag', example })
export type ManifestFlag = z.infer<typeof ManifestFlag>

/** The variables of a project, as a manifest. */
export const Manifest = z
  .object({ flags: z.array(ManifestFlag) })
  .meta({ id: 'Manifest', example: { flags: [example] } })
export type Manifest = z.infer<typeof Manifest>

/** The body that creates a flag. */
export const CreateManifestFlag = ManifestFlag.extend({ name: NameInput.exactOptional() })
  .strict()
  .meta({ id: 'CreateManifestFlag', example })
export type CreateManifestFlag = z.infer<typeof CreateManifestFlag>

/** The body that updates a flag. */
export const UpdateManifestFlag = CreateManifestFlag.extend({
  defaultValue: ManifestFlag.shape.defaultValue.exactOptional()
}).meta({ id: 'UpdateManifestFlag', example: { key: 'winter-banner', type: 'boolean', defaultValue: true } })
export type UpdateManifestFlag = z.infer<typeof UpdateManifestFlag>

/** A flag after a change. */
export const ManifestFlagResponse = z
  .object({ flag: ManifestFlag, updatedAt: DateTime })
  .meta({ id: 'ManifestFlagResponse', example: { flag: example, updatedAt: createdAt } })
export type ManifestFlagResponse = z.infer<typeof ManifestFlagResponse>

/** The result of archiving a flag. */
export const ArchivedManifestFlag = z.object({ message: z.string(), archivedAt: DateTime.nullable() }).meta({
  id: 'ArchivedManifestFlag',
  example: { message: 'Flag "winter-banner" archived. It can be restored.', archivedAt: createdAt }
})
export type ArchivedManifestFlag = z.infer<typeof ArchivedManifestFlag>

/** The error body of the manifest. */
export const ManifestError = z
  .object({
    error: z.object({
      message: z.string(),
      status: z.int(),
      details: z
        .array(
          z.object({
            field: z.string().exactOptional(),
            code: z.string().exactOptional(),
            message: z.string().exactOptional()
          })
        )
        .exactOptional()
    })
  })
  .meta({
    id: 'ManifestError',
    example: { error: { message: 'Flag type cannot be changed from boolean to string.', status: 409 } }
  })
export type ManifestError = z.infer<typeof ManifestError>
