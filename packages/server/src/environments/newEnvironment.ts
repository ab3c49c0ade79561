import type { CreateEnvironment, SdkKeyType } from '@burgee/contract'
import type { Edit } from '../audit/edit.ts'
import { given } from '../given.ts'
import type { Ids } from '../id.ts'
import type { SdkKey, StoredEnvironment, StoredProject } from '../store/resources.ts'

interface Making {
  readonly project: StoredProject
  readonly change: Pick<Edit, 'stamps' | 'caller' | 'at'>
  readonly ids: Ids
}

/** A new environment of a project, with one SDK key of each type. */
export function newEnvironment({ project, change, ids }: Making, body: CreateEnvironment): StoredEnvironment {
  const first = (type: SdkKeyType) => [newSdkKey(type, change, ids)]
  return {
    ...change.stamps(),
    _project: project._id,
    _createdBy: change.caller.id,
    settings: {},
    ...given(body),
    sdkKeys: { mobile: first('mobile'), client: first('client'), server: first('server') }
  }
}

/** The environments that a new project starts with. */
export function firstEnvironments(making: Making): readonly StoredEnvironment[] {
  const environments = stages.map((stage) => newEnvironment(making, stage))
  // Of what was made at the same moment, lists show the lowest id first.
  const inOrder = environments.map(({ _id }) => _id).sort()
  return environments.map((environment, index) => ({ ...environment, _id: inOrder[index] ?? environment._id }))
}

/** A new SDK key. */
export function newSdkKey(type: SdkKeyType, { at }: Pick<Edit, 'at'>, ids: Ids): SdkKey {
  return { key: ids.sdkKey(type), createdAt: at, compromised: false }
}

const stages = [
  { key: 'development', name: 'Development', type: 'development' },
  { key: 'staging', name: 'Staging', type: 'staging' },
  { key: 'production', name: 'Production', type: 'production' }
] as const satisfies readonly CreateEnvironment[]
