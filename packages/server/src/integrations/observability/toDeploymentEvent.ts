import type { ChangeNotification, StoredAuditEntry, StoredEnvironment } from '../../storage/resources.ts'

/** What an observability system is told of a change, as its API for events takes it. */
export interface DeploymentEvent {
  readonly eventType: 'CUSTOM_DEPLOYMENT'
  readonly title: string
  /** The moment of the change, in epoch milliseconds: the event comes later when it has to be sent again. */
  readonly startTime: number
  readonly endTime: number
  readonly properties: Readonly<Record<string, string>>
}

interface Parts {
  readonly entry: Pick<StoredAuditEntry, 'createdAt'>
  readonly telling: ChangeNotification
  /** Those that the change reaches. */
  readonly environments: readonly Pick<StoredEnvironment, 'key'>[]
  /** The name of the feature. */
  readonly name: string
}

/** A change of a feature as a deployment event. Of who made it, it has the name and nothing else. */
export function toDeploymentEvent({ entry, telling, environments, name }: Parts): DeploymentEvent {
  const { project, key, events, user } = telling
  const at = Date.parse(entry.createdAt)
  const where = environments.map(({ key }) => key).join(', ')
  const properties = {
    source: 'burgee',
    project,
    feature: key,
    featureName: name,
    environment: where,
    changes: events.join(', '),
    user: user.name,
    date: entry.createdAt
  }
  const told = Object.entries(properties).map(([property, text]) => [property, text.slice(0, MAX_PROPERTY_LENGTH)])
  return {
    eventType: 'CUSTOM_DEPLOYMENT',
    title: `Feature ${key} of ${project} changed in ${where}`.slice(0, MAX_TITLE_LENGTH),
    startTime: at,
    endTime: at,
    properties: Object.fromEntries(told)
  }
}

/** What such a system takes of a property, and of a title; it refuses the event otherwise. */
const MAX_PROPERTY_LENGTH = 4096

const MAX_TITLE_LENGTH = 500
