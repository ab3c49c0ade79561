import { guideTable } from '../tools/toolTable.ts'
import { history, ofCheckout } from './auditing.ts'
import type { Chapter } from './step.ts'

/** Features are completed, archived and deleted. */
export const ending: readonly Chapter[] = [
  [
    'completes, archives and revives a feature',
    [
      {
        tool: 'update_feature_status',
        given: { key: 'new-checkout', status: 'complete' },
        fails: ['VALIDATION_ERROR', /^staticVariation must be the key or id of a variation/]
      },
      {
        tool: 'update_feature_status',
        given: { key: 'new-checkout', status: 'complete', staticVariation: 'on' },
        result: { status: 'complete', staticVariation: 'on' }
      },
      {
        tool: 'cleanup_feature',
        given: { featureKey: 'new-checkout' },
        markdown: [/^# Clean up the feature "new-checkout"/]
      },
      {
        tool: 'update_feature_status',
        given: { key: 'new-checkout', status: 'archived' },
        result: { status: 'archived' }
      },
      { tool: 'list_features', given: { status: 'archived' }, keys: ['new-checkout'] },
      {
        tool: 'update_feature',
        given: { key: 'new-checkout', name: 'Too late' },
        fails: ['VALIDATION_ERROR', /archived/]
      },
      { tool: 'update_feature_status', given: { key: 'new-checkout', status: 'active' }, result: { status: 'active' } }
    ]
  ],
  [
    'has guides for SDKs',
    // Other steps list and read all of them.
    guideTable
      .filter((_, index) => index % 7 === 0)
      .map((guide) => ({ tool: 'install_service_sdk', given: { guide }, markdown: [/^# Install .+\n/] }))
  ],
  [
    'deletes features, and the variables that no feature has',
    [
      {
        tool: 'delete_variable',
        given: { key: 'theme' },
        result: { message: 'variable "theme" was deleted from every environment' }
      },
      { tool: 'delete_variable', given: { key: 'steps' }, fails: ['VALIDATION_ERROR', /"steps".*new-checkout/] },
      {
        tool: 'delete_feature',
        given: { key: 'new-checkout' },
        result: { message: 'feature "new-checkout" was deleted from every environment' }
      },
      { tool: 'delete_variable', given: { key: 'steps' } },
      { tool: 'list_features', given: { sortBy: 'key', sortOrder: 'asc' }, keys: ['beta-banner', 'dark-mode'] },
      { tool: 'list_variables', given: { search: 'theme' }, keys: [] },
      { tool: history, given: ofCheckout, fails: ['RESOURCE_NOT_FOUND', /'new-checkout' not found/] }
    ]
  ]
]
