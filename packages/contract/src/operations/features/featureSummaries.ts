import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { DateTime } from '../../schema/common/fields.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { ProjectReference } from '../../schema/common/references.ts'
import { FeatureStatus, FeatureType } from '../../schema/features/featureFields.ts'
import { FeatureListItem } from '../../schema/summaries/featureListItem.ts'
import { accessWithoutBody } from '../operationAccess.ts'

/** List summaries of features. */
export const listFeatureSummaries = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag: 'Features',
  id: 'listFeatureSummaries',
  summary: 'List summaries of features',
  description:
    'One row per feature with its status in each environment, without targets, variables and values. `search` looks in names, keys, tags and descriptions.',
  method: 'GET',
  path: '/v1/projects/{project}/feature-summaries',
  params: z.object({ project: ProjectReference }),
  query: Pagination.extend({
    type: FeatureType.optional(),
    status: FeatureStatus.optional().meta({ description: 'Only features with this status. Default: all.' }),
    tags: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: 'Features with all of these tags. Several can be separated by commas.' }),
    updatedSince: DateTime.optional().meta({ description: 'Features that changed at this time or later.' })
  }),
  status: 200,
  response: z.array(FeatureListItem),
  responseKind: 'list'
})
