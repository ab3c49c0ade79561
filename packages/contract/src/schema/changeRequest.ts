import { z } from 'zod'
import { AuditLogChange } from './audit.ts'
import { changeRequest, featureReference, review } from './examples/checkout.ts'
import { reviewer } from './examples/shop.ts'
import { DateTime, Description, Id, Name, recordFields, Sha256, UserReference } from './fields.ts'
import { Json } from './json.ts'
import { Key } from './key.ts'

/** How far a change request has come. */
export const ChangeRequestStatus = z.enum(['draft', 'pending', 'approved', 'applied', 'rejected', 'cancelled'])
export type ChangeRequestStatus = z.infer<typeof ChangeRequestStatus>

/** What one reviewer said. */
export const ChangeRequestReview = z
  .object({
    idp_user: UserReference,
    action: z.enum(['approved', 'rejected']),
    comment: z.string(),
    createdAt: DateTime,
    contentHash: Sha256.exactOptional().meta({
      description: 'What was reviewed. Reviews from before there was one lack it.'
    })
  })
  .meta({ id: 'ChangeRequestReview', example: review })
export type ChangeRequestReview = z.infer<typeof ChangeRequestReview>

/** A change of a feature that waits for somebody else to approve it. */
export const ChangeRequest = z
  .object({
    ...recordFields,
    _project: Id,
    _feature: Id,
    _baseFeatureSnapshot: Id.meta({
      description:
        'Id of the newest audit entry that had changed the feature when the request was made; of the feature, where there was none.'
    }),
    status: ChangeRequestStatus,
    operation: z
      .enum(['featureUpdate', 'featureStatusUpdate', 'featureStaticConfigurationUpdate'])
      .meta({ description: 'What is done to the feature when the request is applied.' }),
    changes: z.array(AuditLogChange).meta({ description: 'What becomes different from the snapshot.' }),
    contentHash: Sha256.meta({
      description:
        'Beyond the specification: the hash of what is asked for, of the snapshot and of the effect that it would have on it. An approval holds for this content alone.'
    }),
    applyAt: DateTime.exactOptional().meta({ description: 'Beyond the specification: when it will be applied.' }),
    scheduleFailure: z
      .string()
      .exactOptional()
      .meta({ description: 'Beyond the specification: why it was not applied when it should have been.' }),
    description: Description.exactOptional(),
    reviewers: z
      .object({ users: z.array(UserReference) })
      .meta({ description: 'Who was asked; others may review too.' }),
    reviews: z.array(ChangeRequestReview),
    _createdBy: UserReference,
    _updatedBy: UserReference.exactOptional()
  })
  .meta({ id: 'ChangeRequest', example: changeRequest })
export type ChangeRequest = z.infer<typeof ChangeRequest>

/** A change request in the list of a project, with the feature it is for. */
export const ProjectChangeRequest = ChangeRequest.extend({
  feature: z.object({ key: Key, name: Name, id: Id })
}).meta({ id: 'ProjectChangeRequest', example: { ...changeRequest, feature: featureReference } })
export type ProjectChangeRequest = z.infer<typeof ProjectChangeRequest>

/** The body that creates a change request: the request of this API that would have made the change. */
export const CreateChangeRequest = z
  .strictObject({
    path: z.string().min(1).max(2048).meta({
      description: 'Path of the feature, or of its `/status` or `/static-configuration`.'
    }),
    method: z.literal('PATCH'),
    body: z.record(z.string(), Json).meta({ description: 'The body that the operation at this path takes.' })
  })
  .meta({
    id: 'CreateChangeRequest',
    example: {
      path: '/v2/projects/shop/features/new-checkout',
      method: 'PATCH',
      body: { configurations: { production: { status: 'active' } } }
    }
  })
export type CreateChangeRequest = z.infer<typeof CreateChangeRequest>

/** The body that changes what a change request asks for. */
export const UpdateChangeRequest = z
  .strictObject({ body: CreateChangeRequest.shape.body })
  .meta({ id: 'UpdateChangeRequest', example: { body: { configurations: { production: { status: 'inactive' } } } } })
export type UpdateChangeRequest = z.infer<typeof UpdateChangeRequest>

/** The body that says when a change request is applied. */
export const ScheduleChangeRequest = z
  .strictObject({ applyAt: DateTime.nullable().meta({ description: 'In the future; null for not by itself.' }) })
  .meta({ id: 'ScheduleChangeRequest', example: { applyAt: '2026-03-02T06:00:00.000Z' } })
export type ScheduleChangeRequest = z.infer<typeof ScheduleChangeRequest>

/** The body that puts a draft before reviewers. */
export const SubmitChangeRequest = z
  .strictObject({ description: Description, reviewers: z.array(UserReference).max(100) })
  .meta({
    id: 'SubmitChangeRequest',
    example: { description: changeRequest.description, reviewers: [reviewer] }
  })
export type SubmitChangeRequest = z.infer<typeof SubmitChangeRequest>

/** The body that reviews a change request. */
export const ReviewChangeRequest = z
  .strictObject({
    ...ChangeRequestReview.pick({ action: true, comment: true }).shape,
    contentHash: Sha256.exactOptional().meta({
      description:
        'Beyond the specification: what was looked at. The review is refused when it is something else by now.'
    })
  })
  .refine(({ action, comment }) => action === 'approved' || comment.trim() !== '', {
    path: ['comment'],
    error: 'should say why the change request is rejected'
  })
  .meta({ id: 'ReviewChangeRequest', example: { action: review.action, comment: review.comment } })
export type ReviewChangeRequest = z.infer<typeof ReviewChangeRequest>

/** The body that applies a change request. */
export const ApplyChangeRequest = z
  .strictObject({ description: Description, action: z.literal('applied') })
  .meta({ id: 'ApplyChangeRequest', example: { description: 'Approved on Monday.', action: 'applied' } })
export type ApplyChangeRequest = z.infer<typeof ApplyChangeRequest>
