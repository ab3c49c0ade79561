import type { CreateVariable } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredVariable } from '../../storage/resources/feature.ts'
import type { StoredProject } from '../../storage/resources/project.ts'

/** Creates a variable without a feature. */
export function newVariable(
  { _id: _project }: Pick<StoredProject, '_id'>,
  body: Omit<CreateVariable, '_feature' | 'defaultValue'>,
  { recordFields, caller }: Pick<Edit, 'recordFields' | 'caller'>
): StoredVariable {
  const members = { name: body.key, tags: [], ...omitUndefined(body) }
  return { ...recordFields(), _project, _createdBy: caller.id, source: caller.source, status: 'active', ...members }
}
