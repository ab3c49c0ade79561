import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { FeatureReference, ProjectReference, VariationReference } from '../../schema/common/references.ts'
import { Feature } from '../../schema/features/feature.ts'
import { CreateVariation, UpdateVariation, Variation } from '../../schema/features/variation.ts'
import { accessWithBody, accessWithoutBody, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Variations'
const ofFeature = z.object({ project: ProjectReference, feature: FeatureReference })
const params = ofFeature.extend({ key: VariationReference })

/** Add a variation to a feature. */
export const createVariation = defineOperation({
  ...accessWithBody('variation:write', 404, 409, 412),
  ...withRevision,
  tag,
  id: 'createVariation',
  summary: 'Add a variation to a feature',
  description: 'Returns the feature.',
  method: 'POST',
  path: '/v1/projects/{project}/features/{feature}/variations',
  params: ofFeature,
  body: CreateVariation,
  status: 201,
  response: Feature
})

/** List the variations of a feature. */
export const listVariations = defineOperation({
  ...accessWithoutBody('variation:read', 404),
  ...withRevision,
  tag,
  id: 'listVariations',
  summary: 'List the variations of a feature',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/variations',
  params: ofFeature,
  status: 200,
  response: z.array(Variation)
})

/** Get a variation. */
export const getVariation = defineOperation({
  ...accessWithoutBody('variation:read', 404),
  ...withRevision,
  tag,
  id: 'getVariation',
  summary: 'Get a variation',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/variations/{key}',
  params,
  status: 200,
  response: Variation
})

/** Update a variation. */
export const updateVariation = defineOperation({
  ...accessWithBody('variation:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateVariation',
  summary: 'Update a variation',
  description: 'Omitted variables keep their values. Returns the feature.',
  method: 'PATCH',
  path: '/v1/projects/{project}/features/{feature}/variations/{key}',
  params,
  body: UpdateVariation,
  status: 200,
  response: Feature
})
