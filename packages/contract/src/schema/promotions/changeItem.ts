import { z } from 'zod'
import { Id, Reference } from '../common/fields.ts'
import { ManagementError } from '../common/managementError.ts'
import { AuditLogChange } from '../organizations/audit.ts'
import { ChangeRequest } from '../projects/changeRequest.ts'

/** The outcome of a change of one feature, in the report of a request that changes several. */
export const ChangeItem = z
  .object({
    feature: Reference,
    outcome: z
      .enum(['applied', 'changeRequest', 'unchanged', 'refused', 'wouldApply', 'wouldRequest'])
      .meta({ description: 'Previews have `wouldApply` for `applied`, and `wouldRequest` for `changeRequest`.' }),
    changes: z.array(AuditLogChange),
    error: ManagementError.exactOptional().meta({ description: 'Present if the item is refused.' }),
    changeRequest: ChangeRequest.exactOptional(),
    revision: Id.exactOptional().meta({
      description: 'The id of the newest audit entry that changed the feature, or of the feature if there is none.'
    })
  })
  .meta({ id: 'ChangeItem' })
export type ChangeItem = z.infer<typeof ChangeItem>
