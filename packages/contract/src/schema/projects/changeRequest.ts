import { z } from 'zod'
import {
  countVisible,
  DateTime,
  Description,
  Id,
  Json,
  Name,
  recordFields,
  Sha256,
  UserReference
} from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { changeRequest, featureReference, projectChange, projectChangeRequest, review } from '../examples/checkout.ts'
import { ids, reviewer } from '../examples/shop.ts'
import { AuditLogChange } from '../organizations/audit.ts'

/** The status of a change request. */
export const ChangeRequestStatus = z
  .enum(['draft', 'pending', 'approved', 'applied', 'rejected', 'cancelled'])
  .meta({ description: 'The state of the change request.' })
export type ChangeRequestStatus = z.infer<typeof ChangeRequestStatus>

/** The review of a change request by one user. */
export const ChangeRequestReview = z
  .object({
    idp_user: UserReference,
    action: z.enum(['approved', 'rejected']).meta({ description: 'The decision.' }),
    comment: z.string().meta({ description: 'The reason, for the author. A rejection needs one.' }),
    createdAt: DateTime,
    contentHash: Sha256.exactOptional().meta({
      description: 'The content that was reviewed. Absent from old reviews.'
    })
  })
  .meta({ id: 'ChangeRequestReview', example: review })
export type ChangeRequestReview = z.infer<typeof ChangeRequestReview>

/** The application of a change request without the approvals that it needed. */
export const EmergencyApplication = z
  .object({
    idp_user: UserReference.meta({ description: 'The user or client that applied the request.' }),
    reason: z.string(),
    at: DateTime
  })
  .meta({ id: 'EmergencyApplication' })
export type EmergencyApplication = z.infer<typeof EmergencyApplication>

const requestFields = {
  ...recordFields,
  _project: Id,
  status: ChangeRequestStatus,
  changes: z.array(AuditLogChange).meta({ description: 'The changes compared with the snapshot.' }),
  contentHash: Sha256.meta({
    description: 'Hash of the requested change, the snapshot and the effect. Approvals are valid for this content only.'
  }),
  applyAt: DateTime.exactOptional().meta({ description: 'The time at which the server will apply the request.' }),
  scheduleFailure: z.string().exactOptional().meta({ description: 'The reason why the scheduled application failed.' }),
  description: Description.exactOptional(),
  reviewers: z
    .object({ users: z.array(UserReference) })
    .meta({ description: 'The requested reviewers. Others can review too.' }),
  reviews: z.array(ChangeRequestReview),
  emergency: EmergencyApplication.exactOptional().meta({
    description: 'Present if the request was applied in an emergency, without the required approvals.'
  }),
  assistant: z.string().exactOptional().meta({
    description: 'The program of the assistant that the author used, as declared by it.'
  }),
  clientId: z
    .string()
    .exactOptional()
    .meta({ description: 'The API client that is the author, or that the author used.' }),
  _appliedEntry: Id.exactOptional().meta({ description: 'The audit entry of the applied change.' }),
  _createdBy: UserReference,
  _updatedBy: UserReference.exactOptional()
}

/** A proposed change of a feature, for review by another user (docs/reference/management.md#change-requests). */
export const ChangeRequest = z
  .object({
    ...requestFields,
    _feature: Id,
    _baseFeatureSnapshot: Id.meta({
      description:
        'The state of the feature on which the request is based: id of its latest audit entry with a change, or of the feature if there was none.'
    }),
    operation: z
      .enum(['featureUpdate', 'featureStatusUpdate', 'featureStaticConfigurationUpdate'])
      .meta({ description: 'The operation that applies the request.' })
  })
  .meta({ id: 'ChangeRequest', example: changeRequest })
export type ChangeRequest = z.infer<typeof ChangeRequest>

/** A change request of a feature with the feature, as listed for a project. */
export const ListedChangeRequest = ChangeRequest.extend({
  feature: z.object({ key: Key, name: Name, id: Id })
}).meta({ id: 'ListedChangeRequest', example: { ...changeRequest, feature: featureReference } })
export type ListedChangeRequest = z.infer<typeof ListedChangeRequest>

const ProjectOperation = z.enum([
  'projectUpdate',
  'projectSettingsUpdate',
  'protectedSettingsUpdate',
  'projectDelete',
  'environmentUpdate',
  'environmentDelete',
  'audienceUpdate',
  'audienceSemanticUpdate'
])

const ProjectMethod = z.enum(['PATCH', 'DELETE'])

/**
 * A proposed change of a project, or of an environment or audience of it, for review by another user
 * (docs/reference/management.md#change-requests).
 */
