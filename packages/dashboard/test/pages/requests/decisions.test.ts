import { type ChangeRequestAction, findTransition, isOneOfActors } from '@burgee/contract/rules'
import type { ChangeRequest } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { compareWithBase } from '../../../src/pages/requests/base/compareWithBase.ts'
import { decide } from '../../../src/pages/requests/decisions.ts'

const request = {
  _id: 'request',
  status: 'pending',
  _createdBy: 'bob',
  contentHash: 'now',
  reviews: [],
  _baseFeatureSnapshot: 'base'
} as unknown as ChangeRequest

const context = {
  person: 'ada',
  mayPublish: true,
  mayWrite: true,
  isStale: false,
  requiredApprovals: 1,
  allowPublisherBypass: false,
  allowEmergency: false
}

test('lets another person with the permission to publish approve and reject', () => {
  const { approve, approveAndApply, reject } = decide(request, context)
  expect([approve, approveAndApply, reject]).toEqual([{}, {}, {}])
})

test('keeps authors from approving their own request, and says why', () => {
  const own = { ...context, person: 'bob' }
  expect(decide(request, own).approve?.reason).toContain('your own request')
  expect(decide(request, own)).not.toHaveProperty('reject')
  expect(decide(request, own).cancel).toEqual({})
  expect(decide(request, { ...own, allowPublisherBypass: true }).approve).toEqual({})
})

test('asks for an update before a stale request is approved or applied', () => {
  const stale = { ...context, isStale: true }
  expect(decide(request, stale).approve?.reason).toContain('has to update the request')
  expect(decide(request, stale).approveAndApply?.reason).toContain('has to update the request')
  expect(decide(request, stale).reject).toEqual({})
  expect(decide(request, stale).rebase?.reason).toBe('only its author can do this')
  expect(decide(request, { ...stale, person: 'bob' }).rebase).toEqual({})
})

test('waits for the check for changes of the feature before a request is approved or applied', () => {
  const unchecked = { ...context, isUnchecked: true }
  expect(decide(request, unchecked).approve?.reason).toContain('checking whether')
  expect(decide(request, unchecked).approveAndApply?.reason).toContain('checking whether')
  expect(decide({ ...request, status: 'approved' }, unchecked).apply?.reason).toContain('checking whether')
  expect(decide(request, unchecked).reject).toEqual({})
  expect(decide(request, unchecked)).not.toHaveProperty('rebase')
})

test('counts approvals of the present content only', () => {
  const review = { idp_user: 'eve', action: 'approved', comment: '', createdAt: '', contentHash: 'before' } as const
  const two = { ...context, requiredApprovals: 2 }
  expect(decide({ ...request, reviews: [review] }, two).approveAndApply?.reason).toBe('needs 2 approvals')
  const valid = { ...review, contentHash: 'now' }
  expect(decide({ ...request, reviews: [valid] }, two).approveAndApply).toEqual({})
})

test('reviews an approved request further if the project requires more approvals by now', () => {
  const approved = {
    ...request,
    status: 'approved' as const,
    reviews: [{ idp_user: 'eve', action: 'approved', comment: '', createdAt: '', contentHash: 'now' } as const]
  }
  expect(decide(approved, context)).toMatchObject({ apply: {}, schedule: {} })
  expect(decide(approved, context)).not.toHaveProperty('approve')
  const two = { ...context, requiredApprovals: 2, allowEmergency: true }
  expect(decide(approved, two)).toMatchObject({ approve: {}, apply: { reason: 'needs 1 more approval' } })
  expect(decide(approved, two).bypass?.kind).toBe('emergency')
  expect(decide(approved, { ...two, allowPublisherBypass: true }).apply).toEqual({})
})

test('offers nothing for a request that has ended', () => {
  expect(decide({ ...request, status: 'applied' }, context)).toEqual({})
})

test('another person can approve a request that was applied in an emergency, once, also after later changes', () => {
  const emergency = { reason: 'an outage', _appliedBy: 'bob', appliedAt: '' }
  const applied = { ...request, status: 'applied', emergency } as unknown as ChangeRequest
  const stale = { ...context, isStale: true, isUnchecked: true }
  expect(decide(applied, stale)).toEqual({ approve: {} })
  const own = decide(applied, { ...context, person: 'bob', allowPublisherBypass: true })
  expect(own.approve?.reason).toContain('your own request')
  const review = { idp_user: 'ada', action: 'approved', comment: '', createdAt: '', contentHash: 'now' } as const
  expect(decide({ ...applied, reviews: [review] }, context).approve?.reason).toBe('you have approved it')
})

const statuses = ['draft', 'pending', 'approved', 'applied', 'rejected', 'cancelled'] as const

test.each(statuses.flatMap((status) => ['ada', 'bob'].map((person) => [status, person] as const)))(
  'offers for status %s to %s what the table of transitions allows',
  (status, person) => {
    const approved = { idp_user: 'eve', action: 'approved', comment: '', createdAt: '', contentHash: 'now' } as const
    const reviews = status === 'approved' ? [approved] : []
    const isOwn = person === 'bob'
    const facts = { isCreator: isOwn, isRequester: isOwn, isPublisher: true, allowPublisherBypass: true }
    const given = { ...context, person, isOfProject: isOwn, allowPublisherBypass: true }
    const decisions = decide({ ...request, status, reviews } as ChangeRequest, given)
    const isAllowed = (action: ChangeRequestAction) => isOneOfActors(findTransition(action, status)?.by ?? [], facts)
    for (const action of ['submit', 'approve', 'schedule', 'cancel'] as const) {
      const found = decisions[action]
      expect(found !== undefined && found.reason === undefined, action).toBe(isAllowed(action))
    }
    expect('apply' in decisions || 'bypass' in decisions, 'apply').toBe(isAllowed('apply'))
    expect('reject' in decisions, 'reject').toBe(isAllowed('reject') && !isOwn)
    expect('rebase' in decisions, 'rebase').toBe(isAllowed('rebase'))
  }
)

function entry(_id: string, type: 'modifiedTarget' | 'modifiedChangeRequest') {
  const change = { type, newContents: null, previousContents: null }
  return { _id, date: '', idp_user: 'ada', changes: [change] }
}

test('a request is up to date until the feature itself changes', () => {
  const base = entry('base', 'modifiedTarget')
  const later = entry('later', 'modifiedTarget')
  expect(compareWithBase(request, [entry('review', 'modifiedChangeRequest'), base], true)).toEqual({ isUpToDate: true })
  expect(compareWithBase(request, [later, base], true)).toEqual({ isUpToDate: false, since: [later] })
  expect(compareWithBase(request, [later], false)).toBeUndefined()
})
