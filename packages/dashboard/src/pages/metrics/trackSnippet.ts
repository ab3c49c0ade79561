import type { Metric } from '@burgee/contract/schemas'

/** Code of OpenFeature that reports an event; with a value where values are compared. */
export function trackSnippet(event: string, hasValue: boolean): string {
  const user = "{ targetingKey: 'user-1' }"
  return `client.track(${JSON.stringify(event)}, ${user}${hasValue ? ', { value: 12.5 }' : ''})`
}

/** Whether a metric is computed from the values of events. */
export const comparesValues = ({ dimension }: Pick<Metric, 'dimension'>): boolean => !dimension.startsWith('COUNT_')
