import { z } from 'zod'
import { DateTime, Description, Id, Json, Name, recordFields, Sha256, UserReference } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { changeRequest, featureReference, review } from '../examples/checkout.ts'
import { reviewer } from '../examples/shop.ts'
import { AuditLogChange } from '../organizations/audit.ts'

/** The status of a change request. */
export const ChangeRequestStatus = z.enum(['draft', 'pending', 'approved', 'applied', 'rejected', 'cancelled'])
export type ChangeRequestStatus = z.infer<typeof ChangeRequestStatus>

/** The review of a change request by one user. */
export const ChangeRequestReview = z
  .object({
    idp_user: UserReference,
    action: z.enum(['approved', 'rejected']),
    comment: z.string(),
    createdAt: DateTime,
    contentHash: Sha256.exactOptional().meta({
      description: 'The content that was reviewed. Absent from old reviews.'
    })
  })
  .meta({ id: 'ChangeRequestReview', example: review })
export type ChangeRequestReview = z.infer<typeof ChangeRequestReview>

/** A proposed change of a feature, for review by another user (docs/reference/management.md#change-requests). */
export const ChangeRequest = z
  .object({
    ...recordFields,
    _project: Id,
    _feature: Id,
    _baseFeatureSnapshot: Id.meta({
      description:
        'The state of the feature on which the request is based: id of its latest audit entry with a change, or of the feature if there was none.'
    }),
    status: ChangeRequestStatus,
    operation: z
      .enum(['featureUpdate', 'featureStatusUpdate', 'featureStaticConfigurationUpdate'])
      .meta({ description: 'The operation that applies the request.' }),
    changes: z.array(AuditLogChange).meta({ description: 'The changes compared with the snapshot.' }),
    contentHash: Sha256.meta({
      description:
        'Hash of the requested change, the snapshot and the effect. Approvals are valid for this content only.'
    }),
    applyAt: DateTime.exactOptional().meta({ description: 'When the server will apply the request.' }),
    scheduleFailure: z.string().exactOptional().meta({ description: 'Why the scheduled application failed.' }),
    description: Description.exactOptional(),
    reviewers: z
      .object({ users: z.array(UserReference) })
      .meta({ description: 'The requested reviewers. Others can review too.' }),
    reviews: z.array(ChangeRequestReview),
    assistant: z.string().exactOptional().meta({
      description: 'The program of the assistant that the author used, as declared by it.'
    }),
    _appliedEntry: Id.exactOptional().meta({ description: 'The audit entry of the applied change.' }),
    _createdBy: UserReference,
    _updatedBy: UserReference.exactOptional()
  })
  .meta({ id: 'ChangeRequest', example: changeRequest })
export type ChangeRequest = z.infer<typeof ChangeRequest>

/** A change request with its feature, as listed for a project. */
export const ProjectChangeRequest = ChangeRequest.extend({
  feature: z.object({ key: Key, name: Name, id: Id })
}).meta({ id: 'ProjectChangeRequest', example: { ...changeRequest, feature: featureReference } })
export type ProjectChangeRequest = z.infer<typeof ProjectChangeRequest>

/** The body that creates a change request: the API request that would make the change. */
export const CreateChangeRequest = z
  .strictObject({
    path: z.string().min(1).max(2048).meta({
      description: 'Path of the feature, of its `/status` or of its `/static-configuration`.'
    }),
    method: z.literal('PATCH'),
    body: z.record(z.string(), Json).meta({ description: 'The body of that request.' })
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

/** The body that updates a change request. */
export const UpdateChangeRequest = z
  .strictObject({ body: CreateChangeRequest.shape.body })
  .meta({ id: 'UpdateChangeRequest', example: { body: { configurations: { production: { status: 'inactive' } } } } })
export type UpdateChangeRequest = z.infer<typeof UpdateChangeRequest>

/** The body that schedules a change request. */
export const ScheduleChangeRequest = z
  .strictObject({
    applyAt: DateTime.nullable().meta({ description: 'A time in the future; null cancels the schedule.' })
  })
  .meta({ id: 'ScheduleChangeRequest', example: { applyAt: '2026-03-02T06:00:00.000Z' } })
export type ScheduleChangeRequest = z.infer<typeof ScheduleChangeRequest>

/** The body that submits a change request. */
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
      description: 'The content that was reviewed. The review is refused if the content has changed since.'
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
