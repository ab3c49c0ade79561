import { prepareAudiences } from './audience.ts'
import { type Carrier, Evaluator, type PreparedVariable } from './evaluator.ts'
import { type PreparedFeature, prepareFeature } from './feature.ts'
import { Place } from './place.ts'
import type { Config, OffValue, Project } from './types/config.ts'
import type { Problem } from './types/problem.ts'
import type { Json, Variable } from './types/variable.ts'

/** What a compiled config reports to. */
export interface CompileOptions {
  /** Called during an evaluation for each feature that could not be decided and was left out. */
  readonly onProblem?: (problem: Problem) => void
}

/**
 * Prepares a config document for evaluation: everything that does not depend on the user is worked out here, once.
 * What the evaluator hands out later are frozen copies; the document itself stays the caller's.
 *
 * @throws {ConfigError} when the document is malformed; its `path` names the member.
 * @example
 * const evaluator = compile(config)
 * evaluator.variable({ user_id: 'ada', country: 'GB' }, 'new-checkout')?.value
 */
export function compile(config: Config, options: CompileOptions = {}): Evaluator {
  const place = new Place(config)
  const project = readProject(place.at('project'))
  const environment = place.at('environment')
  const variables = place.at('variables').items().map(readVariable).sort(byKey)
  const around = {
    shared: prepareAudiences(place.at('audiences')),
    variables: new Map(variables.map((variable) => [variable._id, variable])),
    positions: new Map(variables.map((variable, position) => [variable, position])),
    isOptInEnabled: Boolean(project.settings?.optIn?.enabled),
    isPassthrough: project.settings?.disablePassthroughRollouts !== true
  }
  const features = place
    .at('features')
    .items()
    .map((feature) => prepareFeature(feature, around))
  for (const list of ['features', 'variables']) {
    for (const member of ['_id', 'key']) refuseRepeats(place.at(list).items(), member)
  }
  return new Evaluator({
    project,
    environment: Object.freeze({ _id: environment.at('_id').string(), key: environment.at('key').string() }),
    features,
    variables: prepareVariables(variables, features, readOffValues(place.at('offValues'))),
    onProblem: options.onProblem
  })
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
  // An object by its reading in `at`; of its members only those looked at here and in `compile` are relied on.
  return place.json() as NonNullable<Project['settings']>
}

function readVariable(place: Place): Variable {
  place.at('_id').string()
  place.at('key').string()
  place.at('type').oneOf(['String', 'Boolean', 'Number', 'JSON'])
  // The three members a variable needs are checked above; others travel along into results.
  return place.json() as unknown as Variable
}

function byKey(a: Variable, b: Variable): number {
  return a.key < b.key ? -1 : 1
}

function readOffValues(place: Place): ReadonlyMap<string, OffValue> {
  const members = place.isAbsent() ? [] : place.members()
  return new Map(
    members.map(([key, value]): [string, OffValue] => {
      return [key, Object.freeze({ variant: value.at('variant').string(), value: value.at('value').json() as Json })]
    })
  )
}

/** Two items with one name would be told apart by chance. */
function refuseRepeats(items: readonly Place[], member: string): void {
  const seen = new Set<unknown>()
  for (const item of items) {
    const name = item.at(member)
    if (seen.has(name.value)) name.refuse(`should be unique, got ${JSON.stringify(name.value)} again`)
    seen.add(name.value)
  }
}

/** The variables by key, in order, each with the features that can serve it. */
function prepareVariables(
  variables: readonly Variable[],
  features: readonly PreparedFeature[],
  offValues: ReadonlyMap<string, OffValue>
): ReadonlyMap<string, PreparedVariable> {
  const carriers = new Map<Variable, Carrier>()
  for (const feature of features) {
    // The last feature takes precedence, so it comes first.
    for (const [slot, variable] of feature.carried.entries()) {
      carriers.set(variable, { next: carriers.get(variable), feature, slot })
    }
  }
  return new Map(
    variables.map((variable): [string, PreparedVariable] => {
      const { key } = variable
      const first = carriers.get(variable)
      const status = first ? 'unserved' : 'disabled'
      return [asName(key), { first, otherwise: Object.freeze({ status, offValue: offValues.get(key) }) }]
    })
  )
}

/** The same text as the JavaScript engine keeps it for names. So are literals kept, and then it is one object with that which an application asks with: comparing them takes no look at their characters. */
function asName(text: string): string {
  return Object.keys({ [text]: 0 })[0] ?? text
}
