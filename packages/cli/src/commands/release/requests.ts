import { ApiError, collect } from '@burgee/contract/client'
import { findTransition } from '@burgee/contract/rules'
import type { ListedChangeRequest } from '@burgee/contract/schemas'
import { optionalChoice, parseText, UsageError } from '@burgee/kit/settings'
import { describeChanges, readChangeContext } from '../../operations/protected/describeChanges.ts'
import { formatMinute } from '../../output/formatChange.ts'
import { formatChangeRequest, titleOf } from '../../output/formatChangeRequest.ts'
import { formatColumns } from '../../output/formatColumns.ts'
import type { Names } from '../../output/peopleNames.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { ConflictError, NotFoundError } from '../../run/failures/errors.ts'
import { approvalHint } from '../../run/failures/toFailure.ts'
import { assertMayCall } from '../../run/server/assertPermitted.ts'
import { readNames } from '../../run/server/readNames.ts'
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
    details: 'Example:\n  burgee requests list --status pending',
    settings: {
      status: {
        variable: false,
        placeholder: 'status',
        help: `Only those with this status: ${statuses.join(', ')}.`,
        ...optionalChoice(statuses)
      },
      ...limitSettings,
      ...projectSettings
    },
    run: async ({ settings: { status, limit } }, session) => {
      const data = await listRequests(session, status ? { status } : {}, limit)
      const names = data.length > 0 ? await readNames(session) : new Map()
      return { data, text: (width) => formatRequests(data, names, width) }
    }
  }),
  apiCommand({
    name: 'requests show',
    summary: 'Show a change request, with its changes.',
    arguments: ['<request>'],
    details: 'Example:\n  burgee requests show 65f0c0ffee0123456789000d',
    settings: projectSettings,
    run: async ({ arguments: [id = ''] }, session) => {
      const data = await findRequest(session, id)
      const text = await formatShown(session, data)
      return { data, text: () => text }
    }
  }),
  apiCommand({
    name: 'requests approve',
    summary: 'Approve a change request, after showing its changes.',
    arguments: ['<request>'],
    settings: { ...messageSetting, ...projectSettings, ...confirmationSettings },
    details:
      'Approves exactly the content that was shown. Example:\n  burgee requests approve 65f0c0ffee0123456789000d -m "Tried it on staging."',
    run: async ({ arguments: [id = ''], settings: { message } }, session) => {
      const request = await findRequest(session, id)
      await assertMayCall(session, ['reviewChangeRequest'])
      assertTransition(session, request, 'approve')
      await assertReviewer(session, request)
      const params = paramsOf(session, request)
      const body = { action: 'approved', comment: message, contentHash: request.contentHash } as const
      // A refusal of the server comes before the question.
      await session.client.reviewChangeRequest({ params, query: { dryRun: 'true' }, body })
      await confirmShown(session, request, 'Approve')
      await session.client.reviewChangeRequest({ params, body })
      const data = await session.client.getChangeRequest({ params })
      const next = data.status === 'approved' ? ` Next: ${session.suggest(`requests apply ${id}`)}` : ''
      return { data, text: () => `Approved ${id}; its status is ${data.status}.${next}` }
    }
  }),
  apiCommand({
    name: 'requests reject',
    summary: 'Reject a change request, with a comment for its author.',
    arguments: ['<request>'],
    // It asks nothing: --yes is accepted, as by the other commands that change requests.
    settings: { ...messageSetting, ...projectSettings, ...confirmationSettings },
    details: 'Example:\n  burgee requests reject 65f0c0ffee0123456789000d -m "The share is too large."',
    run: async ({ arguments: [id = ''], settings: { message } }, session) => {
      if (message === '') throw new UsageError('requests reject needs -m, a comment for the author')
      const request = await findRequest(session, id)
      assertTransition(session, request, 'reject')
      const body = { action: 'rejected', comment: message, contentHash: request.contentHash } as const
      await session.client.reviewChangeRequest({ params: paramsOf(session, request), body })
      return { data: { id, status: 'rejected' }, text: () => `Rejected ${id} of ${request.feature.key}.` }
    }
  }),
  apiCommand({
    name: 'requests cancel',
    summary: 'Cancel a change request that is no longer needed.',
    arguments: ['<request>'],
    // It asks nothing: --yes is accepted, as by the other commands that change requests.
    settings: { ...projectSettings, ...confirmationSettings },
    details:
      'Its author and everyone who may publish can cancel it.\n\nExample:\n  burgee requests cancel 65f0c0ffee0123456789000d',
    run: async ({ arguments: [id = ''] }, session) => {
      const request = await findRequest(session, id)
      assertTransition(session, request, 'cancel')
      await session.client.cancelChangeRequest({ params: paramsOf(session, request) })
      return { data: { id, status: 'cancelled' }, text: () => `Cancelled ${id} of ${request.feature.key}.` }
    }
  }),
  apiCommand({
    name: 'requests apply',
    summary: 'Apply an approved change request.',
    arguments: ['<request>'],
    details: 'Example:\n  burgee requests apply 65f0c0ffee0123456789000d',
    settings: { ...messageSetting, ...projectSettings, ...confirmationSettings },
    run: async ({ arguments: [id = ''], settings: { message } }, session) => {
      const request = await findRequest(session, id)
      await assertMayCall(session, ['applyChangeRequest'])
      assertTransition(session, request, 'apply')
      if (request.status !== 'approved') await assertBypass(session, request)
      const params = paramsOf(session, request)
      const body = {
        action: 'applied',
        description: message || request.description || 'Applied with burgee.'
      } as const
      // A refusal of the server comes before the question.
      await session.client.applyChangeRequest({ params, query: { dryRun: 'true' }, body })
      await confirmShown(session, request, 'Apply')
      const data = await session.client.applyChangeRequest({ params, body })
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
  const list = async (request: Parameters<typeof client.listChangeRequests>[0]) => {
    const page = await client.listChangeRequests(request).catch((error: unknown) => {
      // The API returns 405 for a project without approvals.
      throw error instanceof ApiError && error.status === 405 ? noApprovals(session, error) : error
    })
    // Without a scope, the list has the requests of features.
    return page as readonly ListedChangeRequest[]
  }
  return collect(list, { params: { project: project() }, query }, limit || undefined)
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

/** Asserts that the status of a change request allows an action. @throws {ConflictError} with what it allows */
function assertTransition(session: Session, request: ListedChangeRequest, action: 'approve' | RequestAction): void {
  const { _id: id, status, emergency } = request
  if (findTransition(action, status) || (action === 'approve' && status === 'applied' && emergency)) return
  const others = (['approve', 'reject', 'apply', 'cancel'] as const).filter((one) => findTransition(one, status))
  const next = others.filter((one) => one !== 'apply' || status === 'approved')
  const commands = next.map((one) => session.suggest(`requests ${one} ${id}${one === 'reject' ? ' -m <comment>' : ''}`))
  const done = { approve: 'approved', reject: 'rejected', apply: 'applied', cancel: 'cancelled' }[action]
  throw new ConflictError(`change request ${id} is ${status}, so it cannot be ${done}`, {
    ...(commands.length > 0 && { hint: `Possible now: ${commands.join(', ')}` })
  })
}

type RequestAction = 'reject' | 'apply' | 'cancel'

/** Asserts that the caller did not make the request, or may approve their own. @throws {ApiError} 403, as for their clients */
async function assertReviewer(session: Session, { _createdBy }: ListedChangeRequest): Promise<void> {
  const [{ user }, canBypass] = await Promise.all([session.client.getSession(), allowsBypass(session)])
  if (user.id !== _createdBy || canBypass) return
  const message = 'you made this change request, so another person has to approve it'
  throw new ApiError('reviewChangeRequest', 403, { message })
}

/** Asserts that a request that is not approved can be applied. @throws {ConflictError} with the command that approves it */
async function assertBypass(session: Session, { _id: id, status }: ListedChangeRequest): Promise<void> {
  if (await allowsBypass(session)) return
  throw new ConflictError(`change request ${id} is ${status}, and not approved`, {
    hint: `Another person approves it with ${session.suggest(`requests approve ${id}`)}`
  })
}

async function allowsBypass({ client, project }: Session): Promise<boolean> {
  const { settings } = await client.getProject({ params: { key: project() } })
  return settings.featureApprovalWorkflow.allowPublisherBypass
}

async function confirmShown(session: Session, request: ListedChangeRequest, verb: string): Promise<void> {
  session.terminal.show(await formatShown(session, request))
  await session.confirm(`${verb} this change of ${request.feature.key}?`)
}

function formatRequests(requests: readonly ListedChangeRequest[], names: Names, width: number): string {
  if (requests.length === 0) return 'There are no change requests.'
  const rows = requests.map((request) => {
    const { _id, feature, status, updatedAt, _createdBy } = request
    return [_id, feature.key, status, names.get(_createdBy) ?? _createdBy, formatMinute(updatedAt), titleOf(request)]
  })
  return formatColumns([['ID', 'FLAG', 'STATUS', 'BY', 'CHANGED', 'DESCRIPTION'], ...rows], width, {
    optional: [4, 3],
    wrapped: [1]
  }).join('\n')
}

async function formatShown(session: Session, request: ListedChangeRequest): Promise<string> {
  const { key } = request.feature
  const [feature, context, names] = await Promise.all([
    session.client.getFeature({ params: { project: session.project(), feature: key } }),
    readChangeContext(session),
    readNames(session)
  ])
  return formatChangeRequest({
    ...request,
    of: { flag: key },
    names,
    lines: describeChanges(request.changes, feature, { ...context, areApplied: request.status === 'applied' })
  })
}
