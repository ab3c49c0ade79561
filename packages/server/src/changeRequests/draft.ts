import type { Edit } from '../audit/edit.ts'
import { given } from '../given.ts'
import type { StoredChangeRequest } from '../store/resources.ts'
import type { Validate } from '../validate.ts'
import { type Asked, perform } from './perform.ts'
import { rehearse } from './rehearse.ts'
import { snapshotOf } from './snapshot.ts'

/** What a change request has of what it asks for, and of the feature as it is. */
export type Draft = Pick<StoredChangeRequest, '_baseFeatureSnapshot' | 'body' | 'changes'> &
  Required<Pick<StoredChangeRequest, 'effect'>> &
  Pick<StoredChangeRequest, '_clientMaker'>

/** A change request of the caller, made from a feature as it is. Fails as the change would. */
export async function draftOf(change: Edit, asked: Asked, validate: Validate): Promise<Draft> {
  const rehearsed = { feature: asked.feature, maker: change.caller.id }
  const { changes, effect } = await rehearse(change, rehearsed, (part) => perform(part, asked, validate))
  const _baseFeatureSnapshot = await snapshotOf(change.store, asked.feature)
  const maker = given({ _clientMaker: change.caller.maker })
  return { _baseFeatureSnapshot, body: asked.body, changes: [...changes], effect, ...maker }
}
