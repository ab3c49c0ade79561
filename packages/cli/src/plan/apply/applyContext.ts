import { formatPath, isEqual, valueAt, withValue } from '../../document/members.ts'
import type { ProjectDocument, Resource } from '../../document/projectDocument.ts'
import type { Session } from '../../run/session.ts'
import type { ResourceChange } from '../difference/createPlan.ts'
import type { ServerProject } from '../project/readProject.ts'
import { requestChange, type WrappedRequest } from './approvals.ts'

/** The dependencies of changes. */
export interface ApplyContext {
  readonly session: Pick<Session, 'client' | 'explain' | 'suggest'>
  readonly files: ProjectDocument
  readonly server: ServerProject
  readonly label: string
  /** The text for reviewers of a change request. */
  readonly description: string
  /** Whether features that are on anywhere can be deleted. */
  readonly force: boolean
  /** The command that makes the plan again. */
  readonly planAgain: string
}

/** The ids of the change requests that a change became; none if it was applied. */
export type Requested = readonly string[]

/** A resource has changed since the plan was made. */
export class PlanOutdatedError extends Error {
  override readonly name = 'PlanOutdatedError'
}

/** Returns a resource with the changes of its members. */
export function desired({ members }: ResourceChange, before: Resource): Resource {
  return members.reduce((resource, { path, after }) => withValue(resource, path, after), before)
}

/** Asserts that the members that change are as the plan saw them. @throws {PlanOutdatedError} */
export function assertAsPlanned(
  { section, key, members }: ResourceChange,
  fresh: Resource,
  { planAgain }: Pick<ApplyContext, 'planAgain'>
): Resource {
  for (const { path, before } of members) {
    if (isEqual(valueAt(fresh, path), before)) continue
    throw new PlanOutdatedError(
      `${formatPath([section, key, ...path])} has changed since the plan was made: run ${planAgain}, then apply again`
    )
  }
  return fresh
}

/** Creates a change request instead of a change that needs approval. Returns its id. */
export function submit(
  request: WrappedRequest,
  { session, server, label, description }: ApplyContext
): Promise<string> {
  return requestChange(session, request, { project: server.key, label, description })
}
