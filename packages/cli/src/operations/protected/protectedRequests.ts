import type { ChangeRequest, ProjectChangeRequest } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { formatChangeRequest } from '../../output/formatChangeRequest.ts'
import { formatContents } from '../../output/formatContents.ts'
import { readNames } from '../../run/server/readNames.ts'
import { describeChanges, readChangeContext } from './describeChanges.ts'
import type { Describe } from './protectedChange.ts'

/** Describes what the application of a change request changes. It is shown in full, since a person confirms it. */
export const describeApplication: Describe = (request, session) => describeChangeRequest(request, session, 'Apply')

/** Describes what a scheduled change request changes; nothing if the schedule is cancelled. */
export const describeSchedule: Describe = (request, session) => {
  const { applyAt } = Object(request.body)
  return applyAt ? describeChangeRequest(request, session, 'Schedule') : Promise.resolve(undefined)
}

/** Describes what a review changes, if it applies the change request. */
export const describeReview: Describe = (request, session) => {
  const isApplied = String(request.query.apply) === 'true'
  return isApplied ? describeChangeRequest(request, session, 'Review and apply') : Promise.resolve(undefined)
}

async function describeChangeRequest(
  { params }: Parameters<Describe>[0],
  session: Parameters<Describe>[1],
  verb: string
): ReturnType<Describe> {
  const { call, client, project } = session
  const { feature } = params
  const own = { project: project(), ...(feature !== undefined && { feature }), id: params.id }
  const response = await call(feature === undefined ? 'getProjectChangeRequest' : 'getChangeRequest', { params: own })
  if (!isRecord(response)) return undefined
  // The client returns what the record declares.
  const shown = response as unknown as ChangeRequest | ProjectChangeRequest
  const of = feature === undefined ? { project: own.project } : { flag: String(feature) }
  const subject = feature === undefined ? `project ${own.project}` : String(feature)
  const lines =
    feature === undefined
      ? shown.changes.flatMap(formatContents)
      : describeChanges(
          shown.changes,
          await client.getFeature({ params: { project: own.project, feature: String(feature) } }),
          await readChangeContext(session)
        )
  return {
    lines: [formatChangeRequest({ ...shown, of, lines, names: await readNames(session) })],
    question: `${verb} this change of ${subject}?`
  }
}
