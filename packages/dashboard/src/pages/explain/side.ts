import type { ExplainedFeature, Explanation } from '@burgee/contract/schemas'
import type { FormUser } from '../../components/explanation/parseUser.ts'

/** A user in an environment, and what they get there. */
export interface Side {
  readonly user: FormUser
  readonly environment: Explanation['environment']
  readonly at: string
  readonly features: readonly ExplainedFeature[]
}

/** A feature on both sides, or on the only one. */
export interface FeaturePair {
  readonly first: ExplainedFeature
  readonly second: ExplainedFeature | undefined
  /** Whether the sides get different variations. */
  readonly isDifferent: boolean
}

export function toSide(user: FormUser, { environment, at, features }: Explanation): Side {
  return { user, environment, at, features }
}

/** The features of the first side, each with the same one of the second. */
export function pairFeatures(first: Side, second: Side | undefined): readonly FeaturePair[] {
  const others = new Map(second?.features.map((feature) => [feature._id, feature]))
  return first.features.map((feature) => {
    const other = others.get(feature._id)
    const isDifferent = other !== undefined && other.variation?._id !== feature.variation?._id
    return { first: feature, second: other, isDifferent }
  })
}

/** How the sides are called: by what they differ in. */
export function sideTitles(first: Side, second: Side): readonly [string, string] {
  const [user, other] = [first.user.user_id, second.user.user_id]
  const [here, there] = [first.environment.name, second.environment.name]
  const isSamePlace = first.environment._id === second.environment._id
  if (user !== other) return isSamePlace ? [user, other] : [`${user} in ${here}`, `${other} in ${there}`]
  return isSamePlace ? ['First user', 'Second user'] : [here, there]
}
