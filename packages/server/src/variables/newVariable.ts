import type { CreateVariable } from '@burgee/contract'
import type { Edit } from '../audit/edit.ts'
import { given } from '../given.ts'
import type { StoredProject, StoredVariable } from '../store/resources.ts'

/** A new variable of a project that no feature carries yet. */
export function newVariable(
  { _id: _project }: Pick<StoredProject, '_id'>,
  body: Omit<CreateVariable, '_feature' | 'defaultValue'>,
  { stamps, caller }: Pick<Edit, 'stamps' | 'caller'>
): StoredVariable {
  const members = { name: body.key, tags: [], ...given(body) }
  return { ...stamps(), _project, _createdBy: caller.id, source: caller.source, status: 'active', ...members }
}
