import type { Permission } from '@burgee/contract'
import type { Edit } from '../../../access/audit/edit.ts'
import { assertItemRevision, itemRevision } from '../../../access/audit/revision.ts'
import type { RecordFields } from '../../../storage/resources/recordFields.ts'
import type { IfMatch, Revised } from './handler.ts'

/** Adds the revision of a stored item to its serialized form. */
export function withRevision<Body>(item: RecordFields, body: Body): Revised<Body> {
  return { revision: itemRevision(item), body }
}

/**
 * Asserts within an edit that an item has the revision that a request requires. `permission` is the one to read the
 * item. @throws {HttpError} 412
 */
export function assertIfMatch(
  change: Edit,
  item: RecordFields & { readonly _project?: string },
  headers: IfMatch,
  permission: Permission
): Promise<void> {
  return assertItemRevision(change, item, { ifMatch: headers['if-match'], caller: change.caller, permission })
}
