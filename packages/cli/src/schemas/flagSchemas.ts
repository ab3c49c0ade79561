import { operations } from '@burgee/contract'
import { ListedChangeRequest, SdkKey } from '@burgee/contract/schemas'
import { z } from 'zod'

const { compareEnvironments, createFeature, createPromotion, explain, getFeature } = operations
const { getChangeRequest, getFeatureAudit, killFeature, listFeatureSummaries } = operations
const { listAuditEntries, revertFeature } = operations

const Variation = z.object({
  variation: z.string(),
  evaluations: z.int(),
  share: z.number().meta({ description: 'From 0 to 1.' })
})

/** The output of commands that change a flag in one environment. */
const FlagChange = z.object({
  feature: z.string(),
  environment: z.string(),
  changes: z.array(z.string()).meta({ description: 'What changes, as sentences.' }),
  outcome: z.enum(['unchanged', 'applied', 'requested']),
  changeRequest: z
    .string()
    .exactOptional()
    .meta({ description: 'The id of the change request, if the change needs approval.' })
})

/** The request that --dry-run prints. */
const PreviewedRequest = z.object({
  operation: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.unknown()).exactOptional(),
  body: z.unknown().meta({ description: 'With secrets masked.' })
})

/** The schemas of what commands about flags print, by the name of the command. */
export const flagSchemas: Readonly<Record<string, z.ZodType>> = {
  'flags list': listFeatureSummaries.response,
  'flags create': z.union([createFeature.response, PreviewedRequest]),
  'flags show': z.object({
    feature: getFeature.response,
    environments: z.array(z.object({ environment: z.string(), serves: z.array(z.string()) }))
  }),
  'flags on': FlagChange,
  'flags off': FlagChange,
  'flags kill': killFeature.response,
  rollout: FlagChange,
  serve: FlagChange,
  history: z.union([getFeatureAudit.response, getFeatureAudit.response.element]),
  undo: revertFeature.response,
  explain: explain.response,
  evaluate: explain.response.shape.variables.element.partial().extend({
    variation: z.string().exactOptional(),
    reason: explain.response.shape.features.element.shape.reason.exactOptional()
  }),
  compare: compareEnvironments.response,
  promote: createPromotion.response.pick({ items: true }),
  'requests list': z.array(ListedChangeRequest),
  'requests show': ListedChangeRequest,
  'requests approve': getChangeRequest.response,
  'requests reject': z.object({ id: z.string(), status: z.literal('rejected') }),
  'requests cancel': z.object({ id: z.string(), status: z.literal('cancelled') }),
  'requests apply': getChangeRequest.response,
  results: z.array(Variation),
  audit: listAuditEntries.response,
  open: z.object({ url: z.url() }),
  'keys list': z.array(z.object({ type: z.enum(['server', 'client', 'mobile']) }).and(SdkKey)),
  'keys rotate': z.object({ type: z.enum(['server', 'client', 'mobile']), previous: z.array(z.string()) }).and(SdkKey)
}
