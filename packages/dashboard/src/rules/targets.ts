import {
  type FeatureConfigurationStatus,
  MAX_TARGETS,
  type TargetInput,
  type UpdateFeatureConfiguration
} from '@burgee/contract/schemas'
import { reduceTree, type TreeAction, treeRefusal } from './editTree.ts'
import { type RolloutDraft, toRollout, toRolloutDraft } from './rollout/rolloutDraft.ts'
import { reduceSplit, type Split, type SplitAction, serveOne, toDistribution, toSplit } from './split.ts'
import { everybodyTree, type FilterTree, toOperator, toTree } from './tree.ts'

/** A target in the form. */
export interface TargetDraft {
  /** Identifies the target while the form is open. Not part of the API. */
  readonly key: string
  /** The seed of bucketing; absent for a new target. */
  readonly id?: string
  readonly name?: string
  readonly audienceName?: string
  readonly tree: FilterTree
  readonly split: Split
  readonly rollout: RolloutDraft
  readonly bucketingKey?: string
}

/** The configuration of a feature in one environment, in the form. */
export interface ConfigurationDraft {
  readonly status: FeatureConfigurationStatus
  readonly targets: readonly TargetDraft[]
  readonly nextKey: number
}

/** A configuration of the API with the members that the form edits. */
export type ConfigurationInput = Required<UpdateFeatureConfiguration>

/** A change of a configuration. `target` is the key of the target in the form. */
export type ConfigurationAction =
  | { readonly type: 'setStatus'; readonly status: FeatureConfigurationStatus }
  /** Adds a target that serves one variation; an empty `variation` is still to be chosen. */
  | {
      readonly type: 'addTarget'
      readonly variation: string
      readonly index: number
      /** Whom it serves, for everyone by default. */
      readonly audience?: Pick<TargetDraft, 'tree' | 'rollout'>
    }
  | { readonly type: 'removeTarget'; readonly target: string }
  /** Adds a copy after the target. It has no id: its users are assigned independently of the original. */
  | { readonly type: 'duplicateTarget'; readonly target: string }
  | { readonly type: 'moveTarget'; readonly target: string; readonly index: number }
  /** Sets the name; an empty one removes it. */
  | { readonly type: 'renameTarget'; readonly target: string; readonly name: string }
  | { readonly type: 'editTree'; readonly target: string; readonly action: TreeAction }
  | { readonly type: 'editSplit'; readonly target: string; readonly action: SplitAction }
  | { readonly type: 'setRollout'; readonly target: string; readonly rollout: RolloutDraft }
  /** Sets the custom property that is hashed; undefined or empty for `user_id`. */
  | { readonly type: 'setBucketingKey'; readonly target: string; readonly bucketingKey: string | undefined }
  /** Replaces all targets, as by pasted JSON. Ids are kept as given. */
  | { readonly type: 'replaceTargets'; readonly targets: readonly TargetInput[] }
  /** Replaces all targets by those of another environment. Only ids that this draft has are kept. */
  | { readonly type: 'copyTargets'; readonly targets: readonly TargetInput[] }

/** What the possible changes depend on. */
export interface ConfigurationContext {
  /** Whether the feature allows opt-in, so that its opt-in target stays. */
  readonly isOptInEnabled: boolean
}

/** Creates the form of a configuration. */
export function toConfigurationDraft({
  status = 'inactive',
  targets = []
}: UpdateFeatureConfiguration): ConfigurationDraft {
  return withTargets({ status, targets: [], nextKey: 1 }, targets)
}

/** Returns the configuration for the API. */
export function toConfiguration({ status, targets }: ConfigurationDraft): ConfigurationInput {
  return { status, targets: targets.map(toTargetInput) }
}

