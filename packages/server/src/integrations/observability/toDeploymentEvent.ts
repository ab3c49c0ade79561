import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { ChangeNotification } from '../../storage/resources/notification.ts'
import type { StoredEnvironment } from '../../storage/resources/project.ts'

/** A deployment event of the receiver's events API. */
export interface DeploymentEvent {
  readonly eventType: 'CUSTOM_DEPLOYMENT'
  readonly title: string
  /**
   * The time of the change in epoch milliseconds, which is earlier than the time of sending when the event is retried.
   */
  readonly startTime: number
  readonly endTime: number
  readonly properties: Readonly<Record<string, string>>
}

interface DeploymentEventInput {
  readonly entry: Pick<StoredAuditEntry, 'createdAt'>
  readonly notification: ChangeNotification
  /** The environments that the change affects. */
  readonly environments: readonly Pick<StoredEnvironment, 'key'>[]
  /** The name of the feature. */
  readonly name: string
}

/** Converts a change of a feature to a deployment event. Includes only the name of the author. */
export function toDeploymentEvent({ entry, notification, environments, name }: DeploymentEventInput): DeploymentEvent {
  const { project, key, events, user } = notification
  const at = Date.parse(entry.createdAt)
  const environment = environments.map(({ key }) => key).join(', ')
  const properties = {
    source: 'burgee',
    project,
    feature: key,
    featureName: name,
    environment,
    changes: events.join(', '),
    user: user.name,
    date: entry.createdAt
  }
  const truncated = Object.entries(properties).map(([property, text]) => [property, text.slice(0, MAX_PROPERTY_LENGTH)])
  return {
    eventType: 'CUSTOM_DEPLOYMENT',
    title: `Feature ${key} of ${project} changed in ${environment}`.slice(0, MAX_TITLE_LENGTH),
    startTime: at,
    endTime: at,
    properties: Object.fromEntries(truncated)
  }
}

/** Limits of the events API, which refuses longer values. In characters. */
const MAX_PROPERTY_LENGTH = 4096

const MAX_TITLE_LENGTH = 500
