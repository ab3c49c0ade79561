import type { Target, Variation } from '@burgee/contract/schemas'
import { quoted } from '../quoted.ts'
import { items, type Members, members, type Part, value, values } from './comparable.ts'
import type { ConfigurationFacts, FeatureFacts, VariableFacts } from './facts.ts'

/** A feature in parts, those that users notice first. Variations are called by the keys that they have in `known`, where they do. */
export function featureParts(facts: FeatureFacts, known: FeatureFacts = facts): Members {
  const { configurations, variations, variables, sdkVisibility, settings, summary } = facts
  const names = new Map([...facts.variations, ...known.variations].map(({ _id, key }) => [_id, key]))
  const byEnvironment = configurations.map((one) => [one.environment.key, configurationParts(one, names)])
  return members({
    status: value(facts.status),
    staticVariation: value(facts.staticVariation),
    configurations: members(Object.fromEntries(byEnvironment)),
    variations: items(variations.map(variationItem)),
    variables: items(
      variables.map((variable) => {
        const { key } = variable
        return { id: key, name: key, place: `.${key}`, part: variableParts(variable) }
      })
    ),
    sdkVisibility: values(sdkVisibility),
    settings: values(settings),
    key: value(facts.key),
    name: value(facts.name),
    description: value(facts.description),
    type: value(facts.type),
    controlVariation: value(facts.controlVariation),
    tags: value(facts.tags),
    summary: values(summary)
  })
}

/** What a feature does in an environment, in parts. */
function configurationParts(
  { status, targets }: Omit<ConfigurationFacts, 'environment'>,
  names: ReadonlyMap<string, string>
): Members {
  return members({
    status: value(status),
    targets: items(
      targets.map((target, index) => {
        const { _id: id, name = '' } = target
        return { id, name, place: `[${index}] ${quoted(name)}`, part: targetParts(target, names) }
      })
    )
  })
}

function targetParts(target: Target, names: ReadonlyMap<string, string>): Part {
  const { name, audience, rollout, distribution, bucketingKey } = target
  const shares = distribution.map(({ _variation, percentage }) => [names.get(_variation) ?? _variation, percentage])
  return members({
    // Of what is new, the beginning is seen for sure: audiences can go on for long.
    distribution: value(Object.fromEntries(shares)),
    name: value(name),
    rollout: value(rollout ?? undefined),
    bucketingKey: value(bucketingKey),
    audience: value(audience)
  })
}

function variationItem({ _id, key, name, variables }: Variation) {
  const part = members({ key: value(key), name: value(name), variables: values(variables) })
  return { id: _id, name: key, place: `.${key}`, part }
}

/** A variable in parts. */
export function variableParts(variable: VariableFacts): Members {
  const { key, type, name, description, validationSchema, persistent, metadata, tags } = variable
  return members({
    key: value(key),
    type: value(type),
    name: value(name),
    description: value(description),
    validationSchema: value(validationSchema),
    persistent: value(persistent),
    metadata: value(metadata),
    tags: value(tags)
  })
}
