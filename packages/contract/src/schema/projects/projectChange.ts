import { z } from 'zod'
import { DateTime, Id, UserReference } from '../common/fields.ts'
import { admin, createdAt, ids } from '../examples/shop.ts'
import { Actor, AuditLogChange } from '../organizations/audit.ts'

/** A message of the stream of changes of a project. */
export const ProjectChange = z
  .object({
    at: DateTime,
    actor: Actor.exactOptional(),
    idp_user: UserReference,
    types: z.array(AuditLogChange.shape.type).meta({ description: 'Without the types that the caller cannot see.' }),
    resource: z
      .object({
        type: z.string().meta({ description: 'As in `feature`, `environment`, `webhook`.' }),
        id: Id.exactOptional(),
        key: z.string().exactOptional()
      })
      .meta({ description: 'The feature that was changed; otherwise the first resource that was changed.' }),
    environments: z.array(z.string()).meta({
      description: 'The keys of the affected environments; the id of an environment that no longer exists.'
    })
  })
  .meta({
    id: 'ProjectChange',
    example: {
      at: createdAt,
      actor: 'person',
      idp_user: admin,
      types: ['modifiedTarget'],
      resource: { type: 'feature', id: ids.feature, key: 'new-checkout' },
      environments: ['production']
    }
  })
export type ProjectChange = z.infer<typeof ProjectChange>
