import type { CurrentOverride, Environment, UserProfile } from '@burgee/contract/schemas'
import { type Effect, inProductionFirst } from '../confirmation/effect.ts'
import { quoted } from '../quoted.ts'
import { basisOf } from './basis.ts'
import { items, members, value, values } from './comparable.ts'
import { differences } from './differences.ts'

/** Who the caller is as a user, and what that user gets whatever the targets say. */
interface Overridden {
  readonly profile: UserProfile
  readonly overrides: readonly CurrentOverride[]
  readonly environments: readonly Environment[]
}

/** What another identity of the caller would do: their overrides go over to that user, or end with the identity. */
export function identityEffect(svcUserId: string | null, { profile, overrides, environments }: Overridden): Effect {
  const reached = inProductionFirst(environments).filter(({ _id }) => {
    return overrides.some(({ _environment }) => _environment === _id)
  })
  const isSame = profile.svcUserId === svcUserId
  return {
    summary:
      svcUserId === null
        ? "Forgets the caller's user_id, and ends their overrides."
        : `Has user ${quoted(svcUserId)} get the overrides of the caller, in place of user ${quoted(profile.svcUserId ?? '')}.`,
    changes: isSame ? [] : differences(partsOf(profile.svcUserId, overrides), partsOf(svcUserId, overrides)),
    environments: reached.map(({ key, type }) => ({ key, type })),
    basis: [basisOf(profile), ...overrides.map(({ _environment, _variation }) => `${_environment} ${_variation}`)].join(
      ' '
    )
  }
}

function partsOf(user: string | null, overrides: readonly CurrentOverride[]) {
  // Several features can have one name.
  const kept = user === null ? [] : overrides
  const moved = kept.map(({ _feature, _environment, featureName, environmentName, variationName: variation }) => {
    const name = `${quoted(featureName)} in ${quoted(environmentName)}`
    return {
      id: `${_feature} ${_environment}`,
      name,
      place: ` ${name}`,
      part: values({ user, variation }) ?? members({})
    }
  })
  return members({ svcUserId: value(user ?? undefined), overrides: items(moved) })
}
