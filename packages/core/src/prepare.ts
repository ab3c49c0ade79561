import { prepareAudience } from './conditions/audience.ts'
import type { EvaluationConfig } from './conditions/evaluationState.ts'
import type { Conditions } from './conditions/filter.ts'
import type { PreparedOperator } from './conditions/prepared.ts'
import { JsonCursor } from './json/jsonCursor.ts'
import { type PreparedFeature, prepareFeature } from './targeting/feature.ts'
import type { VariablesById } from './targeting/variation.ts'
import type { Config, Environment, OffValue, Project } from './types/config.ts'
import type { Resolution } from './types/resolution.ts'
import type { Json, Variable } from './types/variable.ts'

/** A config document with everything precomputed that does not depend on the user. */
export interface PreparedConfig extends EvaluationConfig, LinkedFeatures {
  readonly audiences: ReadonlyMap<string, PreparedOperator>
  readonly project: Project
  readonly environment: Environment
}

/** The features of a config, and their variables. */
export interface LinkedFeatures {
  readonly table: VariableTable
  readonly features: readonly FeatureEntry[]
  /** By index. */
  readonly variables: readonly PreparedVariable[]
  /** Undefined until features are replaced by others. */
  readonly names?: FeatureNames | undefined
}

/** The ids and keys of the features of a config. */
export interface FeatureNames {
  readonly _id: Pick<ReadonlyMap<string, true>, 'get'>
  readonly key: Pick<ReadonlyMap<string, true>, 'get'>
}

/** The variables of a config. They keep their indexes when others are added or removed. */
export interface VariableTable {
  /** Sorted. */
  readonly keys: readonly string[]
  /** The indexes in the order of `keys`. Undefined if they are 0, 1, 2 and so on. */
  readonly order?: readonly number[]
  /** By key. Later tables can share and extend the map, so it has keys with an index beyond the end of `variables`. */
  readonly indexes: ReadonlyMap<string, number>
  /** By index. */
  readonly variables: readonly Variable[]
  readonly byId: VariablesById
}

/** A feature of a config. */
export interface FeatureEntry {
  readonly feature: PreparedFeature
  /** By slot: the index of the variable. */
  readonly indexes: readonly number[]
}

/** A prepared variable. */
export interface PreparedVariable {
  readonly variable: Variable
  /** The binding with the highest precedence. */
  readonly binding: FeatureBinding | undefined
  /** The result for users whom no feature serves a value. */
  readonly fallback: Extract<Resolution, { status: 'unserved' | 'disabled' }>
}

/** Binds a variable to a feature that has values for it, in a linked list ordered by precedence. */
export interface FeatureBinding {
  readonly next: FeatureBinding | undefined
  readonly feature: PreparedFeature
  /** The variable's slot in the feature. */
  readonly slot: number
}

/** The functions that prepare the parts of a config. */
export interface Preparation {
  readonly audience: typeof prepareAudience
  readonly variables: typeof readVariables
  readonly feature: typeof prepareFeature
}

/** Prepares each part from the document, without a cache. */
export const freshPreparation: Preparation = {
  audience: prepareAudience,
  variables: readVariables,
  feature: prepareFeature
}

/** Prepares a config document. Reuses the given conditions, and adds new ones to them. */
export function prepareConfig(
  config: Config,
  { audience, variables, feature }: Preparation,
  conditions: Conditions
): PreparedConfig {
  const cursor = new JsonCursor(config)
  const project = readProject(cursor.at('project'))
  const table = variables(cursor.at('variables'), readVariable)
  const offValues = new Map(cursor.at('offValues').entries(readOffValue))
  const cursors = cursor.at('features').items()
  const features = cursors.map((item) => feature(item, table.byId, conditions))
  assertUnique(cursors)
  const bindings: FeatureBinding[] = []
  return {
    project,
    environment: readEnvironment(cursor.at('environment')),
    audiences: new Map(cursor.at('audiences').entries((item) => audience(item, conditions))),
    isOptInEnabled: Boolean(project.settings?.optIn?.enabled),
    isPassthrough: project.settings?.disablePassthroughRollouts !== true,
    table,
    features: bindFeatures(features, table, bindings),
    variables: table.variables.map((variable, index) => {
      return toPrepared(variable, offValues.get(variable.key), bindings[index])
    })
  }
}

