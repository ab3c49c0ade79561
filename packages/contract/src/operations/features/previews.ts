import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { EnvironmentReference, FeatureReference, ProjectReference } from '../../schema/common/references.ts'
import { ExplainRequest, Explanation } from '../../schema/evaluation/explanation.ts'
import {
  AudiencePreview,
  AudiencePreviewRequest,
  FeaturePreview,
  PreviewRequest,
  SampleUser
} from '../../schema/evaluation/preview.ts'
import { accessWithBody, accessWithoutBody } from '../operationAccess.ts'

const tag = 'Explanations and previews'

/** Explain what a user gets. */
export const explain = defineOperation({
  ...accessWithBody('feature:read', 404, 409, 412),
  tag,
  id: 'explain',
  summary: 'Explain what a user gets, and why',
  description:
    'Evaluates like the SDKs, with overrides and opt-in choices of the user, and counts nothing. Without `feature`, `variable` and `keys`, every feature has one row without its targets. A draft that the update would refuse is refused with the same error.',
  method: 'POST',
  path: '/v1/projects/{project}/environments/{environment}/explain',
  params: z.object({ project: ProjectReference, environment: EnvironmentReference }),
  body: ExplainRequest,
  status: 200,
  response: Explanation
})

/** List recent users of an environment. */
export const listSampleUsers = defineOperation({
  ...accessWithoutBody('feature:write', 404),
  tag,
  id: 'listSampleUsers',
  summary: 'List recent users of an environment',
  description:
    'From a random sample of the users that the server evaluated, in its memory: up to 100, the latest first. Empty after a start, and if `BURGEE_SAMPLE_USERS` is 0.',
  method: 'GET',
  path: '/v1/projects/{project}/environments/{key}/sample-users',
  params: z.object({ project: ProjectReference, key: EnvironmentReference }),
  query: z.object({
    search: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'Users with this text in `user_id`, `email` or `name`.' })
  }),
  status: 200,
  response: z.array(SampleUser)
})

/** Preview an update of a feature. */
export const previewFeature = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  tag,
  id: 'previewFeature',
  summary: 'Preview an update of a feature',
  description:
    'Returns the changes, and who of a sample of users would get another variation. Stores nothing. An update that `updateFeature` would refuse is refused with the same error, except for missing permissions and approvals. The change of a change request is computed on the current state of the feature; one that is no longer possible is refused with 412.',
  method: 'POST',
  path: '/v1/projects/{project}/features/{feature}/preview',
  params: z.object({ project: ProjectReference, feature: FeatureReference }),
  body: PreviewRequest,
  status: 200,
  response: FeaturePreview
})

/** Preview the filters of an audience. */
export const previewAudience = defineOperation({
  ...accessWithBody('audience:write', 404),
  tag,
  id: 'previewAudience',
  summary: 'Preview the filters of an audience',
  description: 'Returns how many of a sample of users match. Stores nothing.',
  method: 'POST',
  path: '/v1/projects/{project}/audiences/preview',
  params: z.object({ project: ProjectReference }),
  body: AudiencePreviewRequest,
  status: 200,
  response: AudiencePreview
})
