import { ApiError } from '@burgee/contract/client'
import { ChangeRequest, Feature } from '@burgee/contract/schemas'
import { z } from 'zod'
import type { Call } from '../api/call.ts'
import { neededReviews } from './approvalPolicy.ts'

/** The result of a change that waits for approval. */
export const ChangeRequested: z.ZodObject<{ changeRequest: typeof ChangeRequest; message: z.ZodString }> = z.object({
  changeRequest: ChangeRequest,
  message: z.string()
})
export type ChangeRequested = z.infer<typeof ChangeRequested>

/** The result of a feature whose activation in protected environments waits for approval. */
export const ActivationRequested: z.ZodObject<{
  feature: typeof Feature
  changeRequest: z.ZodExactOptional<typeof ChangeRequest>
  message: z.ZodString
}> = z.object({
  feature: Feature,
  changeRequest: ChangeRequest.exactOptional(),
  message: z.string()
})
export type ActivationRequested = z.infer<typeof ActivationRequested>

/** A change of a feature, in the form of the API. */
export interface FeatureChange {
  readonly toolName: string
  /** Key or id of the feature. */
  readonly feature: string
  /** The part of the feature that the body updates; the whole feature if omitted. */
  readonly part?: '/status'
  readonly body: object
}

/** Makes a change, or submits a change request if the server requires approval. */
export async function withChangeRequest<T>(
  change: () => Promise<T>,
  featureChange: FeatureChange,
  call: Call
): Promise<T | ChangeRequested> {
  try {
    return await change()
  } catch (error) {
    if (!needsApproval(error)) throw error
    return requestChange(featureChange, call)
  }
}

/** Whether the server rejected a change because it requires approval. */
export function needsApproval(error: unknown): error is ApiError {
  return error instanceof ApiError && error.errorType === 'ERR_APPROVAL_REQUIRED'
}

/** Creates a change request, and submits it to the default reviewers of the project. */
export async function requestChange(featureChange: FeatureChange, { client, project }: Call): Promise<ChangeRequested> {
  const { toolName, feature, part = '', body } = featureChange
  const params = { project: project(), feature }
  const { settings } = await client.getProject({ params: { key: project() } })
  const path = `/v2/projects/${project()}/features/${feature}${part}`
  const draft = await client.createChangeRequest({ params, body: { path, method: 'PATCH', body: json(body) } })
  const changeRequest = await client.submitChangeRequest({
    params: { ...params, id: draft._id },
    body: {
      description: `Requested by an assistant with ${toolName}.`,
      reviewers: settings.featureApprovalWorkflow.defaultReviewers
    }
  })
  const message = `Nothing is changed yet: change request ${changeRequest._id} needs ${neededReviews({ settings })}, and must be applied once it is approved.`
  return { changeRequest, message }
}

type Body = NonNullable<Parameters<Call['client']['createChangeRequest']>[0]>['body']['body']

/** Drops `undefined` members, as serializing the body does. */
function json(body: object): Body {
  return JSON.parse(JSON.stringify(body))
}