/** The two forms of a configuration, for `useDraft`. Targets of the previous draft keep their keys. */
export const configurationCodec = {
  toDraft(configuration: UpdateFeatureConfiguration, previous?: ConfigurationDraft): ConfigurationDraft {
    const { status = 'inactive', targets = [] } = configuration
    return previous ? withTargets({ ...previous, status }, targets) : toConfigurationDraft(configuration)
  },
  toApi: toConfiguration
}

/** Returns one target for the API. */
export function toTargetInput(draft: TargetDraft): TargetInput {
  const { id, name, audienceName, tree, split, rollout: rolloutDraft, bucketingKey } = draft
  const rollout = toRollout(rolloutDraft)
  return {
    ...(id === undefined ? {} : { _id: id }),
    ...(name === undefined ? {} : { name }),
    audience: { ...(audienceName === undefined ? {} : { name: audienceName }), filters: toOperator(tree) },
    ...(rollout ? { rollout } : {}),
    distribution: toDistribution(split),
    ...(bucketingKey === undefined ? {} : { bucketingKey })
  }
}

/** True for the built-in opt-in target. A target with further filters is user-defined. */
export function isOptInTarget({ tree }: TargetDraft): boolean {
  const [node, ...others] = tree.root.members
  return others.length === 0 && node?.kind === 'condition' && node.filter.type === 'optIn'
}

/** Returns why a change is not possible, as a sentence for the disabled control, or undefined if it is. */
export function configurationRefusal(
  draft: ConfigurationDraft,
  action: ConfigurationAction,
  { isOptInEnabled }: ConfigurationContext
): string | undefined {
  const target = 'target' in action ? draft.targets.find(({ key }) => key === action.target) : undefined
  if ('target' in action && !target) return 'the target no longer exists'
  switch (action.type) {
    case 'addTarget':
    case 'duplicateTarget':
      return draft.targets.length >= MAX_TARGETS ? `at most ${MAX_TARGETS} targets` : undefined
    case 'removeTarget':
      return isOptInEnabled && target && isSoleOptInTarget(draft, target) ? optInStays : undefined
    case 'editTree': {
      if (!target) return undefined
      const refusal = treeRefusal(target.tree, action.action)
      if (refusal !== undefined || !isOptInEnabled || !isSoleOptInTarget(draft, target)) return refusal
      return isOptInTarget({ ...target, tree: reduceTree(target.tree, action.action) }) ? undefined : optInStays
    }
    case 'replaceTargets':
    case 'copyTargets':
      if (action.targets.length > MAX_TARGETS) return `at most ${MAX_TARGETS} targets, not ${action.targets.length}`
      return isOptInEnabled && draft.targets.some(isOptInTarget) && !toTargets(action.targets).some(isOptInTarget)
        ? optInStays
        : undefined
    default:
      return undefined
  }
}

/** Returns the configuration after a change. Returns the same one if `configurationRefusal` has a reason against it. */
export function reduceConfiguration(
  draft: ConfigurationDraft,
  action: ConfigurationAction,
  context: ConfigurationContext
): ConfigurationDraft {
  if (configurationRefusal(draft, action, context) !== undefined) return draft
  const { targets, nextKey } = draft
  switch (action.type) {
    case 'setStatus':
      return { ...draft, status: action.status }
    case 'addTarget': {
      const added: TargetDraft = {
        key: String(nextKey),
        ...(action.audience ?? { tree: everybodyTree(), rollout: { form: 'everybody' } }),
        split: serveOne(action.variation)
      }
      return { ...draft, targets: targets.toSpliced(action.index, 0, added), nextKey: nextKey + 1 }
    }
    case 'removeTarget':
      return { ...draft, targets: targets.filter(({ key }) => key !== action.target) }
    case 'duplicateTarget': {
      const index = targets.findIndex(({ key }) => key === action.target)
      const copies = targets.slice(index, index + 1).map((target) => copyOf(target, String(nextKey)))
      return { ...draft, targets: targets.toSpliced(index + 1, 0, ...copies), nextKey: nextKey + 1 }
    }
    case 'moveTarget': {
      const others = targets.filter(({ key }) => key !== action.target)
      const moved = targets.filter(({ key }) => key === action.target)
      const index = Math.max(0, Math.min(action.index, others.length))
      return { ...draft, targets: others.toSpliced(index, 0, ...moved) }
    }
    case 'renameTarget':
      return change(draft, action.target, ({ name, ...members }) =>
        action.name === '' ? members : { ...members, name: action.name }
      )
    case 'editTree':
      return change(draft, action.target, (target) => ({ ...target, tree: reduceTree(target.tree, action.action) }))
    case 'editSplit':
      return change(draft, action.target, (target) => ({ ...target, split: reduceSplit(target.split, action.action) }))
    case 'setRollout':
      return change(draft, action.target, (target) => ({ ...target, rollout: action.rollout }))
    case 'setBucketingKey':
      return change(draft, action.target, ({ bucketingKey, ...members }) =>
        action.bucketingKey ? { ...members, bucketingKey: action.bucketingKey } : members
      )
    case 'replaceTargets':
      return withTargets(draft, action.targets)
    case 'copyTargets':
      return withTargets(draft, withoutForeignIds(action.targets, targets))
  }
}

