import { ApiError, paginate } from '@burgee/contract/client'
import type { ProjectChangeRequest } from '@burgee/contract/schemas'
import { digestOf } from '../../document/members.ts'
import type { Session } from '../../run/session.ts'

/** A request of the API that needs approval. */
export interface WrappedRequest {
  readonly path: string
  readonly body: object
  /** The key of the feature; `undefined` for requests about the project. */
  readonly feature?: string
}

interface RequestOptions {
  readonly project: string
  readonly label: string
  /** What the reviewers read. */
  readonly description: string
}

/** Whether a change was refused because it needs approval. */
export function needsApproval(error: unknown): error is ApiError {
  return error instanceof ApiError && error.errorType === 'ERR_APPROVAL_REQUIRED'
}

/**
 * Submits a change for review, and returns the id of the change request. If these files have a request for the feature
 * already, it is updated; an equal one stays as it is, with its reviews.
 */
export async function requestChange(
  { client }: Pick<Session, 'client'>,
  { path, body, feature }: WrappedRequest,
  { project, label, description }: RequestOptions
): Promise<string> {
  // The last line tells later runs what the request contains.
  const signature = `${signatureOf(label)} ${digestOf([path, body])}`
  const text = `${description.slice(0, MAX_DESCRIPTION)}\n${signature}`
  const submission = { description: text, reviewers: [] }
  // A body of the API is JSON.
  const json = body as Record<string, never>
  if (feature === undefined) {
    const listed = paginate(client.listChangeRequests, { params: { project }, query: { scope: 'project' } })
    for await (const request of listed) {
      const { _id, status, description: known } = request as ProjectChangeRequest
      if (isOpen(status) && known?.endsWith(signature)) return _id
    }
    const { _id } = await client.createProjectChangeRequest({
      params: { project },
      body: { path, method: 'PATCH', body: json }
    })
    await client.submitProjectChangeRequest({ params: { project, id: _id }, body: submission })
    return _id
  }
  const params = { project, feature }
  const open = await client.listPendingChangeRequests({ params })
  const own = open.find(({ description: known = '' }) => isOfLabel(known, label))
  if (own?.description?.endsWith(signature)) return own._id
  if (own) await client.updateChangeRequest({ params: { ...params, id: own._id }, body: { body: json } })
  const { _id } = own ?? (await client.createChangeRequest({ params, body: { path, method: 'PATCH', body: json } }))
  await client.submitChangeRequest({ params: { ...params, id: _id }, body: submission })
  return _id
}

/** Whether a change request is one of the files of a label, by its description. */
export function isOfLabel(description: string, label: string): boolean {
  return description.includes(`\n${signatureOf(label)} `)
}

/** The start of the last line of the description, a sentence because reviewers read it too. */
function signatureOf(label: string): string {
  return `Made by burgee apply of "${label}". Fingerprint of the change:`
}

const MAX_DESCRIPTION = 850

function isOpen(status: ProjectChangeRequest['status']): boolean {
  return status === 'pending' || status === 'approved'
}
