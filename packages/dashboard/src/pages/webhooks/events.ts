import type { WebhookEvent } from '@burgee/contract/schemas'

/** The events of webhooks, in groups. */
export const eventGroups: readonly {
  readonly title: string
  readonly events: readonly (readonly [WebhookEvent, string])[]
}[] = [
  {
    title: 'Status and targeting',
    events: [
      ['enabledEnvironment', 'turned on'],
      ['disabledEnvironment', 'turned off'],
      ['addedTarget', 'target added'],
      ['modifiedTarget', 'target changed'],
      ['removedTarget', 'target removed'],
      ['reorderedTargets', 'targets reordered']
    ]
  },
  {
    title: 'Features',
    events: [
      ['createdFeature', 'feature created'],
      ['modifiedFeature', 'feature changed'],
      ['modifiedFeatureStatus', 'completed, archived or reactivated'],
      ['modifiedSettings', 'feature settings changed'],
      ['deletedFeature', 'feature deleted']
    ]
  },
  {
    title: 'Variables and variations',
    events: [
      ['addedVariable', 'variable added'],
      ['modifiedVariable', 'variable changed'],
      ['removedVariable', 'variable removed'],
      ['addedVariation', 'variation added'],
      ['modifiedVariation', 'variation changed'],
      ['removedVariation', 'variation removed']
    ]
  },
  {
    title: 'Emergencies and expiry',
    events: [
      ['killedFeature', 'feature killed'],
      ['appliedInEmergency', 'applied without approval in an emergency'],
      ['expiringSdkKey', 'SDK key expires soon'],
      ['expiringApiClient', 'API client expires soon'],
      ['expiringScimToken', 'SCIM token expires soon'],
      ['expiringWorkloadTrust', 'CI trust expires soon']
    ]
  }
]

const titles = new Map<string, string>(eventGroups.flatMap(({ events }) => events))

/** An event in words; its name if this version does not know it. */
export function eventTitle(event: string): string {
  return titles.get(event) ?? event
}

/** Some events in words: the first ones, and how many more. */
export function eventSummary(events: readonly string[], shown = 2): string {
  if (events.length === 0) return 'none'
  if (events.length === titles.size) return 'all events'
  const rest = events.length - shown
  const words = events.slice(0, shown).map(eventTitle).join(', ')
  return rest > 0 ? `${words} and ${rest} more` : words
}
