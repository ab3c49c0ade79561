import type { CreateProject } from '@burgee/contract'
import { created } from '../audit/changes.ts'
import type { Edit } from '../audit/edit.ts'
import { firstEnvironments } from '../environments/newEnvironment.ts'
import { given } from '../given.ts'
import type { Ids } from '../id.ts'
import type { StoredProject } from '../store/resources.ts'
import { defaultSettings } from './defaultSettings.ts'
import { demandMapped } from './demandMapped.ts'
import { mergeSettings } from './mergeSettings.ts'

/** Makes a project, with the environments that every project starts with. */
export async function addProject(
  change: Edit,
  { settings, ...members }: CreateProject,
  ids: Ids
): Promise<StoredProject> {
  const { store, caller, stamps, note } = change
  const project = await store.collection('projects').insert({
    ...stamps(),
    ...given(members),
    _organization: caller.organization,
    _createdBy: caller.id,
    settings: mergeSettings(defaultSettings, settings)
  })
  note({ _project: project._id }, [created('Project', project)])
  for (const environment of firstEnvironments({ project, change, ids })) {
    await store.collection('environments').insert(environment)
    note({}, [{ ...created('Environment', environment), _environments: [environment._id] }])
  }
  await demandMapped(store, { ...project, settings: defaultSettings }, settings)
  return project
}
