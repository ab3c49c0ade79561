import { expect } from 'vitest'
import type { Chapter, Seen } from './step.ts'

/** The person overrides what they get. */
export const overriding: readonly Chapter[] = [
  [
    'knows who the person is as a user of the applications',
    [
      { tool: 'get_self_targeting_identity', result: { svcUserId: null } },
      {
        tool: 'set_self_targeting_override',
        given: { feature_key: 'new-checkout', environment_key: 'development', variation_key: 'half' },
        fails: ['VALIDATION_ERROR', /update_self_targeting_identity/]
      },
      { tool: 'update_self_targeting_identity', given: { svc_user_id: ' ada ' }, result: { svcUserId: 'ada' } },
      { tool: 'get_self_targeting_identity', result: { svcUserId: 'ada' } }
    ]
  ],
  [
    'sets, lists and clears what the person overrides',
    [
      { tool: 'list_self_targeting_overrides', result: [] },
      {
        tool: 'set_self_targeting_override',
        given: { feature_key: 'new-checkout', environment_key: 'development', variation_key: 'half' },
        result: ({ environments, checkout }: Seen) => ({
          svcUserId: 'ada',
          _feature: checkout._id,
          _environment: environments.development
        })
      },
      {
        tool: 'set_self_targeting_override',
        given: { feature_key: 'dark-mode', environment_key: 'production', variation_key: 'variation-off' }
      },
      {
        tool: 'list_self_targeting_overrides',
        result: expect.arrayContaining([
          expect.objectContaining({
            featureName: 'Newer checkout',
            environmentName: 'Development',
            variationName: 'Half'
          }),
          expect.objectContaining({ featureName: 'Dark mode', environmentName: 'Production' })
        ])
      },
      {
        tool: 'clear_feature_self_targeting_overrides',
        given: { feature_key: 'dark-mode', environment_key: 'production' },
        result: { message: 'the override of feature "dark-mode" in environment "production" was removed' }
      },
      { tool: 'list_self_targeting_overrides', result: [expect.objectContaining({ featureName: 'Newer checkout' })] },
      { tool: 'update_self_targeting_identity', given: { svc_user_id: '  ' }, result: { svcUserId: null } },
      { tool: 'list_self_targeting_overrides', result: [] }
    ]
  ]
]
