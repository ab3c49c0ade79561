import {
  type Entry,
  type Faults,
  find,
  isSame,
  type Model,
  type ModelFeature,
  type Rule,
  variablesOf
} from '../state.ts'
import { forgetEmpty, isMalformed } from '../targeting.ts'
import type { ConfigurationInput } from './inputs.ts'

type Change = (model: Model, faults: Faults, feature: ModelFeature) => void

/** Changes an existing feature; the change is added to its log if it makes a difference. */
export function changing(reference: string, change: Change, said: readonly ConfigurationInput[] = []): Rule {
  return (model, faults) => {
    // The server validates the form of a request first.
    if (said.some(({ targets = [] }) => targets.some(isMalformed))) faults.add(400)
    const feature = find(model.features, reference)
    if (!feature) {
      faults.add(404)
      return
    }
    const before = structuredClone(model)
    const { log: _, ...former } = structuredClone(feature)
    change(model, faults, feature)
    forgetEmpty(feature)
    const { log, ...present } = feature
    const variables = changedVariables(before, model, feature)
    if (!isSame(former, present) || variables.length > 0) log.push({ feature: former, variables })
  }
}

/** The variables of a feature that a change modified, in their former state. */
export function changedVariables(before: Model, after: Model, feature: ModelFeature): Entry['variables'] {
  const handles = new Set([...variablesOf(before, feature), ...variablesOf(after, feature)].map(({ handle }) => handle))
  return [...handles].flatMap((handle) => {
    const [earlier, later] = [before, after].map((model) => model.variables.find((each) => each.handle === handle))
    return isSame(earlier, later) ? [] : [{ handle, ...(earlier ? { before: earlier } : {}) }]
  })
}
