import type { ManagedKind } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'

/** A resource as files describe it, with references by key. A member that is absent is not described. */
export type Resource = { readonly [member: string]: unknown }

/** The resources of a project as files describe them, by key; webhooks by name. */
export type ProjectDocument = { readonly [S in Section]: Readonly<Record<string, Resource>> }

/** The sections of a file, in the order in which resources are applied, with the kind of their resources. */
export const sections = {
  customProperties: 'customProperty',
  audiences: 'audience',
  variables: 'variable',
  features: 'feature',
  metrics: 'metric',
  webhooks: 'webhook',
  settings: 'settings'
} as const satisfies Readonly<Record<string, ManagedKind>>

export type Section = keyof typeof sections

/** The key of the settings of a project, which are one resource. Paths leave it out. */
export const SETTINGS_KEY = ''

/** The names of the sections, in the order in which resources are applied. */
// The object has these members and no others.
export const sectionNames = Object.keys(sections) as readonly Section[]

/** Returns the section of a kind of resources. */
export function sectionOf(kind: ManagedKind): Section {
  const found = sectionNames.find((name) => sections[name] === kind)
  if (!found) throw new TypeError(`there is no section of ${kind}`)
  return found
}

/** A target as documents describe it. Shares are fractions. */
export interface DocumentTarget {
  readonly name?: string
  /** Identifies a target of the server that has no unique name. */
  readonly id?: string
  readonly for: Operator
  /** The share of each variation, by key. */
  readonly serve: Readonly<Record<string, number>>
  readonly rollout?: DocumentRollout
  readonly bucketingKey?: string
}

/** An operator with audiences by key. */
export interface Operator {
  readonly operator: 'and' | 'or'
  readonly filters: readonly (Operator | Filter)[]
}

export interface Filter {
  readonly type: string
  readonly _audiences?: readonly string[]
  readonly [member: string]: unknown
}

export interface DocumentRollout {
  readonly type: string
  readonly startDate: string
  readonly startPercentage?: number
  readonly stages?: readonly { readonly type: string; readonly percentage: number; readonly date: string }[]
}

/** The configuration of a feature in one environment. */
export interface DocumentConfiguration {
  readonly status?: 'on' | 'off'
  readonly targets?: readonly DocumentTarget[]
}

/** The status of a feature: a complete one serves a variation. */
export type DocumentStatus = 'active' | 'archived' | { readonly complete: string }

export function isOperator(item: Operator | Filter): item is Operator {
  return 'operator' in item
}

/** Returns the features that carry variables in the files, by the key of the variable. */
export function indexVariables({ features }: ProjectDocument): ReadonlyMap<string, string> {
  const carried = Object.entries(features).flatMap(([feature, { variables }]) => {
    return isRecord(variables) ? Object.keys(variables).map((key) => [key, feature] as const) : []
  })
  return new Map(carried)
}

/** A reference to something that is neither in the files nor on the server. */
export interface ReferenceIssue {
  readonly section: Section
  readonly key: string
  readonly path: readonly string[]
  readonly message: string
}

/** What a reference can refer to. */
export type ReferenceKind = 'audience' | 'environment' | 'feature' | 'metric' | 'variable' | 'variation'
