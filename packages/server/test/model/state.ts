import { isDeepStrictEqual } from 'node:util'
import type { Json, VariableType } from '@burgee/core'

/**
 * The contents of one project as plain data. Items refer to each other by handles, which stay when keys change; the
 * real project has ids instead.
 */
export interface Model {
  environments: ModelEnvironment[]
  variables: ModelVariable[]
  features: ModelFeature[]
  audiences: ModelAudience[]
  /** The number of handles in use so far. */
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

/** A variable, free or in a feature. */
export interface ModelVariable {
  handle: string
  key: string
  name: string
  type: VariableType
  status: 'active' | 'archived'
  /** The feature of the variable. */
  feature?: string
}

/** A feature with its own data. */
export interface ModelFeature {
  handle: string
  key: string
  name: string
  description?: string
  tags: string[]
  status: 'active' | 'complete' | 'archived'
  /** The static variation. */
  fixed?: string
  control?: string
  /** Handles of its variables, in order. */
  carries: string[]
  variations: ModelVariation[]
  /** Environment → its configuration. */
  configurations: Record<string, ModelConfiguration>
  /** One entry for each change, oldest first. */
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

/** The configuration of a feature in one environment. */
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

/** The users of a target or an audience, which is named by its handle. */
export type Who = 'everybody' | { users: string[] } | { audience: string }

/** The time from which a target includes users. */
export type Start = 'yesterday' | 'tomorrow'

/** A named group of users. */
export interface ModelAudience {
  handle: string
  key: string
  name: string
  who: Who
}

/** The state that a change of a feature replaced; nothing for its creation. */
export interface Entry {
  feature?: Omit<ModelFeature, 'log'>
  /** The modified variables in their former state; the handle alone for new ones. */
  variables: { handle: string; before?: ModelVariable }[]
}

/** A newly created project. */
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

/** An unused handle. */
export function newHandle(model: Model): string {
  model.handles += 1
  return `#${model.handles}`
}

/** Resolves a reference in a command: `id:alpha` is the item with the current key `alpha`, named by its id. */
export function keyIn(reference: string): string {
  return reference.replace(/^id:/, '')
}

/** The item that a reference names. */
export function find<T extends { key: string }>(items: readonly T[], reference: string): T | undefined {
  return items.find(({ key }) => key === keyIn(reference))
}

/** The variables of a feature. */
export function variablesOf(model: Model, { handle }: { handle: string }): ModelVariable[] {
  return model.variables.filter(({ feature }) => feature === handle)
}

/** The mistakes found by a rule: the statuses that the server may answer with. It answers with one of them. */
export type Faults = Set<400 | 404 | 405 | 409 | 412>

/** Changes a model, or finds mistakes; a model with mistakes is discarded. */
export type Rule = (model: Model, faults: Faults) => void

/** The result of a rule: the statuses that may refuse the request, or the next model. */
export function outcomeOf(model: Model, rule: Rule): { faults: Faults; next: Model } {
  const next = structuredClone(model)
  const faults: Faults = new Set()
  rule(next, faults)
  return faults.size > 0 ? { faults, next: model } : { faults, next }
}

/** Whether two values are deeply equal. */
export function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}

/** Omits undefined members. */
export function given<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** A request that changes nothing, and fails for an unknown item. */
export function reading(isThere: (model: Model) => boolean): Rule {
  return (model, faults) => {
    if (!isThere(model)) faults.add(404)
  }
}
