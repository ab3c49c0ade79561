import type {
  ExplainedFeature,
  ExplainedFilter,
  ExplainedOperator,
  ExplainedTarget,
  ExplainedVariable,
  MissedTarget
} from '@burgee/contract/schemas'
import {
  type BucketedConfig,
  type EvaluateOptions,
  type Evaluator,
  explainFeature,
  type FeatureExplanation,
  type Filter,
  type Json,
  type Operator,
  type OperatorExplanation,
  type TargetExplanation,
  type User
} from '@burgee/core'
import { omitUndefined } from '@burgee/kit'
import { takeTurn } from '../../lib/time.ts'
import type { ConfigView } from '../configs/affectedEnvironments.ts'
import type { ConfigInput } from '../configs/configSources.ts'
import { compileFeatures } from './compileFeatures.ts'

/** What an explanation refers to by name. */
export interface Names {
  /** By feature id. */
  readonly features: ReadonlyMap<string, string>
  /** By audience id. */
  readonly audiences: ReadonlyMap<string, { readonly _id: string; readonly key: string; readonly name: string }>
}

interface ExplainInput {
  readonly input: ConfigInput
  readonly user: User
  readonly options: EvaluateOptions
  readonly names: Names
  /** Whether the explanations include the targets. */
  readonly hasTargets: boolean
}

/** Explains what a user gets of features. Yields to the event loop between slices of features. */
export async function explainFeatures(
  features: readonly ConfigView<'features'>[],
  explained: ExplainInput
): Promise<readonly ExplainedFeature[]> {
  const rows: ExplainedFeature[] = []
  const audiences = new Set(explained.input.audiences.map(({ _id }) => _id))
  let previous: Evaluator | undefined
  for (let start = 0; start < features.length; start += SLICE) {
    if (start > 0) await takeTurn()
    const slice = features.slice(start, start + SLICE)
    const { evaluator } = await compileFeatures(explained.input, slice, previous)
    previous = evaluator
    const bucketed = evaluator.bucket(explained.user, explained.options)
    for (const feature of slice) {
      // Audiences that nobody created group the filters of a target (`normalizeFilters`).
      const options = { ...explained.options, isFilterGroup: (id: string) => !audiences.has(id) }
      const explanation = explainFeature(evaluator, explained.user, feature._id, options)
      rows.push(toRow(feature, explanation, bucketed, explained))
    }
  }
  return rows
}

/** Compiling and explaining this many ordinary features takes a few milliseconds. */
const SLICE = 50

/** Returns what a user gets of a variable, by the explanation of its feature. */
export function explainVariable(
  { _id, key, type }: ConfigView<'variables'>,
  feature: ExplainedFeature | undefined
): ExplainedVariable {
  const served = feature?.variables.find((variable) => variable._id === _id)
  return {
    _id,
    key,
    type,
    outcome: feature?.outcome ?? 'disabled',
    ...(served ? { value: served.value } : {}),
    ...(feature ? { feature: { _id: feature._id, key: feature.key, name: feature.name } } : {})
  }
}

function toRow(
  feature: ConfigView<'features'>,
  explanation: FeatureExplanation | undefined,
  bucketed: BucketedConfig,
  { input, names, hasTargets }: ExplainInput
): ExplainedFeature {
  const { _id, key, status } = feature
  const { served, problem } = explanation ?? {}
  const chosen = explanation?.targets.find((target) => served?.eval.target_id === target._id)
  const variation = feature.variations.find((one) => one._id === served?._variation)
  const stored = input.configurations.find(({ _feature }) => _feature === _id)?.targets ?? []
  const filtersOf = new Map(stored.map((target) => [target._id, target.audience.filters]))
  const targets = (explanation?.targets ?? []).map((target) => toTarget(target, feature, filtersOf, names))
  const missed = explanation?.outcome === 'unserved' ? toMissed(targets) : undefined
  return {
    _id,
    key,
    name: names.features.get(_id) ?? key,
    status,
    outcome: explanation?.outcome ?? 'disabled',
    reason: toReason(explanation),
    ...(variation ? { variation: { _id: variation._id, key: variation.key, name: variation.name } } : {}),
    ...(chosen ? { target: omitUndefined({ _id: chosen._id, name: chosen.name }) } : {}),
    ...(missed ? { missed } : {}),
    variables: Object.values(bucketed.variables).flatMap((variable) => {
      if (!variation || variable._feature !== _id) return []
      return [{ _id: variable._id, key: variable.key, type: variable.type, value: variable.value }]
    }),
    ...(problem
      ? { problem: omitUndefined({ code: problem.code, message: problem.message, target: problem.target }) }
      : {}),
    ...(hasTargets ? { targets } : {})
  }
}

