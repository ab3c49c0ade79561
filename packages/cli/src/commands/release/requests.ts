import { ApiError, paginate } from '@burgee/contract/client'
import type { ListedChangeRequest } from '@burgee/contract/schemas'
import { parseText, UsageError } from '@burgee/kit/settings'
import { describeChanges, readChangeContext } from '../../operations/protected/describeChanges.ts'
import { formatMinute } from '../../output/formatChange.ts'
import { formatChangeRequest } from '../../output/formatChangeRequest.ts'
import { formatColumns } from '../../output/formatColumns.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { ConflictError, NotFoundError } from '../../run/failures/errors.ts'
import { approvalHint } from '../../run/failures/toFailure.ts'
import type { Session } from '../../run/session.ts'
import { confirmationSettings, limitSettings, projectSettings } from '../../run/settings.ts'

const statuses = ['draft', 'pending', 'approved', 'applied', 'rejected', 'cancelled'] as const

const messageSetting = {
  message: { short: '-m', variable: false, help: 'Comment for the author and the reviewers.', parse: parseText }
} as const

/** `burgee requests …` */
export const requestCommands = [
  apiCommand({
    name: 'requests list',
    summary: 'List the change requests of flags.',
    settings: {
      status: {
        variable: false,
        placeholder: 'status',
        choices: statuses,
        help: `Only those with this status: ${statuses.join(', ')}.`,
        parse: (text: string) => (text === '' ? '' : statuses.find((status) => status === text))
      },
      ...limitSettings,
      ...projectSettings
    },
    run: async ({ settings: { status, limit } }, session) => {
      const data = await listRequests(session, status ? { status } : {}, limit)
      return { data, text: (width) => formatRequests(data, width) }
    }
  }),
  apiCommand({
    name: 'requests show',
    summary: 'Show a change request, with its changes.',
    arguments: ['<id>'],
    settings: projectSettings,
    run: async ({ arguments: [id = ''] }, session) => {
      const data = await findRequest(session, id)
      const text = await describeRequest(session, data)
      return { data, text: () => text }
    }
  }),
  apiCommand({
    name: 'requests approve',
    summary: 'Approve a change request, after showing its changes.',
    arguments: ['<id>'],
    settings: { ...messageSetting, ...projectSettings, ...confirmationSettings },
    details:
      'Approves exactly the content that was shown. Example:\n  burgee requests approve 65f0c0ffee0123456789000d -m "Tried it on staging."',
    run: async ({ arguments: [id = ''], settings: { message } }, session) => {
      const request = await findRequest(session, id)
      await confirmShown(session, request, 'Approve')
      const params = paramsOf(session, request)
      const body = { action: 'approved', comment: message, contentHash: request.contentHash } as const
      await session.client.reviewChangeRequest({ params, body })
      const data = await session.client.getChangeRequest({ params })
      const next = data.status === 'approved' ? ` Next: ${session.suggest(`requests apply ${id}`)}` : ''
      return { data, text: () => `Approved ${id}; its status is ${data.status}.${next}` }
    }
  }),
  apiCommand({
    name: 'requests reject',
    summary: 'Reject a change request, with a comment for its author.',
    arguments: ['<id>'],
    settings: { ...messageSetting, ...projectSettings },
    details: 'Example:\n  burgee requests reject 65f0c0ffee0123456789000d -m "The share is too large."',
    run: async ({ arguments: [id = ''], settings: { message } }, session) => {
      if (message === '') throw new UsageError('requests reject needs -m, a comment for the author')
      const request = await findRequest(session, id)
      const body = { action: 'rejected', comment: message, contentHash: request.contentHash } as const
      await session.client.reviewChangeRequest({ params: paramsOf(session, request), body })
      return { data: { id, status: 'rejected' }, text: () => `Rejected ${id} of ${request.feature.key}.` }
    }
  }),
  apiCommand({
    name: 'requests apply',
    summary: 'Apply an approved change request.',
    arguments: ['<id>'],
    settings: { ...messageSetting, ...projectSettings, ...confirmationSettings },
    run: async ({ arguments: [id = ''], settings: { message } }, session) => {
      const request = await findRequest(session, id)
      await confirmShown(session, request, 'Apply')
      const description = message || request.description || 'Applied with burgee.'
      const data = await session.client.applyChangeRequest({
        params: paramsOf(session, request),
        body: { action: 'applied', description }
      })
      return { data, text: () => `Applied ${id} to ${request.feature.key}.` }
    }
  })
]

async function listRequests(
  session: Session,
  query: { readonly status?: (typeof statuses)[number] },
  limit = 0
): Promise<readonly ListedChangeRequest[]> {
  const { client, project } = session
  const requests: ListedChangeRequest[] = []
  const list = async (request: Parameters<typeof client.listChangeRequests>[0]) => {
    const page = await client.listChangeRequests(request).catch((error: unknown) => {
      // The API returns 405 for a project without approvals.
      throw error instanceof ApiError && error.status === 405 ? noApprovals(session, error) : error
    })
    // Without a scope, the list has the requests of features.
    return page as readonly ListedChangeRequest[]
  }
  for await (const request of paginate(list, { params: { project: project() }, query })) {
    requests.push(request)
    if (requests.length === limit) break
  }
  return requests
}

function noApprovals({ project, suggest }: Session, cause: ApiError): ConflictError {
  const message = `project ${project()} requires no approval, so it has no change requests: its flags change at once`
  return new ConflictError(message, { cause, hint: approvalHint(suggest) })
}

async function findRequest(session: Session, id: string): Promise<ListedChangeRequest> {
  const found = (await listRequests(session, {})).find(({ _id }) => _id === id)
  if (found) return found
  throw new NotFoundError(
    `project ${session.project()} has no change request "${id}" of a flag: ${session.suggest('requests list')} shows their ids`
  )
}

function paramsOf({ project }: Session, { _id, feature }: ListedChangeRequest) {
  return { project: project(), feature: feature.key, id: _id }
}

async function confirmShown(session: Session, request: ListedChangeRequest, verb: string): Promise<void> {
  session.terminal.show(await describeRequest(session, request))
  await session.confirm(`${verb} this change of ${request.feature.key}?`)
}

function formatRequests(requests: readonly ListedChangeRequest[], width: number): string {
  if (requests.length === 0) return 'There are no change requests.'
  const rows = requests.map(({ _id, feature, status, description = '', updatedAt }) => {
    return [_id, feature.key, status, formatMinute(updatedAt), description]
  })
  return formatColumns([['ID', 'FLAG', 'STATUS', 'CHANGED', 'DESCRIPTION'], ...rows], width, [3]).join('\n')
}

async function describeRequest(session: Session, request: ListedChangeRequest): Promise<string> {
  const { key } = request.feature
  const [feature, context] = await Promise.all([
    session.client.getFeature({ params: { project: session.project(), feature: key } }),
    readChangeContext(session)
  ])
  return formatChangeRequest({
    ...request,
    of: { flag: key },
    lines: describeChanges(request.changes, feature, context)
  })
}
