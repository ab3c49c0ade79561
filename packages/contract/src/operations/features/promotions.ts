import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { Reference } from '../../schema/common/fields.ts'
import { FeatureReference, ProjectReference } from '../../schema/common/references.ts'
import { Comparison, CreatePromotion, Promotion } from '../../schema/promotions/promotion.ts'
import { accessWithBody, accessWithoutBody } from '../operationAccess.ts'

const tag = 'Promotions'
const params = z.object({ project: ProjectReference })

/** Promote features from one environment to others. */
export const createPromotion = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  tag,
  id: 'createPromotion',
  summary: 'Promote features from one environment to others',
  description:
    'Without `preview: false`, reports what the promotion would do. Targets that both environments have keep the id of the destination, so their users keep their variations. Where the project requires approval, an item becomes a submitted change request. Refused items have an `error`; the others are applied, unless the promotion is `atomic`.',
  method: 'POST',
  path: '/v2/projects/{project}/promotions',
  params,
  body: CreatePromotion,
  status: 200,
  response: Promotion
})

const Side = Reference.refine(
  (side) => !side.includes('@'),
  'should be an environment without @: moments are not supported'
)

/** Compare features between two environments. */
export const compareEnvironments = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'compareEnvironments',
  summary: 'Compare features between two environments',
  description:
    'Compares the current state. Ids, dates of changes and authors do not count; variations and audiences are compared by key.',
  method: 'GET',
  path: '/v2/projects/{project}/comparison',
  params,
  query: z.strictObject({
    a: Side.meta({ description: 'Key or id of an environment.', example: 'development' }),
    b: Side.meta({ description: 'Key or id of the environment to compare it with.', example: 'production' }),
    bProject: ProjectReference.optional().meta({
      description: 'The project of `b`. Default: the project of the path.'
    }),
    feature: FeatureReference.optional().meta({ description: 'This feature only.' }),
    onlyDifferent: z.stringbool().optional().meta({ description: 'Whether equal features are left out.' })
  }),
  status: 200,
  response: Comparison
})