function toReason(explanation: FeatureExplanation | undefined): ExplainedFeature['reason'] {
  if (!explanation) return { reason: 'DISABLED', details: 'The feature is off in this environment' }
  if (explanation.served) return { ...explanation.served.eval }
  if (explanation.problem) return { reason: 'ERROR', details: explanation.problem.message }
  return { reason: 'DEFAULT', details: 'No target serves the user' }
}

function toMissed([target, ...further]: readonly ExplainedTarget[]): MissedTarget | undefined {
  if (!target) return undefined
  const { _id, name, isMatched, filters, rollout } = target
  return omitUndefined({
    _id,
    name,
    filter: isMatched ? undefined : findUnmatched(filters),
    rollout: isMatched && rollout?.isAdmitted === false ? rollout : undefined,
    further: further.length
  })
}

/** Returns the first filter without which an operator cannot match; none where one of several filters would do. */
function findUnmatched({ operator, filters }: ExplainedOperator): ExplainedFilter | undefined {
  if (operator === 'or' && filters.length > 1) return undefined
  const member = filters.find(({ isMatched }) => !isMatched)
  return member && 'operator' in member ? findUnmatched(member) : member
}

function toTarget(
  { _id, name, isReached, isChosen, isMatched, filters, bucketingValue, rollout, distribution }: TargetExplanation,
  { variations }: ConfigView<'features'>,
  filtersOf: ReadonlyMap<string, Operator>,
  names: Names
): ExplainedTarget {
  return {
    ...omitUndefined({ _id, name, bucketingValue }),
    isReached,
    isChosen,
    isMatched,
    filters: toOperator(filters, filtersOf.get(_id), names),
    ...(rollout ? { rollout: omitUndefined(rollout) } : {}),
    distribution: {
      ...omitUndefined({ position: distribution.position }),
      ranges: distribution.ranges.map(({ _variation, from, to, isHit }) => {
        const variation = variations.find((one) => one._id === _variation)
        return { ...omitUndefined({ _variation, key: variation?.key, name: variation?.name }), from, to, isHit }
      })
    }
  }
}

/**
 * Names the audiences of filters, and restores the order of the stored members: in the config, filters precede nested
 * operators (`normalizeFilters`).
 */
function toOperator(explained: OperatorExplanation, stored: Operator | undefined, names: Names): ExplainedOperator {
  const groups = explained.filters.filter((member) => 'operator' in member)
  const leaves = explained.filters.filter((member) => 'filter' in member)
  const toMembers = (): ExplainedOperator['filters'] => {
    const members = (stored?.filters ?? []).map((member) => {
      if ('operator' in member) {
        const group = groups.shift()
        return group && toOperator(group, member, names)
      }
      const leaf = leaves.shift()
      return leaf && toFilter(member, leaf.isMatched, names)
    })
    return members.filter((member) => member !== undefined)
  }
  return {
    // The config has been compiled, so its operators are `and` or `or`.
    operator: explained.operator as ExplainedOperator['operator'],
    isMatched: explained.isMatched,
    filters: toMembers()
  }
}

function toFilter(filter: Filter, isMatched: boolean, { audiences }: Names): ExplainedFilter {
  const named = (filter._audiences ?? []).flatMap((id) => audiences.get(id) ?? [])
  return {
    // Stored filters are JSON.
    filter: filter as unknown as Readonly<Record<string, Json>> & ExplainedFilter['filter'],
    isMatched,
    ...(named.length > 0 ? { audiences: named } : {})
  }
}
