import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { ProjectReference } from '../../schema/common/references.ts'
import { UpdatedFeatures, UpdateFeatures } from '../../schema/promotions/bulkUpdate.ts'
import { accessWithBody } from '../operationAccess.ts'

/** Make the same change in several features. */
export const updateFeatures = defineOperation({
  ...accessWithBody('feature:write', 404),
  tag: 'Features',
  id: 'updateFeatures',
  summary: 'Make the same change in several features',
  description:
    'Each feature is changed as by `updateFeature`, `updateFeatureStatus` or `killFeature`, in a transaction of its own. Where the project requires approval, an item becomes a submitted change request; `kill` needs none. Refused items have an `error`; the others are applied.',
  method: 'POST',
  path: '/v1/projects/{project}/features/bulk',
  params: z.object({ project: ProjectReference }),
  body: UpdateFeatures,
  status: 200,
  response: UpdatedFeatures
})
