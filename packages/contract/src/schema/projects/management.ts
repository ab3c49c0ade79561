import { z } from 'zod'
import { Id, recordFields } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { recordOf } from '../common/recordOf.ts'
import { ids, timestamps } from '../examples/shop.ts'

/** The kinds of resources that files can describe. */
export const ManagedKind = z.enum([
  'customProperty',
  'audience',
  'variable',
  'feature',
  'metric',
  'webhook',
  'settings'
])
export type ManagedKind = z.infer<typeof ManagedKind>

/** The maximum number of managed members of one resource. */
const MAX_MANAGED_MEMBERS = 5000

const Digest = z.string().min(1).max(64).meta({ description: 'A digest of the value that was applied last.' })

const managed = {
  kind: ManagedKind,
  key: z
    .string()
    .max(100)
    .meta({ description: 'The key; the name of a webhook. Empty for the settings of the project.' })
}

/** A resource with the members that files describe. */
export const ManagedResource = z
  .object({
    ...managed,
    fields: recordOf(Digest).meta({
      description: 'By path of the member, such as `environments.production.targets`.'
    })
  })
  .meta({
    id: 'ManagedResource',
    example: { kind: 'feature', key: 'new-checkout', fields: { name: '7f3a9c21', 'variations.on.name': '0b1d55e8' } }
  })
export type ManagedResource = z.infer<typeof ManagedResource>

/** The members of a project that files in a repository describe (docs/reference/management.md#managed-members). */
export const Management = z
  .object({
    ...recordFields,
    _project: Id,
    label: Key.meta({ description: 'Names the files.', example: 'shop-repo' }),
    repository: z.string().exactOptional().meta({ description: 'The repository, as in `acme/shop`.' }),
    path: z.string().exactOptional().meta({ description: 'The path of the files in the repository.' }),
    commit: z.string().exactOptional().meta({ description: 'The commit that was applied last.' }),
    resources: z.array(ManagedResource)
  })
  .meta({
    id: 'Management',
    example: {
      _id: ids.management,
      ...timestamps,
      _project: ids.project,
      label: 'shop-repo',
      repository: 'acme/shop',
      path: 'flags',
      commit: '3f2c1d9',
      resources: [{ kind: 'feature', key: 'new-checkout', fields: { name: '7f3a9c21' } }]
    }
  })
export type Management = z.infer<typeof Management>

const Place = z.string().min(1).max(500)

/** The maximum number of resources in one request. */
export const MAX_MANAGED_RESOURCES = 1000

/** The body that updates the members that files describe. */
export const UpdateManagement = z
  .strictObject({
    repository: Place.exactOptional().meta({ description: 'The repository, as in `acme/shop`.' }),
    path: Place.exactOptional().meta({ description: 'The path of the files in the repository.' }),
    commit: z.string().min(1).max(100).exactOptional().meta({ description: 'The commit that is applied.' }),
    resources: z
      .array(
        z.strictObject({
          ...managed,
          fields: recordOf(Digest)
            .refine((fields) => Object.keys(fields).length <= MAX_MANAGED_MEMBERS, {
              error: `should have at most ${MAX_MANAGED_MEMBERS} members`
            })
            .meta({ description: 'All managed members of the resource; without any, it is no longer managed.' })
        })
      )
      .max(MAX_MANAGED_RESOURCES)
      .meta({ description: 'At most 1,000. Other resources keep their members.' }),
    takeOver: z
      .boolean()
      .exactOptional()
      .meta({ description: 'Whether to take the members away from other labels. Default: false.' })
  })
  .meta({
    id: 'UpdateManagement',
    example: {
      repository: 'acme/shop',
      commit: '3f2c1d9',
      resources: [{ kind: 'feature', key: 'new-checkout', fields: { name: '7f3a9c21' } }]
    }
  })
export type UpdateManagement = z.infer<typeof UpdateManagement>
