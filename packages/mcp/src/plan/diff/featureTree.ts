import type { Target, Variation } from '@burgee/contract/schemas'
import { formatQuoted } from '../../results/formatQuoted.ts'
import type { ConfigurationState, FeatureState, VariableState } from '../state/featureState.ts'
import { describeAudience, describeDistribution, describeRollout } from './describeTarget.ts'
import { type DiffNode, listNode, type ObjectNode, objectNode, valueNode, valuesNode } from './diffNode.ts'

interface Names {
  /** The state whose variation keys identify variations, for variations that exist in it. */
  readonly known?: FeatureState
  /** Names of audiences by id and by key. */
  readonly audiences?: ReadonlyMap<string, string> | undefined
}

/** Converts a feature to a tree. The parts that affect users most come first. */
export function featureTree(state: FeatureState, { known = state, audiences = new Map() }: Names = {}): ObjectNode {
  const { configurations, variations, variables, sdkVisibility, settings, summary } = state
  const names = {
    keys: new Map([...state.variations, ...known.variations].map(({ _id, key }) => [_id, key])),
    variations: new Map(state.variations.map(({ _id, key, name }) => [_id, name || key])),
    audiences
  }
  const byEnvironment = configurations.map((one) => [one.environment.key, configurationTree(one, names)])
  return objectNode({
    status: valueNode(state.status),
    staticVariation: valueNode(state.staticVariation),
    configurations: { ...objectNode(Object.fromEntries(byEnvironment)), isByEnvironment: true },
    variations: listNode(variations.map(variationItem)),
    variables: listNode(
      variables.map((variable) => {
        const { key } = variable
        return {
          id: key,
          name: key,
          segment: `.${key}`,
          label: `variable ${formatQuoted(key)}`,
          node: variableTree(variable)
        }
      })
    ),
    sdkVisibility: valuesNode(sdkVisibility),
    settings: valuesNode(settings),
    key: valueNode(state.key),
    name: valueNode(state.name),
    description: valueNode(state.description),
    type: valueNode(state.type),
    controlVariation: valueNode(state.controlVariation),
    tags: valueNode(state.tags),
    summary: valuesNode(summary)
  })
}

interface TargetNames {
  /** Keys of variations by id. */
  readonly keys: ReadonlyMap<string, string>
  /** Names of variations by id. */
  readonly variations: ReadonlyMap<string, string>
  readonly audiences: ReadonlyMap<string, string>
}

function configurationTree(
  { status, targets }: Omit<ConfigurationState, 'environment'>,
  names: TargetNames
): ObjectNode {
  return objectNode({
    status: valueNode(status, status === 'active' ? 'on' : 'off'),
    targets: listNode(
      targets.map((target, index) => {
        const { _id: id, name = '' } = target
        const label = `target ${index + 1}${name === '' ? '' : ` ${formatQuoted(name)}`}`
        return { id, name, segment: `[${index}] ${formatQuoted(name)}`, label, node: targetTree(target, names) }
      })
    )
  })
}

function targetTree(target: Target, { keys, variations, audiences }: TargetNames): DiffNode {
  const { name, audience, rollout, distribution, bucketingKey } = target
  const shares = distribution.map(({ _variation, percentage }) => [keys.get(_variation) ?? _variation, percentage])
  return objectNode({
    // First, since long audiences can be truncated.
    distribution: valueNode(Object.fromEntries(shares), describeDistribution(distribution, variations)),
    name: valueNode(name),
    rollout: rollout ? valueNode(rollout, describeRollout(rollout)) : undefined,
    bucketingKey: valueNode(bucketingKey),
    audience: valueNode(audience, describeAudience(audience, audiences))
  })
}

function variationItem({ _id, key, name, variables }: Variation) {
  const node = objectNode({ key: valueNode(key), name: valueNode(name), variables: valuesNode(variables) })
  return { id: _id, name: key, segment: `.${key}`, label: `variation ${formatQuoted(name || key)}`, node }
}

/** Converts a variable to a tree. */
export function variableTree(variable: VariableState): ObjectNode {
  const { key, type, name, description, validationSchema, persistent, metadata, tags } = variable
  return objectNode({
    key: valueNode(key),
    type: valueNode(type),
    name: valueNode(name),
    description: valueNode(description),
    validationSchema: valueNode(validationSchema),
    persistent: valueNode(persistent),
    metadata: valueNode(metadata),
    tags: valueNode(tags)
  })
}
