import type { UpdateFeature } from '@burgee/contract/schemas'
import { approvalNote } from '../approvals/approval.ts'
import type { Effect } from '../confirmation/effect.ts'
import { quoted, quotedList } from '../quoted.ts'
import type { Around } from './around.ts'
import { basisOf } from './basis.ts'
import { changedFeature } from './changedFeature.ts'
import { differences } from './differences.ts'
import { type FeatureFacts, factsOf } from './facts.ts'
import { featureParts } from './featureParts.ts'
import { reached } from './reach.ts'
import { switchedOn } from './switchedOn.ts'

/** What changing a feature would do. */
export function updateFeatureEffect(body: UpdateFeature, { feature, environments, project }: Around): Effect {
  const before = factsOf(feature, environments)
  const after = changedFeature(before, body)
  const changes = differences(featureParts(before), featureParts(after, before))
  return {
    summary: `Changes feature ${quoted(feature.key)}, named ${quoted(feature.name)}.${switched(before, after)}${losses(before, after)}${dividedAnew(before, after)}${adjusted(before, after)}${approvalNote(project)}`,
    changes: [...switchedOn(before, after), ...changes],
    environments: reached(before, after),
    basis: basisOf(feature),
    isToldByChanges: true
  }
}

/** Where it is switched on or off, which can stand behind much else. */
function switched(before: FeatureFacts, after: FeatureFacts): string {
  const sentences = (['active', 'inactive'] as const).map((wanted) => {
    const where = after.configurations.filter(({ status }, index) => {
      return status === wanted && before.configurations[index]?.status !== wanted
    })
    const keys = quotedList(where.map(({ environment }) => environment.key))
    return where.length === 0 ? '' : ` It is switched ${wanted === 'active' ? 'on' : 'off'} in ${keys}.`
  })
  return sentences.join('')
}

/** What goes because a list leaves it out, which is easily done without wanting it. */
function losses(before: FeatureFacts, after: FeatureFacts): string {
  const counts = [
    [goneFrom(before.variations, after.variations), 'variation'],
    [goneFrom(before.variables.map(byKey), after.variables.map(byKey)), 'variable'],
    [goneFrom(targetsOf(before), targetsOf(after)), 'target']
  ] as const
  const gone = counts.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`)
  return gone.length === 0 ? '' : ` It loses ${gone.join(', ')}.`
}

/** Where a target is new in place of one that goes: users of theirs can get another variation than they have. */
function dividedAnew(before: FeatureFacts, after: FeatureFacts): string {
  const where = after.configurations.filter(({ targets, status }, index) => {
    const was = before.configurations[index]?.targets ?? []
    return status === 'active' && goneFrom(was, targets) > 0 && goneFrom(targets, was) > 0
  })
  if (where.length === 0) return ''
  const keys = quotedList(where.map(({ environment }) => environment.key))
  return ` Users are divided anew in ${keys}: a target is new there in place of one that goes, and some may lose what they have.`
}

/** What the server does besides, which is not told change by change. */
function adjusted(before: FeatureFacts, after: FeatureFacts): string {
  const [was, is] = [before.variations, after.variations]
  const isRefitted = goneFrom(was, is) > 0 || goneFrom(is, was) > 0
  const isOpened = before.settings?.optInEnabled !== after.settings?.optInEnabled
  return [
    isRefitted ? ' Targets that share users among variations are fitted to the variations that there are then.' : '',
    isOpened ? ' In every environment the target for users who opted in comes or goes.' : ''
  ].join('')
}

type Known = { readonly _id: string }

/** How many there are no more. */
function goneFrom(before: readonly Known[], after: readonly Known[]): number {
  const kept = new Set(after.map(({ _id }) => _id))
  return before.filter(({ _id }) => !kept.has(_id)).length
}

function byKey({ key }: { readonly key: string }): Known {
  return { _id: key }
}

function targetsOf({ configurations }: FeatureFacts): readonly Known[] {
  return configurations.flatMap(({ targets }) => targets)
}
