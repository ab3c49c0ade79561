import { type SdkKeyType, type SdkType, sdkTypes } from '@burgee/contract'
import type { KnownFeature, KnownVariable } from '../../delivery/configs/keyConfig.ts'
import { memoizeByIdentity } from '../../lib/object.ts'
import { type EvaluationCount, OTHER_PLATFORM, UNKNOWN_PLATFORM } from '../../storage/events/eventEntry.ts'

/**
 * The attribution of an evaluation: its variable, its feature, and the served variation; without a variation for the
 * default.
 */
export type EvaluationOutcome = Pick<EvaluationCount, 'variable' | 'feature' | 'variation'>

/**
 * Attributes an evaluation to a variable, its feature and a variation. A variable that does not exist counts for the
 * project only, since its name can be anything; a variation that the feature does not have counts as the default.
 */
export function evaluationOf(index: VariableIndex, key: string, variation?: unknown): EvaluationOutcome {
  const found = index.findVariable(key)
  return found ? { variable: found.key, feature: found.feature, variation: findServedVariation(found, variation) } : {}
}

/** Returns the id of a variation if the feature of the variable has it. */
export function findServedVariation({ variations }: IndexedVariable, variation: unknown): string | undefined {
  return typeof variation === 'string' && variations.has(variation) ? variation : undefined
}

/** The variables of a project by key. */
export interface VariableIndex {
  readonly findVariable: (key: string) => IndexedVariable | undefined
}

/** A variable of a project, whether or not any environment serves it. */
export interface IndexedVariable {
  readonly key: string
  /** Id of its feature, if it has one. */
  readonly feature: string | undefined
  /** Ids of the feature's variations; empty without a feature. */
  readonly variations: ReadonlySet<string>
}

/** Returns the index of a project's variables; the same one for the same lists. */
export const variableIndexOf = memoizeByIdentity(
  (features: readonly KnownFeature[], variables: readonly KnownVariable[]): VariableIndex => {
    // An evaluation waits for this, so only variables that are looked up get an entry.
    const featuresById = new Map<string, KnownFeature>()
    for (const feature of features) featuresById.set(feature._id, feature)
    const byKey = new Map<string, KnownVariable>()
    for (const variable of variables) byKey.set(variable.key, variable)
    const found = new Map<string, IndexedVariable>()
    const index = ({ key, _feature: feature }: KnownVariable): IndexedVariable => {
      const variations = featuresById.get(feature ?? '')?.variations
      const indexed = { key, feature, variations: variations ? idsOf(variations) : NO_IDS }
      found.set(key, indexed)
      return indexed
    }
    return {
      findVariable: (key) => {
        const variable = byKey.get(key)
        return variable && (found.get(key) ?? index(variable))
      }
    }
  }
)

const NO_IDS: ReadonlySet<string> = new Set()

function idsOf(items: readonly { readonly _id: string }[]): ReadonlySet<string> {
  return new Set(items.map(({ _id }) => _id))
}

/** Where evaluations come from, as results distinguish it. */
export interface EventSource {
  readonly platform: string
  readonly sdkType: SdkType
}

/**
 * Returns the source of a user's evaluations. With a server key, the SDK type is the one that the user names, or else
 * `sdkType`; with a client or mobile key, which is public, it is the type of the key.
 */
export function eventSourceOf(
  user: { readonly platform?: string | null | undefined; readonly sdkType?: string | null | undefined },
  { keyType, sdkType }: { readonly keyType: SdkKeyType; readonly sdkType: SdkType }
): EventSource {
  const named = user.sdkType ? sdkTypes.find((type) => type === user.sdkType) : undefined
  const known = keyType === 'server' ? named : keyType
  return { platform: toPlatform(user.platform), sdkType: known ?? sdkType }
}

/** Longer names of platforms count as `other`. */
const MAX_PLATFORM_LENGTH = 100

function toPlatform(platform: string | null | undefined): string {
  if (!platform) return UNKNOWN_PLATFORM
  // NUL cannot be stored (storage/validateStorableJson.ts).
  return platform.length > MAX_PLATFORM_LENGTH || platform.includes('\0') ? OTHER_PLATFORM : platform
}
