import { prepareAudience } from './audience.ts'
import type { Carrier, Prepared, PreparedVariable } from './evaluator.ts'
import { type PreparedFeature, prepareFeature } from './feature.ts'
import { Place } from './place.ts'
import type { Conditions } from './subject.ts'
import type { Config, OffValue, Project } from './types/config.ts'
import type { Json, Variable } from './types/variable.ts'

/** How the members of a config are prepared. */
export interface Preparation {
  readonly audience: typeof prepareAudience
  readonly variable: typeof readVariable
  readonly feature: typeof prepareFeature
  readonly offValue: typeof readOffValue
}

/** Prepares every member anew. */
export const anew: Preparation = {
  audience: prepareAudience,
  variable: readVariable,
  feature: prepareFeature,
  offValue: readOffValue
}

/** Prepares a config document. The conditions that it asks are added to those met so far. */
export function prepareConfig(
  config: Config,
  { audience, variable, feature, offValue }: Preparation,
  conditions: Conditions
): Prepared {
  const place = new Place(config)
  const project = readProject(place.at('project'))
  const environment = place.at('environment')
  const variablePlaces = place.at('variables').items()
  const variables = variablePlaces.map(variable).sort(byKey)
  const byId = new Map(variables.map((variable) => [variable._id, variable]))
  const audiences = place.at('audiences').members((item) => audience(item, conditions))
  const featurePlaces = place.at('features').items()
  const features = featurePlaces.map((item) => feature(item, byId, conditions))
  for (const places of [featurePlaces, variablePlaces]) {
    for (const member of ['_id', 'key']) refuseRepeats(places, member)
  }
  return {
    project,
    environment: Object.freeze({ _id: environment.at('_id').string(), key: environment.at('key').string() }),
    audiences: new Map(audiences),
    isOptInEnabled: Boolean(project.settings?.optIn?.enabled),
    isPassthrough: project.settings?.disablePassthroughRollouts !== true,
    ...tie(features, variables, new Map(place.at('offValues').members(offValue)))
  }
}

function readProject(place: Place): Project {
  const settings = place.at('settings')
  return Object.freeze({
    _id: place.at('_id').string(),
    key: place.at('key').string(),
    a0_organization: place.at('a0_organization').optionalString(),
    settings: settings.isAbsent() ? undefined : readSettings(settings)
  })
}

function readSettings(place: Place): NonNullable<Project['settings']> {
  const optIn = place.at('optIn')
  if (!optIn.isAbsent()) optIn.object()
  // An object by its reading in `at`; of its members only those looked at here and in `prepareConfig` are relied on.
  return place.json() as NonNullable<Project['settings']>
}

/** Reads a variable. */
export function readVariable(place: Place): Variable {
  place.at('_id').string()
  place.at('key').string()
  place.at('type').oneOf(['String', 'Boolean', 'Number', 'JSON'])
  // The three members a variable needs are checked above; others travel along into results.
  return place.json() as unknown as Variable
}

function byKey(a: Variable, b: Variable): number {
  return a.key < b.key ? -1 : 1
}

/** Reads the value of a feature's off variation. */
export function readOffValue(place: Place): OffValue {
  return Object.freeze({ variant: place.at('variant').string(), value: place.at('value').json() as Json })
}

/** Two items with one name would be told apart by chance. */
function refuseRepeats(items: readonly Place[], member: string): void {
  const seen = new Set<unknown>()
  for (const item of items) {
    const name = item.object()[member]
    if (seen.has(name)) item.at(member).refuse(`should be unique, got ${JSON.stringify(name)} again`)
    seen.add(name)
  }
}

/** Ties features and variables together. The variables are in order. */
function tie(
  features: readonly PreparedFeature[],
  variables: readonly Variable[],
  offValues: ReadonlyMap<string, OffValue>
): Pick<Prepared, 'features' | 'variables'> {
  const positionOf = new Map(variables.map((variable, position) => [variable, position]))
  const carriers: (Carrier | undefined)[] = variables.map(() => undefined)
  const live = features.map((feature) => {
    // What features carry is among the variables: it was found there.
    const positions = feature.carried.map((variable) => positionOf.get(variable) as number)
    // The last feature takes precedence, so it comes first.
    positions.forEach((position, slot) => {
      carriers[position] = { next: carriers[position], feature, slot }
    })
    return { feature, positions }
  })
  const entries = variables.map((variable, position): [string, PreparedVariable] => {
    const { key } = variable
    const first = carriers[position]
    const status = first ? 'unserved' : 'disabled'
    return [asName(key), { variable, first, otherwise: Object.freeze({ status, offValue: offValues.get(key) }) }]
  })
  return { features: live, variables: new Map(entries) }
}

/** The same text as the JavaScript engine keeps it for names. So are literals kept, and then it is one object with that which an application asks with: comparing them takes no look at their characters. */
function asName(text: string): string {
  return Object.keys({ [text]: 0 })[0] ?? text
}
