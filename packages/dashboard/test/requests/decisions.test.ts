import type { ChangeRequest } from '@burgee/contract/schemas'
import { expect, test } from 'vitest'
import { decide } from '../../src/pages/requests/decisions.ts'
import { fitOf } from '../../src/pages/requests/fit/staleness.ts'

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

test('asks for a rebase before a stale request is approved or applied', () => {
  const stale = { ...context, isStale: true }
  expect(decide(request, stale).approve?.reason).toContain('rebase')
  expect(decide(request, stale).approveAndApply?.reason).toContain('rebase')
  expect(decide(request, stale).reject).toEqual({})
  expect(decide(request, stale).rebase?.reason).toBe('only its author can do this')
  expect(decide(request, { ...stale, person: 'bob' }).rebase).toEqual({})
})

test('counts approvals of the present content only', () => {
  const review = { idp_user: 'eve', action: 'approved', comment: '', createdAt: '', contentHash: 'before' } as const
  const two = { ...context, requiredApprovals: 2 }
  expect(decide({ ...request, reviews: [review] }, two).approveAndApply?.reason).toBe('needs 2 approvals')
  const valid = { ...review, contentHash: 'now' }
  expect(decide({ ...request, reviews: [valid] }, two).approveAndApply).toEqual({})
})

test('offers nothing for a request that has ended', () => {
  expect(decide({ ...request, status: 'applied' }, context)).toEqual({})
})

function entry(_id: string, type: 'modifiedTarget' | 'modifiedChangeRequest') {
  const change = { type, newContents: null, previousContents: null }
  return { _id, date: '', idp_user: 'ada', changes: [change] }
}

test('a request fits until the feature itself changes', () => {
  const base = entry('base', 'modifiedTarget')
  const later = entry('later', 'modifiedTarget')
  expect(fitOf(request, [entry('review', 'modifiedChangeRequest'), base], true)).toEqual({ fits: true })
  expect(fitOf(request, [later, base], true)).toEqual({ fits: false, since: [later] })
  expect(fitOf(request, [later], false)).toBeUndefined()
})