export const ProjectChangeRequest = z
  .object({
    ...requestFields,
    operation: ProjectOperation.meta({ description: 'The operation that applies the request.' }),
    method: ProjectMethod,
    path: z.string()
  })
  .meta({ id: 'ProjectChangeRequest', example: projectChangeRequest })
export type ProjectChangeRequest = z.infer<typeof ProjectChangeRequest>

/** How many change requests of a project wait for a review of the caller. */
export const WaitingReviews = z
  .object({ project: z.object({ key: Key, name: Name, id: Id }), count: z.int().min(1) })
  .meta({ id: 'WaitingReviews', example: { project: { key: 'shop', name: 'Shop', id: ids.project }, count: 2 } })
export type WaitingReviews = z.infer<typeof WaitingReviews>

/** The body that creates a change request: the API request that would make the change. */
export const CreateChangeRequest = z
  .strictObject({
    path: z.string().min(1).max(2048).meta({
      description: 'Path of the feature, of its `/status` or of its `/static-configuration`.'
    }),
    method: z.literal('PATCH').meta({ description: 'The method of that request.' }),
    body: z.record(z.string(), Json).meta({ description: 'The body of that request.' })
  })
  .meta({
    id: 'CreateChangeRequest',
    example: {
      path: '/v2/projects/payments/features/invoice-export',
      method: 'PATCH',
      body: { configurations: { production: { status: 'active' } } }
    }
  })
export type CreateChangeRequest = z.infer<typeof CreateChangeRequest>

/** The body that creates a change request of a project: the API request that would make the change. */
export const CreateProjectChangeRequest = z
  .strictObject({
    path: CreateChangeRequest.shape.path.meta({
      description: 'Path of the project, of its settings, or of an environment or audience of it.'
    }),
    method: ProjectMethod.meta({ description: 'The method of that request.' }),
    body: CreateChangeRequest.shape.body.optional().meta({ description: 'The body of that request, for PATCH.' })
  })
  .refine(({ method, body }) => (method === 'DELETE') === (body === undefined), {
    path: ['body'],
    error: 'should be given for PATCH, and omitted for DELETE'
  })
  .meta({
    id: 'CreateProjectChangeRequest',
    example: {
      path: '/v1/projects/payments/settings/protected',
      method: 'PATCH',
      body: projectChange
    }
  })
export type CreateProjectChangeRequest = z.infer<typeof CreateProjectChangeRequest>

/** The body that updates a change request. */
export const UpdateChangeRequest = z
  .strictObject({ body: CreateChangeRequest.shape.body })
  .meta({ id: 'UpdateChangeRequest', example: { body: { configurations: { production: { status: 'inactive' } } } } })
export type UpdateChangeRequest = z.infer<typeof UpdateChangeRequest>

/** The body that schedules a change request. */
export const ScheduleChangeRequest = z
  .strictObject({
    applyAt: DateTime.nullable().meta({ description: 'A time in the future; `null` cancels the schedule.' })
  })
  .meta({ id: 'ScheduleChangeRequest', example: { applyAt: '2026-03-02T06:00:00.000Z' } })
export type ScheduleChangeRequest = z.infer<typeof ScheduleChangeRequest>

/** The body that submits a change request. */
export const SubmitChangeRequest = z
  .strictObject({
    description: Description,
    reviewers: z
      .array(UserReference)
      .max(100)
      .meta({ description: 'Ids of people who are asked for a review. Others can review too.' })
  })
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

/** The minimum length of the reason for an emergency, in visible characters. */
export const MIN_EMERGENCY_REASON = 10

const REASON_TOO_SHORT = `should contain at least ${MIN_EMERGENCY_REASON} visible characters`

/** The body that applies a change request. */
export const ApplyChangeRequest = z
  .strictObject({
    description: Description,
    action: z.literal('applied').meta({ description: 'The decision: always `applied`.' }),
    emergency: z
      .strictObject({
        reason: z
          .string()
          .trim()
          .min(MIN_EMERGENCY_REASON, { error: REASON_TOO_SHORT, abort: true })
          .max(1000)
          .refine((reason) => countVisible(reason) >= MIN_EMERGENCY_REASON, REASON_TOO_SHORT)
      })
      .exactOptional()
      .meta({
        description:
          'Applies the request without approvals, unless the project sets `allowEmergency` to false. The reason is recorded in the audit log and in the server log, and sent to webhooks.'
      })
  })
  .meta({ id: 'ApplyChangeRequest', example: { description: 'Approved on Monday.', action: 'applied' } })
export type ApplyChangeRequest = z.infer<typeof ApplyChangeRequest>
