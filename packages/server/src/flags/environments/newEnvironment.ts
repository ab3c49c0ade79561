import type { SdkKeyType } from '@burgee/contract'
import { initialEnvironments } from '@burgee/contract/rules'
import type { CreateEnvironment } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { SdkKey, StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'

interface NewEnvironmentOptions {
  readonly project: StoredProject
  readonly change: Pick<Edit, 'recordFields' | 'caller' | 'at'>
  readonly ids: IdGenerator
}

/** Creates an environment with one SDK key of each type. */
export function newEnvironment(
  { project, change, ids }: NewEnvironmentOptions,
  body: CreateEnvironment
): StoredEnvironment {
  const keys = (type: SdkKeyType) => [newSdkKey(type, change, ids)]
  return {
    ...change.recordFields(),
    _project: project._id,
    _createdBy: change.caller.id,
    settings: {},
    ...omitUndefined(body),
    sdkKeys: { mobile: keys('mobile'), client: keys('client'), server: keys('server') }
  }
}

/** Creates the environments of a new project. */
export function defaultEnvironments(options: NewEnvironmentOptions): readonly StoredEnvironment[] {
  const environments = initialEnvironments.map((stage) => newEnvironment(options, stage))
  // Lists sort items with the same creation time by id.
  const inOrder = environments.map(({ _id }) => _id).sort()
  return environments.map((environment, index) => ({ ...environment, _id: inOrder[index] ?? environment._id }))
}

/** Creates an SDK key. */
export function newSdkKey(type: SdkKeyType, { at }: Pick<Edit, 'at'>, ids: IdGenerator): SdkKey {
  return { key: ids.sdkKey(type), createdAt: at, compromised: false }
}