const optInStays = 'the opt-in target is required while users can opt in to the feature'

function change(
  draft: ConfigurationDraft,
  target: string,
  update: (target: TargetDraft) => TargetDraft
): ConfigurationDraft {
  return { ...draft, targets: draft.targets.map((item) => (item.key === target ? update(item) : item)) }
}

/**
 * Replaces the targets. A target whose id the draft has keeps its key, and with it the focus in its form; so does a new
 * target that was saved, which has got its id.
 */
function withTargets(draft: ConfigurationDraft, inputs: readonly TargetInput[]): ConfigurationDraft {
  const keys = new Map(draft.targets.flatMap(({ id, key }) => (id === undefined ? [] : [[id, key] as const])))
  let { nextKey } = draft
  const isSaved = inputs.length === draft.targets.length && inputs.every(({ _id }) => _id !== undefined)
  const targets = toTargets(inputs).map((target, index) => {
    const own = draft.targets[index]
    const saved = isSaved && own?.id === undefined ? own?.key : undefined
    const known = target.id === undefined ? undefined : (keys.get(target.id) ?? saved)
    if (target.id !== undefined) keys.delete(target.id)
    return { ...target, key: known ?? String(nextKey++) }
  })
  return { ...draft, targets, nextKey }
}

function toTargets(inputs: readonly TargetInput[]): readonly TargetDraft[] {
  return inputs.map(({ _id, name, audience, distribution, rollout, bucketingKey }) => ({
    key: '',
    ...(_id === undefined ? {} : { id: _id }),
    ...(name === undefined ? {} : { name }),
    ...(audience.name === undefined ? {} : { audienceName: audience.name }),
    tree: toTree(audience.filters),
    split: toSplit(distribution),
    rollout: toRolloutDraft(rollout),
    ...(bucketingKey === undefined ? {} : { bucketingKey })
  }))
}

function withoutForeignIds(inputs: readonly TargetInput[], known: readonly TargetDraft[]): readonly TargetInput[] {
  const ids = new Set(known.map(({ id }) => id))
  return inputs.map(({ _id, ...members }) => (_id !== undefined && ids.has(_id) ? { _id, ...members } : members))
}

/** Returns a copy of a target for the same list. Its name has at most the 100 characters that the API takes. */
function copyOf({ id, name, ...target }: TargetDraft, key: string): TargetDraft {
  const suffix = ' (copy)'
  return { ...target, key, ...(name === undefined ? {} : { name: `${name.slice(0, 100 - suffix.length)}${suffix}` }) }
}

function isSoleOptInTarget({ targets }: ConfigurationDraft, target: TargetDraft): boolean {
  return isOptInTarget(target) && targets.filter(isOptInTarget).length === 1
}
