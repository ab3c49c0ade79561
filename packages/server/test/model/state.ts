import { isDeepStrictEqual } from 'node:util'
import type { Json, VariableType } from '@burgee/core'

/**
 * What one project holds, as plain data. Things know each other by handles, which stay when keys change; the real
 * project has ids in their place.
 */
export interface Model {
  environments: ModelEnvironment[]
  variables: ModelVariable[]
  features: ModelFeature[]
  audiences: ModelAudience[]
  /** How many handles were given out. */
  handles: number
}

/** An environment and its SDK keys. */
export interface ModelEnvironment {
  handle: string
  key: string
  name: string
  /** Handles of the SDK keys, the newest last. */
  keys: Record<KeyType, string[]>
}

/** The types of SDK keys. */
export const keyTypes = ['server', 'client', 'mobile'] as const
export type KeyType = (typeof keyTypes)[number]

/** A variable, free or carried by a feature. */
export interface ModelVariable {
  handle: string
  key: string
  name: string
  type: VariableType
  status: 'active' | 'archived'
  /** The feature that carries it. */
  feature?: string
}

/** A feature with everything that is its own. */
export interface ModelFeature {
  handle: string
  key: string
  name: string
  description?: string
  tags: string[]
  status: 'active' | 'complete' | 'archived'
  /** The variation that everybody gets. */
  fixed?: string
  control?: string
  /** Handles of its variables, in order. */
  carries: string[]
  variations: ModelVariation[]
  /** Environment → what was said about it. */
  configurations: Record<string, ModelConfiguration>
  /** One entry for each change, the oldest first. */
  log: Entry[]
}

/** A value for each variable of a feature. */
export interface ModelVariation {
  handle: string
  key: string
  name: string
  /** Variable → value. */
  values: Record<string, Json>
}

/** What a feature does in one environment. */
export interface ModelConfiguration {
  isActive: boolean
  targets: ModelTarget[]
}

/** A targeting rule. */
export interface ModelTarget {
  handle: string
  who: Who
  starts?: Start
  shares: { variation: string; percentage: number }[]
}

/** Whom a target or an audience is for; an audience by its handle. */
export type Who = 'everybody' | { users: string[] } | { audience: string }

/** When a target begins to admit users. */
export type Start = 'yesterday' | 'tomorrow'

/** A named group of users. */
export interface ModelAudience {
  handle: string
  key: string
  name: string
  who: Who
}

/** What a change of a feature replaced. Of its creation, there was nothing. */
export interface Entry {
  feature?: Omit<ModelFeature, 'log'>
  /** The variables that became others, as they were; the handle alone of those that were not there. */
  variables: { handle: string; before?: ModelVariable }[]
}

/** The project as it is when it has just been created. */
export function newModel(): Model {
  const model: Model = { environments: [], variables: [], features: [], audiences: [], handles: 0 }
  for (const name of ['Development', 'Staging', 'Production']) addEnvironment(model, name.toLowerCase(), name)
  return model
}

/** A new environment has one key of each type. */
export function addEnvironment(model: Model, key: string, name: string): void {
  const keys = { server: [newHandle(model)], client: [newHandle(model)], mobile: [newHandle(model)] }
  model.environments.push({ handle: newHandle(model), key, name, keys })
}

/** A handle that nothing has yet. */
export function newHandle(model: Model): string {
  model.handles += 1
  return `#${model.handles}`
}

/** The key that a reference in a command is about: `id:alpha` is the thing that now has the key `alpha`, called by its id. */
export function keyIn(reference: string): string {
  return reference.replace(/^id:/, '')
}

/** The thing that a reference is about. */
export function find<T extends { key: string }>(items: readonly T[], reference: string): T | undefined {
  return items.find(({ key }) => key === keyIn(reference))
}

/** The variables that a feature carries. */
export function variablesOf(model: Model, { handle }: { handle: string }): ModelVariable[] {
  return model.variables.filter(({ feature }) => feature === handle)
}

/** What a rule finds wrong: the statuses that may answer it. The server names one of them. */
export type Faults = Set<400 | 404 | 405 | 409 | 412>

/** Changes a model, or finds something wrong; a model with something wrong is thrown away. */
export type Rule = (model: Model, faults: Faults) => void

/** What becomes of a model by a rule: the statuses that may refuse it, or the next model. */
export function outcomeOf(model: Model, rule: Rule): { faults: Faults; next: Model } {
  const next = structuredClone(model)
  const faults: Faults = new Set()
  rule(next, faults)
  return faults.size > 0 ? { faults, next: model } : { faults, next }
}

/** Whether two things hold the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}

/** The members that are given. */
export function given<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** A request that changes nothing; it fails when it is about nothing that is there. */
export function reading(isThere: (model: Model) => boolean): Rule {
  return (model, faults) => {
    if (!isThere(model)) faults.add(404)
  }
}
