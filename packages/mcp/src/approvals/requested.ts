import { ApiError } from '@burgee/contract/client'
import { ChangeRequest, Feature } from '@burgee/contract/schemas'
import { z } from 'zod'
import type { Call } from '../api/call.ts'

/** What a tool answers when what it was called for waits for an approval. */
export const Requested = z.object({ changeRequest: ChangeRequest, message: z.string() })
export type Requested = z.infer<typeof Requested>

/** The same of a feature that was made on the way. */
export const CreatedAndRequested = z.object({
  feature: Feature,
  changeRequest: ChangeRequest.optional(),
  message: z.string()
})

/** A change of a feature, as the API takes it. */
export interface Wanted {
  readonly toolName: string
  /** Key or id of the feature. */
  readonly feature: string
  /** Which part of the feature the body is for: all of it, when it is left out. */
  readonly part?: '/status'
  readonly body: object
}

/** What a change answers; where the server wants it approved first, it is asked for by a change request instead. */
export async function orRequested<T>(change: () => Promise<T>, wanted: Wanted, call: Call): Promise<T | Requested> {
  try {
    return await change()
  } catch (error) {
    if (!needsApproval(error)) throw error
    return requestChange(wanted, call)
  }
}

/** Whether the server refused a change because somebody else has to approve it. */
export function needsApproval(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status !== 403) return false
  const { body } = error
  return typeof body === 'object' && body !== null && 'errorType' in body && body.errorType === 'ERR_APPROVAL_REQUIRED'
}

/** Puts a change before the reviewers of the project. */
export async function requestChange(wanted: Wanted, { client, project }: Call): Promise<Requested> {
  const { toolName, feature, part = '', body } = wanted
  const params = { project: project(), feature }
  const { settings } = await client.getProject({ params: { key: project() } })
  const path = `/v2/projects/${project()}/features/${feature}${part}`
  const draft = await client.createChangeRequest({ params, body: { path, method: 'PATCH', body: json(body) } })
  const changeRequest = await client.submitChangeRequest({
    params: { ...params, id: draft._id },
    body: {
      description: `An assistant asked for this with ${toolName}.`,
      reviewers: settings.featureApprovalWorkflow.defaultReviewers
    }
  })
  const message = `Nothing is changed yet: change request ${changeRequest._id} needs the review of somebody else, and is to be applied once it is approved.`
  return { changeRequest, message }
}

type Body = NonNullable<Parameters<Call['client']['createChangeRequest']>[0]>['body']['body']

/** A body without the members that are not given, which is what would be sent of it. */
function json(body: object): Body {
  return JSON.parse(JSON.stringify(body))
}