function readEnvironment(cursor: JsonCursor): Environment {
  return Object.freeze({ _id: cursor.at('_id').string(), key: cursor.at('key').string() })
}

function readProject(cursor: JsonCursor): Project {
  const settings = cursor.at('settings')
  return Object.freeze({
    _id: cursor.at('_id').string(),
    key: cursor.at('key').string(),
    a0_organization: cursor.at('a0_organization').optionalString(),
    settings: settings.isAbsent() ? undefined : readSettings(settings)
  })
}

function readSettings(cursor: JsonCursor): NonNullable<Project['settings']> {
  const optIn = cursor.at('optIn')
  if (!optIn.isAbsent()) optIn.object()
  // `at` checked that this is an object. No other property than `optIn` is used without a check.
  return cursor.json() as NonNullable<Project['settings']>
}

/** Reads the variables of a config. */
export function readVariables(cursor: JsonCursor, read: typeof readVariable): VariableTable {
  const cursors = cursor.items()
  const variables = cursors.map(read).sort(byKey)
  assertUnique(cursors)
  const indexes = new Map(variables.map(({ key }, index) => [internalize(key), index]))
  return {
    keys: Object.freeze(variables.map(({ key }) => key)),
    indexes,
    variables,
    byId: new Map(variables.map((variable) => [variable._id, variable]))
  }
}

/** Reads a variable. */
export function readVariable(cursor: JsonCursor): Variable {
  cursor.at('_id').string()
  cursor.at('key').string()
  cursor.at('type').oneOf(['String', 'Boolean', 'Number', 'JSON'])
  // The required properties are checked above. Others are copied to results unread.
  return cursor.json() as unknown as Variable
}

function byKey(a: Variable, b: Variable): number {
  return a.key < b.key ? -1 : 1
}

/** Reads the value of a feature's off variation. */
export function readOffValue(cursor: JsonCursor): OffValue {
  return Object.freeze({ variant: cursor.at('variant').string(), value: cursor.at('value').json() as Json })
}

/** Asserts that ids and keys are unique. */
function assertUnique(items: readonly JsonCursor[]): void {
  for (const property of ['_id', 'key']) {
    const seen = new Set<unknown>()
    for (const item of items) {
      const value = item.object()[property]
      if (seen.has(value)) item.at(property).fail(`should be unique, got ${JSON.stringify(value)} again`)
      seen.add(value)
    }
  }
}

/** Adds the bindings of features, by index of the variable. Later features take precedence, so each is prepended. */
export function bindFeatures(
  features: readonly PreparedFeature[],
  table: VariableTable,
  bindings: FeatureBinding[]
): FeatureEntry[] {
  return features.map((feature) => ({
    feature,
    indexes: feature.variables.map(({ key }, slot) => {
      // Defined, because `prepareVariation` took the variables of a feature from the table.
      const index = table.indexes.get(key) as number
      bindings[index] = { next: bindings[index], feature, slot }
      return index
    })
  }))
}

/** Prepares a variable. */
export function toPrepared(variable: Variable, offValue?: OffValue, binding?: FeatureBinding): PreparedVariable {
  return { variable, binding, fallback: { status: binding ? 'unserved' : 'disabled', offValue } }
}

/**
 * Returns the engine's internalized copy of a string. Property names and literals are internalized, so a lookup by a
 * literal key compares references instead of characters.
 */
export function internalize(text: string): string {
  return Object.keys({ [text]: 0 })[0] ?? text
}
