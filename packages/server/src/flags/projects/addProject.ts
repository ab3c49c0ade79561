import type { CreateProject } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { defaultEnvironments } from '../environments/newEnvironment.ts'
import { assertValidEnvironmentMap } from './assertValidEnvironmentMap.ts'
import { defaultSettings } from './defaultSettings.ts'
import { mergeSettings } from './mergeSettings.ts'

/** Creates a project with its default environments. */
export async function addProject(
  change: Edit,
  { settings, ...members }: CreateProject,
  ids: IdGenerator
): Promise<StoredProject> {
  const { store, caller, recordFields, recordChanges } = change
  const project = await store.collection('projects').insert({
    ...recordFields(),
    ...omitUndefined(members),
    _organization: caller.organization,
    _createdBy: caller.id,
    settings: mergeSettings(defaultSettings, settings)
  })
  recordChanges({ _project: project._id }, [createdChange('Project', project)])
  for (const environment of defaultEnvironments({ project, change, ids })) {
    await store.collection('environments').insert(environment)
    recordChanges({}, [{ ...createdChange('Environment', environment), _environments: [environment._id] }])
  }
  await assertValidEnvironmentMap(store, { ...project, settings: defaultSettings }, settings)
  return project
}
