import type { Feature } from '@burgee/contract/schemas'
import { type RolloutState, rolloutState } from '@burgee/contract/words'

/** A target whose rollout changes what users get over time. */
export interface ActiveRollout {
  readonly id: string
  readonly feature: Pick<Feature, 'key' | 'name'>
  readonly target: string
  readonly state: RolloutState
}

/** The active features that were turned off in an environment by the kill switch while a rollout was under way. */
export function stoppedRollouts(features: readonly Feature[], environment: string, now: number): readonly Feature[] {
  return features.filter(
    ({ status, configurations }) =>
      status === 'active' &&
      configurations.some(
        (configuration) =>
          configuration._environment === environment &&
          configuration.status !== 'active' &&
          configuration.killedAt !== undefined &&
          configuration.targets.some(({ rollout }) => changesLater(rolloutState(rollout, now)))
      )
  )
}

/** The rollouts that still change in an environment, the next one first. `now` is in epoch milliseconds. */
export function activeRollouts(
  features: readonly Feature[],
  environment: string,
  now: number
): readonly ActiveRollout[] {
  return features
    .filter(({ status }) => status === 'active')
    .flatMap(({ key, name, configurations }) =>
      configurations
        .filter(({ _environment, status }) => _environment === environment && status === 'active')
        .flatMap(({ targets }) =>
          targets.map((target) => ({
            id: `${key} ${target._id}`,
            feature: { key, name },
            target: target.name ?? '',
            state: rolloutState(target.rollout, now)
          }))
        )
    )
    .filter(({ state }) => changesLater(state))
    .toSorted((a, b) => nextOf(a.state) - nextOf(b.state))
}

function changesLater({ startsAt, end }: RolloutState): boolean {
  return startsAt !== undefined || end !== undefined
}

function nextOf({ startsAt, end }: RolloutState): number {
  return startsAt ?? end?.date ?? Number.POSITIVE_INFINITY
}

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })

/** What a rollout does next, for example "38% → 100%" with the moment. */
export function describeNextChange({ share, startsAt, end }: RolloutState): {
  readonly text: string
  readonly at?: number
} {
  if (startsAt !== undefined)
    return { text: end ? `starts, up to ${percent.format(end.share)}` : 'starts', at: startsAt }
  return end ? { text: `${percent.format(share)} → ${percent.format(end.share)}`, at: end.date } : { text: '' }
}
