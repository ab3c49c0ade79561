import type { CreateManifestFlag } from '@burgee/contract/schemas'
import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { StoredVariable } from '../../storage/resources/feature.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { updateVariable } from '../features/rules/variations/variables.ts'
import { updateFeature } from '../features/updateFeature.ts'
import { checkValues, invalidValues } from '../variables/checks.ts'
import type { FlagVariable } from './flagVariable.ts'
import { toManifestFlag } from './manifestFlag.ts'

/**
 * Updates the name, the description and the default value of a flag. Omitted ones keep their values.
 * @throws {HttpError} 400 if the default value does not fit the schema of the variable.
 */
export async function updateFlagVariable(
  change: Edit,
  project: StoredProject,
  found: FlagVariable,
  update: Partial<CreateManifestFlag>
): Promise<FlagVariable> {
  const { variable, feature } = found
  const after = { ...variable, ...changedMembers(update, toManifestFlag(variable, feature)) }
  assertFits(change, after)
  return persist(change, project, found, after)
}

type Changed = Partial<Pick<StoredVariable, 'name' | 'description' | 'defaultValue'>>

/** The members that differ from the flag. Omitted ones keep their values. */
function changedMembers(
  { name, description, defaultValue }: Partial<CreateManifestFlag>,
  flag: Partial<CreateManifestFlag>
): Changed {
  const isOther = (one: unknown, other: unknown) => one !== undefined && JSON.stringify(one) !== JSON.stringify(other)
  return {
    ...(name !== undefined && isOther(name, flag.name) && { name }),
    ...(isOther(description ?? undefined, flag.description ?? '') && { description: description ?? '' }),
    ...(description === null && flag.description && { description: '' }),
    ...(defaultValue !== undefined && isOther(defaultValue, flag.defaultValue) && { defaultValue })
  }
}

/** Asserts that the default value fits the schema of the variable. @throws {HttpError} 400 */
function assertFits({ compute }: Edit, variable: StoredVariable): void {
  if (variable.defaultValue === undefined) return
  const [[issue] = []] = checkValues([{ variable, values: [{ value: variable.defaultValue }] }], compute)
  if (issue !== undefined) throw invalidValues([`defaultValue of ${issue}`])
}

/** Stores a changed variable; nothing if it is equal. */
async function persist(
  change: Edit,
  project: StoredProject,
  { variable: before, feature }: FlagVariable,
  after: StoredVariable
): Promise<FlagVariable> {
  const changes = modifiedChanges('Variable', before, after)
  if (changes.length === 0) return { variable: before, feature }
  if (feature) {
    const update = featureUpdate(after)
    const { state } = await updateFeature(change, project, feature._id, { update })
    return { variable: state.variables.find(({ _id }) => _id === after._id) ?? after, feature: state.feature }
  }
  const updated = { ...after, updatedAt: change.at }
  change.recordChanges({ _project: before._project }, changes)
  await change.store.collection('variables').update(before._id, updated)
  return { variable: updated, feature }
}

function featureUpdate(after: StoredVariable): Parameters<typeof updateFeature>[3]['update'] {
  return (state, context) => updateVariable(state, context, after)
}
