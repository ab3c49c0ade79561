import { prepareAudience } from './conditions/audience.ts'
import type { EvaluationConfig } from './conditions/evaluationState.ts'
import type { Conditions } from './conditions/filter.ts'
import type { PreparedOperator } from './conditions/operator.ts'
import { JsonCursor } from './json/jsonCursor.ts'
import { type PreparedFeature, prepareFeature } from './targeting/feature.ts'
import type { Config, Environment, OffValue, Project } from './types/config.ts'
import type { Resolution } from './types/resolution.ts'
import type { Json, Variable } from './types/variable.ts'

/** A config document with everything precomputed that does not depend on the user. */
export interface PreparedConfig extends EvaluationConfig {
  readonly audiences: ReadonlyMap<string, PreparedOperator>
  readonly project: Project
  readonly environment: Environment
  readonly features: readonly FeatureEntry[]
  /** By key, in the order of keys. */
  readonly variables: ReadonlyMap<string, PreparedVariable>
}

/** A feature of a config. */
export interface FeatureEntry {
  readonly feature: PreparedFeature
  /** By slot: the index of the variable among all variables of the config. */
  readonly indexes: readonly number[]
}

/** A prepared variable. */
export interface PreparedVariable {
  readonly variable: Variable
  /** The binding with the highest precedence. */
  readonly binding: FeatureBinding | undefined
  /** The result for users whom no feature serves a value. */
  readonly fallback: Resolution
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
  readonly variable: typeof readVariable
  readonly feature: typeof prepareFeature
  readonly offValue: typeof readOffValue
}

/** Prepares each part from the document, without a cache. */
export const freshPreparation: Preparation = {
  audience: prepareAudience,
  variable: readVariable,
  feature: prepareFeature,
  offValue: readOffValue
}

/** Prepares a config document. Reuses the given conditions, and adds new ones to them. */
export function prepareConfig(
  config: Config,
  { audience, variable, feature, offValue }: Preparation,
  conditions: Conditions
): PreparedConfig {
  const cursor = new JsonCursor(config)
  const project = readProject(cursor.at('project'))
  const environment = cursor.at('environment')
  const variableCursors = cursor.at('variables').items()
  const variables = variableCursors.map(variable).sort(byKey)
  const byId = new Map(variables.map((variable) => [variable._id, variable]))
  const audiences = cursor.at('audiences').entries((item) => audience(item, conditions))
  const featureCursors = cursor.at('features').items()
  const features = featureCursors.map((item) => feature(item, byId, conditions))
  for (const cursors of [featureCursors, variableCursors]) {
    for (const property of ['_id', 'key']) assertUnique(cursors, property)
  }
  return {
    project,
    environment: Object.freeze({ _id: environment.at('_id').string(), key: environment.at('key').string() }),
    audiences: new Map(audiences),
    isOptInEnabled: Boolean(project.settings?.optIn?.enabled),
    isPassthrough: project.settings?.disablePassthroughRollouts !== true,
    ...bindVariables(features, variables, new Map(cursor.at('offValues').entries(offValue)))
  }
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

function assertUnique(items: readonly JsonCursor[], property: string): void {
  const seen = new Set<unknown>()
  for (const item of items) {
    const value = item.object()[property]
    if (seen.has(value)) item.at(property).fail(`should be unique, got ${JSON.stringify(value)} again`)
    seen.add(value)
  }
}

/** Links variables, in the order of their keys, to the features that have values for them. */
function bindVariables(
  features: readonly PreparedFeature[],
  variables: readonly Variable[],
  offValues: ReadonlyMap<string, OffValue>
): Pick<PreparedConfig, 'features' | 'variables'> {
  const indexOf = new Map(variables.map((variable, index) => [variable, index]))
  const bindings: (FeatureBinding | undefined)[] = variables.map(() => undefined)
  const featureEntries = features.map((feature) => {
    // Defined, because `prepareVariation` took the variables of a feature from `variables`.
    const indexes = feature.variables.map((variable) => indexOf.get(variable) as number)
    // Later features take precedence, so each is prepended.
    indexes.forEach((index, slot) => {
      bindings[index] = { next: bindings[index], feature, slot }
    })
    return { feature, indexes }
  })
  const variableEntries = variables.map((variable, index): [string, PreparedVariable] => {
    const { key } = variable
    const binding = bindings[index]
    const status = binding ? 'unserved' : 'disabled'
    const fallback = Object.freeze({ status, offValue: offValues.get(key) })
    return [internalize(key), { variable, binding, fallback }]
  })
  return { features: featureEntries, variables: new Map(variableEntries) }
}

/**
 * Returns the engine's internalized copy of a string. Property names and literals are internalized, so a lookup by a
 * literal key compares references instead of characters.
 */
function internalize(text: string): string {
  return Object.keys({ [text]: 0 })[0] ?? text
}
